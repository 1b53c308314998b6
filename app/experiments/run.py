"""Execution of an experiment's plan on an engine, on the caller's thread. Evaluations use its conductor too."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol, TypeAlias

from app.engine.errors import open_failure, unexpected_failure
from app.engine.meter.meter import Frame, Meter
from app.engine.protocol import BatchEngine, Emit, Engine, StopFlag, failed_run
from app.engine.remote.address import server_model
from app.engine.system_load import others_s
from app.engine.types import (
    ENDLESS,
    Event,
    Failure,
    Finish,
    Loading,
    LoadRequest,
    Memory,
    Model,
    Reason,
    Request,
    Token,
)
from app.experiments.requests import limited
from app.experiments.types import WARM_UP, Batch, ExperimentOutcome, ExperimentStep, Plan, RunContext, RunResult
from app.i18n import tr

FRAME_S = 0.033
WARM_UP_TOKENS = 16
"""Max tokens of a warm-up: enough for one-time work of the device, such as compiling kernels."""

Note: TypeAlias = ExperimentStep | Loading | Frame | RunResult | Batch
Tell: TypeAlias = Callable[[Note], None]


def steps(plan: Plan) -> tuple[ExperimentStep, ...]:
    """Return the runs to measure in order, without finished ones; a batch is one step.

    Half of the rounds run backwards, so that drift cancels. The order reverses after the first round and then after
    every two. If it reversed after each round, one variant would run on both sides of each reversal, and a disturbance
    longer than a run would make two rounds agree. Within a round, the variants of one model follow each other.
    """
    loads = [arm.load for arm in plan.arms]
    tasks = [*((arm,) for arm in range(len(plan.arms))), *plan.batches]
    tasks.sort(key=lambda task: loads.index(loads[task[0]]))
    rounds = range(1, plan.repeats + 1)
    order = [(task, at) for at in rounds for task in (reversed(tasks) if at // 2 % 2 else tasks)]
    every = (_step(plan, task, at, number, len(order)) for number, (task, at) in enumerate(order, start=1))
    return tuple(step for step in every if (step.arms, step.round) not in plan.finished)


def remaining_plan(outcome: ExperimentOutcome, rounds: int) -> Plan:
    """Return the plan of the runs that an outcome lacks for this many rounds."""
    runs = {((run.arm,), run.round) for run in outcome.results}
    batches = {(batch.arms, batch.round) for batch in outcome.batches}
    return replace(outcome.plan, repeats=rounds, finished=frozenset(runs | batches))


def joined(earlier: ExperimentOutcome, later: ExperimentOutcome) -> ExperimentOutcome:
    """Return the outcome of both parts of an experiment."""
    return replace(
        later,
        results=(*earlier.results, *later.results),
        warm_ups=(*earlier.warm_ups, *later.warm_ups),
        batches=(*earlier.batches, *later.batches),
    )


def _step(plan: Plan, task: tuple[int, ...], at: int, number: int, total: int) -> ExperimentStep:
    name = plan.arms[task[0]].name
    if len(task) == 1:
        return ExperimentStep(task[0], name, at, number, total)
    together = tr("a batch of {count}, from {arm}").format(count=len(task), arm=name)
    return ExperimentStep(task[0], together, at, number, total, task)


class EventSink(Protocol):
    run: int
    """The run's id in the session database."""

    def put(self, event: Event) -> None: ...

    def finish(self, finish: Finish) -> None: ...


class RecorderFactory(Protocol):
    """Makes the sink of each measured run."""

    def ready(self, request: Request, model: Model) -> None:
        """Do slow preparations, before the run's time is measured."""

    def __call__(self, request: Request, model: Model, sent: float, /) -> EventSink:
        """Return the sink of a run. It counts as sent now."""


class RunFlag(StopFlag):
    """The stop flag of one run, with its own time of Send. The flag of the whole experiment ends the run too."""

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


class RunCollector:
    """Collects the events of one run with the window's meter. `tell` gets about thirty frames a second."""

    def __init__(
        self,
        request: Request,
        model: Model,
        flag: StopFlag,
        sink: EventSink | None = None,
        tell: Callable[[Frame], None] | None = None,
    ) -> None:
        self.flag, self.meter = flag, Meter(flag.made_at, request.limits.max_tokens, model.context)
        self._request, self._model, self._sink, self._tell = request, model, sink, tell
        self._due = flag.made_at
        self.tokens: list[Token] = []
        self._memory: Memory | None = None

    @property
    def run(self) -> int | None:
        return self._sink.run if self._sink is not None else None

    def take(self, event: Event) -> None:
        if self._sink is not None:
            self._sink.put(event)
        self.meter.fold(event)
        if isinstance(event, Token):
            self.tokens.append(event)
        elif isinstance(event, Memory):
            self._memory = event
        if self._tell is not None and (now := time.monotonic()) >= self._due:
            self._due = now + FRAME_S
            self._tell(self.meter.frame(now))

    def finish(self, finish: Finish) -> None:
        if self._sink is not None:
            self._sink.finish(finish)
        self.meter.finish(finish)
        last = self.meter.frame(finish.times.ended)
        if self._tell is not None:
            self._tell(last)

    def result(self, arm: int, at: int, finish: Finish) -> RunResult:
        """Record the end, and return the run as a variant's result."""
        self.finish(finish)
        return RunResult(
            arm=arm,
            round=at,
            request=self._request,
            model=self._model,
            prompt=self.meter.prompt,
            tokens=tuple(self.tokens),
            text=self.meter.text,
            reasoning=self.meter.reasoning,
            finish=finish,
            summary=self.meter.summary(),
            memory=self._memory,
            run=self.run,
        )


