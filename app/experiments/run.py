"""Runs a plan on an engine, arm by arm, on the caller's thread, and tells how it goes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol, TypeAlias

from app.engine.cpu_load import others_s
from app.engine.errors import unexpected_failure, unopened
from app.engine.meter.frame import Frame
from app.engine.protocol import BatchEngine, Emit, Engine, StopFlag, failed_run
from app.engine.remote.address import server_model
from app.engine.types import Event, Failure, Finish, Loading, LoadRequest, Model, Reason, Request, Stopped
from app.experiments.run_record import RunCollector, RunFlag, shortened
from app.experiments.types import WARM_UP, Batch, ExperimentStep, Outcome, Plan, Result, RunContext, Variant
from app.i18n import tr

BROKE = tr("The engine failed in the middle of this run.")

Note: TypeAlias = ExperimentStep | Loading | Frame | Result | Batch
Tell: TypeAlias = Callable[[Note], None]


def steps(plan: Plan) -> tuple[ExperimentStep, ...]:
    """Every measured run of the plan, batches as one each: in turn, and backwards in half of the rounds.

    So a drift of the machine cancels out. It turns round after the first round and then after every two: were it after
    each, one arm would stand at both sides of every turn, and a disturbance that lasts for more than a run would make
    two rounds say the same.
    """
    tasks = [*((arm,) for arm in range(len(plan.arms))), *plan.batches]
    rounds = range(1, plan.repeats + 1)
    order = [(task, at) for at in rounds for task in (reversed(tasks) if at // 2 % 2 else tasks)]
    return tuple(_step(plan, task, at, number, len(order)) for number, (task, at) in enumerate(order, start=1))


def _step(plan: Plan, task: tuple[int, ...], at: int, number: int, total: int) -> ExperimentStep:
    name = plan.arms[task[0]].name
    if len(task) == 1:
        return ExperimentStep(task[0], name, at, number, total)
    together = tr("{count} at once, from {arm}").format(count=len(task), arm=name)
    return ExperimentStep(task[0], together, at, number, total, task)


class Sink(Protocol):
    """Where a run is written down as it goes on: the journal's recorder is one."""

    run: int

    def put(self, event: Event) -> None: ...

    def finish(self, finish: Finish) -> None: ...


class RecorderFactory(Protocol):
    """Called at the Send of each measured run, whose moment is the last argument."""

    def ready(self, request: Request, model: Model) -> None:
        """Called before that moment: what is looked at once is no part of a run's time."""

    def __call__(self, request: Request, model: Model, sent: float, /) -> Sink: ...


def run_experiment(
    engine: Engine,
    plan: Plan,
    model: Model,
    stop: StopFlag,
    tell: Tell = lambda note: None,
    keep: RecorderFactory | None = None,
) -> Outcome:
    """All of the plan, or what was done of it when `stop` was asked; `model` is the one that is open.

    A `ExperimentStep` is told before each run, and for a measured one its `Frame`s about thirty times a second, and its
    `Result` after it, for a batch the `Batch`. The step of a run that warms up has round WARM_UP.
    """
    return _Conducted(engine, plan, model, stop, tell, keep).go()


def load(
    engine: Engine, request: LoadRequest, stop: StopFlag, tell: Callable[[Loading], None]
) -> Model | Failure | Stopped:
    """Open what an arm needs; whatever goes wrong is a Failure."""

    def emit(event: Event) -> None:
        if isinstance(event, Loading):
            tell(event)

    try:
        return engine.load(request, emit, RunFlag(stop))
    except (Exception, SystemExit) as error:  # mlx-lm has modules that call sys.exit at import
        return unopened(request.model, error)


def generate(engine: Engine, request: Request, emit: Emit, flag: StopFlag) -> Finish:
    """One run that breaks must not take the others' results along."""
    try:
        return engine.generate(request, emit, flag)
    except Exception as error:
        return failed_run(flag, unexpected_failure(BROKE, tr("Try again."), error))


