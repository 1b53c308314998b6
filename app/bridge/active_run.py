"""The active run: its request, stop flag, meter and text."""

from app.controls import Mode
from app.engine.meter.meter import Frame, Meter
from app.engine.protocol import StopFlag
from app.engine.types import Event, Finish, Model, Request
from app.records.types import FilesRef, RunId
from app.state import Run


class ActiveRun:
    """A run from Send to its end, with its own stop flag. Becomes a `Run` when the engine has finished."""

    def __init__(self, model: Model, mode: Mode, request: Request, is_replay: bool = False) -> None:
        self.request = request
        self.mode = mode
        self.id: RunId = 0
        """Its id in the journal; 0: none."""
        self.is_replay = is_replay
        """Whether it is a replay, outside of the conversation."""
        self.stop = StopFlag()
        self._model = model
        self._meter = Meter(self.stop.made_at, request.limits.max_tokens, model.context)

    def advance(self, events: list[Event], now: float) -> Frame:
        """Pass the events to the meter and return a frame."""
        for event in events:
            self._meter.fold(event)
        return self._meter.frame(now)

    def finish(self, events: list[Event], finish: Finish) -> tuple[Frame, Run]:
        """Return the last frame and the finished run."""
        for event in events:
            self._meter.fold(event)
        self._meter.finish(finish)
        frame = self.advance([], finish.times.ended)
        adapter = self._model.adapter if self.request.sampling.adapter_strength else None
        once: dict[int, int] = {}  # Equal ids share one int object: saves 32 bytes a token.
        return frame, Run(
            model=self._model.name,
            mode=self.mode,
            request=self.request,
            prompt=self._meter.prompt,
            ids=tuple(once.setdefault(each, each) for each in self._meter.ids),
            text=self._meter.text,
            reasoning=self._meter.reasoning,
            finish=finish,
            summary=self._meter.summary(),
            on=self._model,
            adapter=FilesRef(adapter.name, str(adapter.folder)) if adapter is not None else None,
            id=self.id,
        )
