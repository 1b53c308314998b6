"""Runs and outcomes as lists of times would have them, and engines that answer at once."""

from collections.abc import Callable, Sequence
from pathlib import Path

from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.meter.meter import Meter
from app.engine.protocol import StopFlag
from app.engine.types import (
    Capabilities,
    DraftStats,
    Finish,
    KVShape,
    Limits,
    LoadRequest,
    Memory,
    Model,
    Reason,
    Request,
    Sampling,
    Times,
    Token,
)
from app.experiments.questions import find_experiment
from app.experiments.requests import chat
from app.experiments.run import Note, RecorderFactory, run_experiment
from app.experiments.types import Axis, BaseConfig, Experiment, ExperimentOutcome, Plan, RunResult, Variant

QUICK = EchoOptions(tokens_per_second=0, prefill_per_second=0, load_seconds=0)
REQUEST = Request(chat("Tell me."), Sampling(temperature=0), Limits(32))
MODEL = Model(
    name="paper",
    folder=Path("/models/paper"),
    architecture="llama",
    parameters=1,
    weights=1_000,
    context=2_048,
    vocabulary=2_048,
    eos=((2, "<|end|>"),),
    can=Capabilities(draft=True, form=True),
    kv=KVShape(64, 4, (32,)),
)


def experiment_named(name: str) -> Experiment:
    found = find_experiment(name)
    assert found is not None
    return found


def basis(
    model: Model = MODEL, request: Request = REQUEST, repeats: int = 3, axes: tuple[Axis, ...] = ()
) -> BaseConfig:
    return BaseConfig(request, model, repeats, axes=axes)


def even(count: int, speed: float, first: float = 0.5) -> list[float]:
    """Arrivals at one speed, from the first one on."""
    return [first + index / speed for index in range(count)]


def result(
    arm: int,
    at: int,
    arrivals: Sequence[float],
    request: Request = REQUEST,
    ids: Sequence[int] = (),
    texts: Sequence[str] = (),
    from_draft: Sequence[bool] = (),
    reason: Reason = Reason.LENGTH,
    kv: int = 0,
    peak: int = 0,
    drafted: DraftStats | None = None,
    stop_text: str = "",
    stop_at: int | None = None,
) -> RunResult:
    """A run whose tokens came at these times, counted from Send."""
    count = len(arrivals)
    tokens = tuple(
        Token(
            index,
            ids[index] if ids else 10 + index,
            texts[index] if texts else f" w{index}",
            (),
            arrivals[index],
            bool(from_draft) and from_draft[index],
        )
        for index in range(count)
    )
    finish = Finish(
        reason,
        tokens=count,
        times=Times(0.0, 0.1, 0.4, arrivals[0], arrivals[-1], ended=arrivals[-1]),
        new=7,
        drafted=drafted,
        stop_text=stop_text,
        stop_at=stop_at,
    )
    meter = Meter(0.0, count, None)
    for token in tokens:
        meter.fold(token)
    meter.finish(finish)
    memory = Memory(0, 0, peak, 0, 0, kv)
    text = "".join(token.text for token in tokens)
    summary = meter.summary()
    return RunResult(arm, at, request, MODEL, None, tokens, text, "", finish, summary, memory)


def outcome(arms: Sequence[str], results: Sequence[RunResult], name: str = "paper") -> ExperimentOutcome:
    plan = Plan(name, "Title", "Question?", tuple(Variant(each, REQUEST) for each in arms), repeats=3)
    return ExperimentOutcome(plan, MODEL, tuple(results))


def at_speeds(arms: Sequence[str], speeds: Sequence[Sequence[float]], count: int = 40) -> ExperimentOutcome:
    """Each variant has a run at each of its speeds."""
    results = [
        result(arm, at, even(count, speed)) for arm, row in enumerate(speeds) for at, speed in enumerate(row, start=1)
    ]
    return outcome(arms, results)


def opened(engine: EchoEngine) -> Model:
    model = engine.load(LoadRequest("echo"), lambda event: None, StopFlag())
    assert isinstance(model, Model)
    return model


def carried_out(
    experiment: Experiment,
    knobs: EchoOptions = QUICK,
    request: Request = REQUEST,
    tell: Callable[[Note], None] = lambda note: None,
    keep: RecorderFactory | None = None,
    stop: StopFlag | None = None,
    other: str = "other",
) -> ExperimentOutcome:
    """An experiment on the scripted engine."""
    engine = EchoEngine(knobs)
    model = opened(engine)
    given = BaseConfig(
        request, model, 2, draft="a-draft" if knobs.draft_every else "", other=other, axes=experiment.axes
    )
    plan = experiment.plan(given)
    assert isinstance(plan, Plan), plan
    return run_experiment(engine, plan, model, stop or StopFlag(), tell, keep)
