"""The run that is going on: its request, its flag, its meter and the text so far."""

from __future__ import annotations

from app.controls import Mode
from app.engine.frame import Frame
from app.engine.meter import Meter
from app.engine.protocol import StopFlag
from app.engine.types import Event, Finish, Model, Prompted, Request, Voice
from app.records.types import RunId
from app.state import Run


class CurrentRun:
    """Made at Send, with a fresh stop flag; becomes a `Run` when the engine has had its last word."""

    def __init__(self, model: Model, mode: Mode, request: Request, aside: bool = False) -> None:
        self.request = request
        self.mode = mode
        self.id: RunId = 0
        """Its number in the journal."""
        self.aside = aside
        """It is a replay: no part of the conversation."""
        self.stop = StopFlag()
        self._model = model
        self._meter = Meter(self.stop.made_at, request.limits.max_tokens, model.context)
        self._prompted: Prompted | None = None
        self._text: list[str] = []
        self._reasoning: list[str] = []

    def advance(self, events: list[Event], now: float) -> Frame:
        """Fold what has come into one frame."""
        for event in events:
            self._meter.fold(event)
        frame = self._meter.frame(now)
        self._prompted = frame.prompted or self._prompted
        for shown in frame.shown:
            # Tool calls are part of what the reader sees; only reasoning is kept apart, since it is never sent back.
            (self._reasoning if shown.voice is Voice.REASONING else self._text).append(shown.text)
        return frame

    def finish(self, events: list[Event], finish: Finish) -> tuple[Frame, Run]:
        """The last frame, and the run as it will be remembered."""
        for event in events:
            self._meter.fold(event)
        self._meter.finish(finish)
        frame = self.advance([], finish.times.ended)
        return frame, Run(
            model=self._model.name,
            mode=self.mode,
            request=self.request,
            prompt=self._prompted.prompt if self._prompted else None,
            ids=tuple(self._meter.ids),
            text="".join(self._text),
            reasoning="".join(self._reasoning),
            finish=finish,
            summary=self._meter.summary(),
            on=self._model,
            id=self.id,
        )
