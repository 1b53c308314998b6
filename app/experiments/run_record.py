"""Takes one run's events down: with the meter that the window uses, so that its numbers are the window's."""

import time
from collections.abc import Callable
from dataclasses import replace

from app.engine.meter.frame import Frame
from app.engine.meter.meter import Meter
from app.engine.protocol import StopFlag
from app.engine.types import ENDLESS, Event, Finish, Memory, Model, Request, Token
from app.experiments.types import Result

FRAME_S = 0.033
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


class RunCollector:
    """`tell` gets a frame about thirty times a second, when a token is in hand."""

    def __init__(self, request: Request, model: Model, sent: float, tell: Callable[[Frame], None] | None) -> None:
        self._request, self._model = request, model
        self._meter = Meter(sent, request.limits.max_tokens, model.context)
        self._tell = tell
        self._due = sent
        self._tokens: list[Token] = []
        self._memory: Memory | None = None

    def take(self, event: Event) -> None:
        """One event of the run."""
        self._meter.fold(event)
        if isinstance(event, Token):
            self._tokens.append(event)
        elif isinstance(event, Memory):
            self._memory = event
        if self._tell is not None and (now := time.monotonic()) >= self._due:
            self._due = now + FRAME_S
            self._tell(self._meter.frame(now))

    def result(self, arm: int, at: int, finish: Finish, run: int | None) -> Result:
        """After the last word."""
        self._meter.finish(finish)
        last = self._meter.frame(finish.times.ended)
        if self._tell is not None:
            self._tell(last)
        return Result(
            arm=arm,
            round=at,
            request=self._request,
            model=self._model,
            prompt=self._meter.prompt,
            tokens=tuple(self._tokens),
            text=self._meter.text,
            reasoning=self._meter.reasoning,
            finish=finish,
            summary=self._meter.summary(),
            memory=self._memory,
            run=run,
        )
