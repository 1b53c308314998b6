"""Whether a run's KV cache will fit, asked before it grows: a native abort for want of memory could not be caught."""

from __future__ import annotations

from collections.abc import Callable

from app.engine.capacity import kv_bytes
from app.engine.mlx import memory
from app.engine.refusal import RefusedError
from app.engine.types import KV, KVShape
from app.words import tr

AT_ONCE = 256
"""mlx-lm's cache grows by so many tokens at a time."""


class FitCheck:
    """Of one run. `told`: whoever opened this model was told that it is too large, and wanted it all the same."""

    def __init__(self, shape: KVShape, kv: KV, told: bool, make_room: Callable[[int], None]) -> None:
        """`make_room` lets go of as many bytes as it can, of those that are only kept in case."""
        self._make_room = make_room
        self._each = 0.0 if told or not kv.enabled or kv.max_size is not None else kv_bytes(shape, kv)

    def prompt(self, tokens: int) -> None:
        """Raises RefusedError where so many tokens can't be read."""
        todo = tr("Shorten the prompt, begin a new session, or open a smaller model.")
        self._refuse(tokens, tr("The prompt needs {needed:.1f} GB for the KV cache, and {free:.1f} GB are free."), todo)

    def grow(self, written: int) -> None:
        """Raises RefusedError where the next stretch of the answer would not fit; its text stays."""
        if written % AT_ONCE == 0:
            what = tr("The KV cache has no room to grow: {free:.1f} GB are free.")
            self._refuse(AT_ONCE, what, tr("Begin a new session, or open a smaller model."))

    def _refuse(self, tokens: int, what: str, todo: str) -> None:
        needed = tokens * self._each
        free = memory.available_bytes() if needed else None
        if free is not None and needed > free:
            self._make_room(int(needed - free))
            free = memory.available_bytes()
        if free is not None and needed > free:
            raise RefusedError(what.format(needed=needed / 1e9, free=free / 1e9), todo, kind="memory")