class _Conducted:
    """The state of one experiment. What prepares an arm is seen by nobody."""

    def __init__(
        self, engine: Engine, plan: Plan, model: Model, stop: StopFlag, tell: Tell, keep: RecorderFactory | None
    ) -> None:
        self._engine, self._plan, self._stop, self._tell, self._keep = engine, plan, stop, tell, keep
        self._model = model
        self._opened: LoadRequest | None = None
        self._warm: set[tuple[int, ...]] = set()
        self._results: list[Result] = []
        self._warm_ups: list[Result] = []
        self._batches: list[Batch] = []
        self._failure: Failure | None = None

    def go(self) -> Outcome:
        for step in steps(self._plan):
            arm = self._plan.arms[step.arm]
            if self._stop.asked or not self._open(arm) or not self._warm_up(step):
                break
            self._tell(step)
            runs = self._runs(step)
            if self._stop.asked and any(run.finish.reason is Reason.STOPPED for run in runs):
                break
            self._take(step, runs)
        return Outcome(
            plan=self._plan,
            model=self._model,
            results=tuple(self._results),
            warm_ups=tuple(self._warm_ups),
            batches=tuple(self._batches),
            stopped=self._stop.asked,
            failure=self._failure,
        )

    def _runs(self, step: ExperimentStep) -> tuple[Result, ...]:
        return self._run_together(step) if step.together else (self._run(step.arm, step.round),)

    def _take(self, step: ExperimentStep, runs: tuple[Result, ...]) -> None:
        if step.together:
            batch = Batch(step.together, step.round, runs)
            self._batches.append(batch)
            self._tell(batch)
        else:
            self._results += runs
            self._tell(runs[0])

    def _open(self, arm: Variant) -> bool:
        """Whether what the arm needs is open, or could be opened now."""
        if arm.load is None or arm.load == self._opened:
            return True
        opened = load(self._engine, arm.load, self._stop, self._tell)
        if isinstance(opened, Model):
            self._model, self._opened = opened, arm.load
            self._warm.clear()
            return True
        self._failure = opened if isinstance(opened, Failure) else None
        return False

    def _warm_up(self, step: ExperimentStep) -> bool:
        """A short run before the first one, and after each load."""
        task = step.together or (step.arm,)
        if task not in self._warm:
            self._warm.add(task)
            step = replace(step, round=WARM_UP)
            self._tell(step)
            self._warm_ups += self._runs(step)
        return not self._stop.asked

    def _run(self, number: int, at: int) -> Result:
        arm = self._plan.arms[number]
        before = None
        if arm.before is not None:
            before = self._generate(number, WARM_UP, arm.before)
            if before.finish.failure is not None:
                return replace(before, round=at)
        request = arm.ask(RunContext(at, self._model, before))
        return self._generate(number, at, request if at != WARM_UP else shortened(request))

    def _run_together(self, step: ExperimentStep) -> tuple[Result, ...]:
        """A batch is measured as a whole: no frames are told of it, and the journal has its arms already."""
        given = RunContext(step.round, self._model)
        requests = [self._plan.arms[arm].ask(given) for arm in step.together]
        if step.round == WARM_UP:
            requests = [shortened(request) for request in requests]
        flag = RunFlag(self._stop)
        takings = [RunCollector(request, self._model, flag.made_at, None) for request in requests]
        finishes = self._finish_together(requests, [taking.take for taking in takings], flag)
        together = zip(step.together, takings, finishes, strict=True)
        return tuple(taking.result(arm, step.round, finish, None) for arm, taking, finish in together)

    def _finish_together(
        self, requests: Sequence[Request], emits: Sequence[Emit], flag: StopFlag
    ) -> tuple[Finish, ...]:
        if not isinstance(self._engine, BatchEngine):
            failure = Failure(tr("This engine does one thing at a time."), tr("Run them one by one."), kind="batch")
            return tuple(failed_run(flag, failure) for _ in requests)
        try:
            return self._engine.generate_together(requests, emits, flag)
        except Exception as error:
            return tuple(failed_run(flag, unexpected_failure(BROKE, tr("Try again."), error)) for _ in requests)

    def _generate(self, number: int, at: int, request: Request) -> Result:
        keep, tell = (self._keep, self._tell) if at != WARM_UP else (None, None)
        if keep is not None:
            keep.ready(request, self._model)
        begun = others_s()
        flag = RunFlag(self._stop)
        sink = keep(request, self._model, flag.made_at) if keep is not None else None
        taking = RunCollector(request, self._model, flag.made_at, tell)

        def emit(event: Event) -> None:
            if sink is not None:
                sink.put(event)
            taking.take(event)

        finish = generate(self._engine, request, emit, flag)
        ended = others_s()
        if sink is not None:
            sink.finish(finish)
        taken = taking.result(number, at, finish, sink.run if sink is not None else None)
        if begun is None or ended is None or server_model(str(self._model.folder)) is not None:
            return taken
        return replace(taken, others=ended - begun)
