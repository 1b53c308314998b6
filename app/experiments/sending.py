"""What belongs to one run of an experiment: a flag of its own, a shorter limit to warm up."""

from __future__ import annotations

from dataclasses import replace

from app.engine.protocol import StopFlag
from app.engine.types import ENDLESS, Request

WARM_UP_TOKENS = 16
"""Enough for what a device does once for each new kind of work, such as compiling its kernels."""


class RunFlag(StopFlag):
    """A run's own flag, with its own moment of Send; the experiment's flag ends the run too."""

    __slots__ = ("_outer",)

    def __init__(self, outer: StopFlag) -> None:
        super().__init__()
        self._outer = outer

    @property
    def asked(self) -> bool:
        if self._outer.asked:
            self.ask()
            self.asked_at = self._outer.asked_at
        return super().asked

    def wait(self, seconds: float) -> bool:
        self._outer.wait(seconds)
        return self.asked


def shortened(request: Request) -> Request:
    """The same request, only to warm up."""
    limit = request.limits.max_tokens
    short = WARM_UP_TOKENS if limit == ENDLESS else min(WARM_UP_TOKENS, limit)
    return replace(request, limits=replace(request.limits, max_tokens=short))