class Conductor:
    """Opens models and runs requests of an experiment or evaluation. An error in one run doesn't end the others."""

    def __init__(
        self, engine: Engine, model: Model, opened: LoadRequest | None, stop: StopFlag, tell: Callable[[Loading], None]
    ) -> None:
        self.engine, self.model, self.stop = engine, model, stop
        self.failure: Failure | None = None
        """The failure that ends the experiment or evaluation."""
        self.loads = 0
        self._opened, self._tell_loading = opened, tell

    def open_model(self, request: LoadRequest | None) -> bool:
        """Open a model unless it is already open. Return whether it is open now."""
        if request is None or request == self._opened:
            return True

        def emit(event: Event) -> None:
            if isinstance(event, Loading):
                self._tell_loading(event)

        try:
            opened = self.engine.load(request, emit, RunFlag(self.stop))
        except (Exception, SystemExit) as error:  # mlx-lm has modules that call sys.exit at import
            opened = open_failure(request.model, error)
        if isinstance(opened, Model):
            self.model, self._opened = opened, request
            self.loads += 1
            return True
        self._opened = None
        self.failure = opened if isinstance(opened, Failure) else None
        return False

    def generate(self, request: Request, emit: Emit, flag: StopFlag) -> Finish:
        try:
            return self.engine.generate(request, emit, flag)
        except Exception as error:
            return failed_run(flag, _engine_failure(error))

    def generate_together(
        self, requests: Sequence[Request], emits: Sequence[Emit], flag: StopFlag
    ) -> tuple[Finish, ...]:
        if not isinstance(self.engine, BatchEngine):
            failure = Failure(tr("This engine has no batches."), tr("Run the variants one by one."), kind="batch")
            return tuple(failed_run(flag, failure) for _ in requests)
        try:
            return self.engine.generate_together(requests, emits, flag)
        except Exception as error:
            failure = _engine_failure(error)
            return tuple(failed_run(flag, failure) for _ in requests)


def _engine_failure(error: Exception) -> Failure:
    return unexpected_failure(tr("The engine failed during this run."), tr("Try again."), error)


def run_experiment(
    engine: Engine,
    plan: Plan,
    model: Model,
    stop: StopFlag,
    tell: Tell = lambda note: None,
    keep: RecorderFactory | None = None,
) -> ExperimentOutcome:
    """Run the plan; end early when `stop` is asked. `model` is the open one.

    Before each run, `tell` gets an `ExperimentStep`; a warm-up's has the round WARM_UP. After it, a measured run sends
    about thirty `Frame`s a second and its `RunResult`, or a `Batch`.
    """
    return _ExperimentConductor(engine, plan, model, stop, tell, keep).conduct()


def rerun(
    load: LoadRequest, request: Request, engine: Engine, model: Model, stop: StopFlag, tell: Tell
) -> RunResult | Failure:
    """Run a request on a model that is opened for it. `model` is the open one."""
    conductor = Conductor(engine, model, model.opened_by, stop, tell)
    if not conductor.open_model(load):
        return conductor.failure or Failure(tr("The rerun was stopped."), "", kind="stopped")
    collector = RunCollector(request, conductor.model, RunFlag(stop))
    return collector.result(0, 1, conductor.generate(request, collector.take, collector.flag))


