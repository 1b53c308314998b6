"""The program's engine: delegates to the local one or to the one for servers."""

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from app.engine.crash_guard import EngineStep, StepMark, UnfinishedStep
from app.engine.jobs import Job, Result
from app.engine.protocol import BatchEngine, CachePersistence, Emit, Engine, StopFlag, failed_run
from app.engine.types import (
    Cancellation,
    ExactPrompt,
    Failure,
    Finish,
    LoadRequest,
    Memory,
    Model,
    PromptSource,
    Request,
    Reusable,
    SpelledToken,
    Tuning,
)
from app.i18n import tr


class Engines:
    """Combines both engines. `load` selects one by the model's name; other calls go to the engine with the open model.

    Opening a model or rendering a prompt can crash the process. With a folder, both are stored there first, so that the
    next start doesn't repeat them (`crash_guard.unfinished`).
    """

    def __init__(
        self,
        here: Engine,
        make_remote: Callable[[], Engine],
        is_remote: Callable[[str], bool],
        marks: Path | None = None,
    ) -> None:
        self._here = self._now = here
        self._make_remote = make_remote
        self._remote: Engine | None = None
        self._is_remote = is_remote
        self._mark = StepMark(marks) if marks is not None else None
        self._opened = LoadRequest("")

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        if not self._is_remote(request.model):
            engine = self._here
        else:
            engine = self._remote = self._remote or self._make_remote()
        with self._marked(EngineStep.OPENING, request):
            outcome = engine.load(request, emit, stop)
        if isinstance(outcome, Model):
            self._opened = request
            if engine is not self._now:
                self._now.unload()
                self._now = engine
        return outcome

    def has_model(self) -> bool:
        return self._now.has_model()

    def render(self, source: PromptSource) -> ExactPrompt | Failure:
        with self._marked(EngineStep.READING, self._opened):
            return self._now.render(source)

    def token_texts(self, source: PromptSource) -> tuple[SpelledToken, ...] | Failure:
        with self._marked(EngineStep.READING, self._opened):
            return self._now.token_texts(source)

    def reusable(self, ids: tuple[int, ...], request: Request) -> Reusable:
        return self._now.reusable(ids, request)

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        return self._now.generate(request, emit, stop)

    def generate_together(
        self, requests: Sequence[Request], emits: Sequence[Emit], stop: StopFlag
    ) -> tuple[Finish, ...]:
        if isinstance(self._now, BatchEngine):
            return self._now.generate_together(requests, emits, stop)
        failure = Failure(tr("A server batches requests itself."), tr("Run the variants one by one."), kind="batch")
        return tuple(failed_run(stop, failure) for _ in requests)

    def run_job(self, job: Job[Result], emit: Emit, stop: StopFlag) -> Result | Failure | Cancellation:
        return self._now.run_job(job, emit, stop)

    def tune(self, tuning: Tuning) -> None:
        self._here.tune(tuning)

    def memory(self) -> Memory:
        return self._now.memory()

    def save(self) -> None:
        if isinstance(self._here, CachePersistence):
            self._here.save()

    def forget(self, session: int) -> None:
        if isinstance(self._here, CachePersistence):
            self._here.forget(session)

    def unload(self) -> None:
        self._now.unload()

    def close(self) -> None:
        """Close both engines, the local one last, since it cleans the thread."""
        if self._remote is not None:
            self._remote.close()
        self._here.close()
        if self._mark is not None:
            self._mark.close()

    def _marked(self, act: EngineStep, request: LoadRequest) -> AbstractContextManager[None]:
        if self._mark is None:
            return nullcontext()
        return self._mark.set(
            UnfinishedStep(act, request.model, request.draft or "", request.adapter or "", os.getpid())
        )
