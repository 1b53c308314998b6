"""What a job besides generation works with."""

import time
from dataclasses import dataclass
from typing import Any

import mlx.core as mx

from app.engine.mlx.caches.prompt_cache import PromptCache
from app.engine.mlx.loaded import LoadedModel
from app.engine.mlx.prefill import PrefillStoppedError
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Prefill


@dataclass(frozen=True, slots=True)
class JobContext:
    """The open models, the conversation's cache, which a job only reads, and the callbacks of the job."""

    main: LoadedModel
    cache: PromptCache
    emit: Emit
    stop: StopFlag
    draft: LoadedModel | None = None

    def check_stop(self) -> None:
        """Raise PrefillStoppedError after Stop."""
        if self.stop.asked:
            raise PrefillStoppedError

    def prefill(self, ids: tuple[int, ...]) -> list[Any]:
        """Return a cache of these ids. Tokens in the conversation's cache are copied instead of prefilled."""
        caches, done = self.cache.copy_prefix(ids, self.main)
        while True:
            self.emit(Prefill(done, len(ids), time.monotonic()))
            self.check_stop()
            if done >= len(ids):
                return caches
            end = min(len(ids), done + self.main.pace.step_size())
            self.main.forward(ids[done:end], caches)
            mx.eval([layer.state for layer in caches])
            done = end
