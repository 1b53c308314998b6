"""One engine made of two: models on this machine and models on servers, one of them open at a time."""

from collections.abc import Callable, Sequence

from app.engine.forwarding import ForwardingEngine
from app.engine.protocol import BatchEngine, Emit, Engine, SavingEngine, StopFlag, failed_run
from app.engine.types import Failure, Finish, LoadRequest, Model, Request, Stopped, Tuning
from app.words import tr


class EitherEngine(ForwardingEngine):
    """The name of a model decides who opens it; whoever had one open before lets it go once the new one stands."""

    def __init__(self, here: Engine, elsewhere: Callable[[], Engine], is_elsewhere: Callable[[str], bool]) -> None:
        self._here, self._make_elsewhere = here, elsewhere
        self._elsewhere: Engine | None = None
        self._is_elsewhere = is_elsewhere
        self._now = here

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Stopped:
        engine = self._engine_elsewhere() if self._is_elsewhere(request.model) else self._here
        outcome = engine.load(request, emit, stop)
        if isinstance(outcome, Model) and engine is not self._now:
            self._now.unload()
            self._now = engine
        return outcome

    def generate_together(
        self, requests: Sequence[Request], emits: Sequence[Emit], stop: StopFlag
    ) -> tuple[Finish, ...]:
        if isinstance(self._now, BatchEngine):
            return self._now.generate_together(requests, emits, stop)
        failure = Failure(tr("A server puts requests together itself."), tr("Run them one by one."), kind="batch")
        return tuple(failed_run(stop, failure) for _ in requests)

    def tune(self, tuning: Tuning) -> None:
        self._here.tune(tuning)

    def save(self) -> None:
        if isinstance(self._here, SavingEngine):
            self._here.save()

    def forget(self, session: int) -> None:
        if isinstance(self._here, SavingEngine):
            self._here.forget(session)

    def close(self) -> None:
        """This machine's engine last: it leaves the thread clean."""
        if self._elsewhere is not None:
            self._elsewhere.close()
        self._here.close()

    def _engine_elsewhere(self) -> Engine:
        """Made when it is first wanted: most people never want it, and it brings a library along."""
        if self._elsewhere is None:
            self._elsewhere = self._make_elsewhere()
        return self._elsewhere
