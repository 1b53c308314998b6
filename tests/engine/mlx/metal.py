"""Metal's Python side, simulated on the CPU: device info, wired memory and errors."""

from collections.abc import Callable
from typing import Any

import mlx.core as mx
import pytest

from app.engine.mlx import memory

WORKING_SET = 12 << 30
DEVICE = {
    "architecture": "applegpu_g15s",
    "device_name": "Apple M3 Max",
    "max_buffer_length": WORKING_SET,
    "max_recommended_working_set_size": WORKING_SET,
    "memory_size": 16 << 30,
    "resource_limit": 499_000,
}
ERROR = (
    "[METAL] Command buffer execution failed: Insufficient Memory"
    " (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)"
)


class Metal:
    """Replaces mlx; `fail` makes it fail at a step, and again at the next wait."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.wired = 0
        self._steps_left = -1
        self._stored = 0
        self._evaluate: Callable[..., None] = mx.async_eval
        self._synchronize: Callable[..., None] = mx.synchronize
        patch.setattr(mx, "device_info", lambda *device: dict(DEVICE))
        patch.setattr(mx, "set_wired_limit", self._wire)
        patch.setattr(mx, "async_eval", self._async_eval)
        patch.setattr(mx, "synchronize", self._wait)
        patch.setattr(memory, "on_cpu", lambda: False)

    def fail(self, step: int) -> None:
        self._steps_left = step

    def _wire(self, limit: int) -> int:
        before, self.wired = self.wired, limit
        return before

    def _async_eval(self, *arrays: Any) -> None:
        self._steps_left -= 1
        if self._steps_left == 0:
            self._stored = 1
            raise RuntimeError(ERROR)
        self._evaluate(*arrays)

    def _wait(self, *stream: Any) -> None:
        if self._stored:
            self._stored -= 1
            raise RuntimeError(ERROR)
        self._synchronize(*stream)
