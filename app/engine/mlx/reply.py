"""The text side of a run: ids in, whole characters out, by voice, with stop strings held back."""

from __future__ import annotations

from app.engine.mlx.loaded import Loaded
from app.engine.mlx.observe import Observer
from app.engine.protocol import Emit
from app.engine.stops import ReplyReader, StopMatch
from app.engine.types import AT_THE_END, ExactPrompt, Request, Shown, Token

Read = tuple[str, tuple[Shown, ...]]
Bare = tuple[int, int, str, tuple[Shown, ...], float, bool]
"""A token without what was observed: index, id, text, what may be shown, arrival, whether the draft proposed it."""

TOGETHER_S = 0.05
"""Observed tokens are handed over so far apart at least, described together: one by one they take eight times as
long, since every call into numpy finds its caches cold."""


class Reply:
    """What the model says, as text: each token's own, and what of it may be shown."""

    def __init__(
        self, model: Loaded, prompt: ExactPrompt, request: Request, emit: Emit, observer: Observer | None
    ) -> None:
        start = len(prompt.ids) - len(prompt.begun)
        self._stream = model.spelling.stream(prompt.ids[:start])
        for token in prompt.ids[start:]:
            self._stream.add(token)
        self._reader = ReplyReader.behind(prompt, request.limits.stop_strings, model.markers)
        self.begun = self._reader.resume("".join(prompt.begun))
        """What may be shown of the answer before this run goes on with it."""
        self._interval = request.interval
        self._emit = emit
        self._observer = observer
        self._flushed_at = 0.0
        self._waiting: list[Bare] = []
        self._over = False
        self._cut = b""

    @property
    def match(self) -> StopMatch | None:
        """The stop string, once it is complete."""
        return self._reader.stopped

    def read(self, token: int) -> Read:
        """A token in the middle of the reply."""
        text = self._stream.add(token)
        return text, self._reader.read(text)

    def read_last(self, token: int | None = None) -> Read:
        """The last token, None for an end token, which is no text: whatever was held back comes out with it."""
        text = "" if token is None else self._stream.add(token)
        left, self._cut = self._stream.finish()
        self._over = True
        text += left
        return text, (*self._reader.read(text), *self._reader.finish())

    def left_over(self) -> tuple[tuple[Shown, ...], bytes]:
        """After a run that broke off between two tokens: text that belongs to none of them, and a cut character."""
        if self._over:
            return (), self._cut
        _, shown = self.read_last()
        return shown, self._cut

    def hand_over(self, bare: Bare) -> None:
        """Emit it, or let it wait until as many are together as the request wants at a time."""
        self._waiting.append(bare)
        if self._interval == AT_THE_END or len(self._waiting) < self._interval:
            return
        at = bare[4]
        if self._observer is None or at - self._flushed_at >= TOGETHER_S:
            self._flushed_at = at
            self.flush()

    def flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        if self._observer is None:
            for bare in waiting:
                self._emit(Token(*bare))
            return
        # A run that broke off after a choice was noted has one more of them than tokens.
        for bare, observed in zip(waiting, self._observer.describe()[: len(waiting)], strict=True):
            self._emit(Token(*bare, observed))