class _ExperimentConductor(Conductor):
    def __init__(
        self, engine: Engine, plan: Plan, model: Model, stop: StopFlag, tell: Tell, keep: RecorderFactory | None
    ) -> None:
        super().__init__(engine, model, model.opened_by, stop, tell)
        self._plan, self._tell, self._keep = plan, tell, keep
        self._warm: set[tuple[int, tuple[int, ...]]] = set()
        """Warmed-up steps: number of loads so far, and the variants."""
        self._results: list[RunResult] = []
        self._warm_ups: list[RunResult] = []
        self._batches: list[Batch] = []
        self._unopened: dict[LoadRequest | None, Failure] = {}
        """Models that couldn't be opened, of a plan that skips them."""

    def conduct(self) -> ExperimentOutcome:
        try:
            self._run_all()
        except Exception as error:
            self.failure = unexpected_failure(tr("An error ended the experiment."), tr("Try again."), error)
        return ExperimentOutcome(
            plan=self._plan,
            model=self.model,
            results=tuple(self._results),
            warm_ups=tuple(self._warm_ups),
            batches=tuple(self._batches),
            stopped=self.stop.asked,
            failure=self.failure,
        )

    def _run_all(self) -> None:
        for step in steps(self._plan):
            load = self._plan.arms[step.arm].load
            is_open = not self.stop.asked and load not in self._unopened and self.open_model(load)
            if not is_open and self._skips(load):
                self._take(step, self._failed_runs(step, load))
                continue
            if not is_open or not self._warm_up(step):
                return
            self._tell(step)
            runs = self._runs(step)
            if self.stop.asked and any(run.finish.reason is Reason.STOPPED for run in runs):
                return
            self._take(step, runs)

    def _take(self, step: ExperimentStep, runs: tuple[RunResult, ...]) -> None:
        if step.together:
            self._batches.append(Batch(step.together, step.round, runs))
            self._tell(self._batches[-1])
        else:
            self._results += runs
            self._tell(runs[0])

    def _skips(self, load: LoadRequest | None) -> bool:
        """Return whether the runs of this model fail because it can't be opened. Then the experiment continues."""
        if self.failure is not None and self._plan.skips_unopened:
            self._unopened[load], self.failure = self.failure, None
        return load in self._unopened and not self.stop.asked

    def _failed_runs(self, step: ExperimentStep, load: LoadRequest | None) -> tuple[RunResult, ...]:
        """Return runs of a model that couldn't be opened: with the description of the last one, in the other dtype."""
        dtype = load.dtype if load is not None else ""
        model = replace(self.model, dtype=dtype, format=replace(self.model.format, computed_in=dtype))
        flag, context = RunFlag(self.stop), RunContext(step.round, model)
        collectors = [RunCollector(self._plan.arms[arm].ask(context), model, flag) for arm in step.arms]
        pairs = zip(step.arms, collectors, strict=True)
        return tuple(each.result(arm, step.round, failed_run(flag, self._unopened[load])) for arm, each in pairs)

    def _warm_up(self, step: ExperimentStep) -> bool:
        """Warm up with a short run before the first run of a variant, and after each load."""
        task = (self.loads, step.arms)
        if task not in self._warm:
            self._warm.add(task)
            step = replace(step, round=WARM_UP)
            self._tell(step)
            self._warm_ups += self._runs(step)
        return not self.stop.asked

    def _runs(self, step: ExperimentStep) -> tuple[RunResult, ...]:
        return self._run_batch(step) if step.together else (self._run(step.arm, step.round),)

    def _run(self, number: int, at: int) -> RunResult:
        arm = self._plan.arms[number]
        before = None
        if arm.before is not None:
            before = self._measure(number, WARM_UP, arm.before)
            if before.finish.failure is not None:
                return replace(before, round=at)
        request = arm.ask(RunContext(at, self.model, before))
        return self._measure(number, at, request if at != WARM_UP else _shortened(request))

    def _run_batch(self, step: ExperimentStep) -> tuple[RunResult, ...]:
        """Run variants as one batch. It isn't recorded, since their single runs are."""
        context = RunContext(step.round, self.model)
        requests = [self._plan.arms[arm].ask(context) for arm in step.together]
        if step.round == WARM_UP:
            requests = list(map(_shortened, requests))
        flag = RunFlag(self.stop)
        collectors = [RunCollector(request, self.model, flag) for request in requests]
        finishes = self.generate_together(requests, [each.take for each in collectors], flag)
        runs = zip(step.together, collectors, finishes, strict=True)
        return tuple(each.result(arm, step.round, finish) for arm, each, finish in runs)

    def _measure(self, number: int, at: int, request: Request) -> RunResult:
        keep, tell = (self._keep, self._tell) if at != WARM_UP else (None, None)
        if keep is not None:
            keep.ready(request, self.model)
        begun = others_s()
        flag = RunFlag(self.stop)
        sink = keep(request, self.model, flag.made_at) if keep is not None else None
        collector = RunCollector(request, self.model, flag, sink, tell)
        finish = self.generate(request, collector.take, flag)
        ended = others_s()
        result = collector.result(number, at, finish)
        if begun is None or ended is None or server_model(str(self.model.folder)) is not None:
            return result
        return replace(result, others=ended - begun)


def _shortened(request: Request) -> Request:
    limit = request.limits.max_tokens
    return limited(request, WARM_UP_TOKENS if limit == ENDLESS else min(WARM_UP_TOKENS, limit))
