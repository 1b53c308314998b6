"""Takes one run's events down: with the meter that the window uses, so that its numbers are the window's."""

from __future__ import annotations

import time
from collections.abc import Callable

from app.engine.frame import Frame, Point
from app.engine.meter import Meter
from app.engine.types import Event, Finish, Memory, Model, Prompted, Request, Shown, Token, Voice
from app.experiments.types import Result

FRAME_S = 0.033


class Taking:
    """`tell` gets a frame about thirty times a second, when a token is in hand."""

    def __init__(self, request: Request, model: Model, sent: float, tell: Callable[[Frame], None] | None) -> None:
        self._request, self._model = request, model
        self._meter = Meter(sent, request.limits.max_tokens, model.context)
        self._tell = tell
        self._due = sent
        self._tokens: list[Token] = []
        self._points: list[Point] = []
        self._shown: list[Shown] = []
        self._prompted: Prompted | None = None
        self._memory: Memory | None = None

    def take(self, event: Event) -> None:
        """One event of the run."""
        self._meter.fold(event)
        if isinstance(event, Token):
            self._tokens.append(event)
        elif isinstance(event, Memory):
            self._memory = event
        elif isinstance(event, Prompted):
            self._prompted = event
        if self._tell is not None and (now := time.monotonic()) >= self._due:
            self._due = now + FRAME_S
            self._tell(self._frame(now))

    def result(self, arm: int, at: int, finish: Finish, run: int | None) -> Result:
        """After the last word."""
        self._meter.finish(finish)
        last = self._frame(finish.times.ended)
        if self._tell is not None:
            self._tell(last)
        return Result(
            arm=arm,
            round=at,
            request=self._request,
            model=self._model,
            prompt=self._prompted.prompt if self._prompted else None,
            tokens=tuple(self._tokens),
            text="".join(each.text for each in self._shown if each.voice is not Voice.REASONING),
            reasoning="".join(each.text for each in self._shown if each.voice is Voice.REASONING),
            finish=finish,
            summary=self._meter.summary(),
            points=tuple(self._points),
            memory=self._memory,
            run=run,
        )

    def _frame(self, now: float) -> Frame:
        frame = self._meter.frame(now)
        self._points += frame.points
        self._shown += frame.shown
        return frame
