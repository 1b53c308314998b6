"""Studies of what experiments conclude: whole experiments on a machine that is made up, and that is not steady.

Arms, order and sentences are the program's own; only how long each token takes is invented. With `gain` 1 no arm
differs from another, and every sentence that tells a difference is a false alarm.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path

import numpy as np

from app.engine.meter.speeds import end_to_end_speed, mean_speed
from app.engine.types import Capabilities, DraftModel, DraftStats, Finish, Limits, Memory, Reason, Request, Times, Token
from app.experiments.export import report
from app.experiments.requests import chat
from app.experiments.run import steps
from app.experiments.types import (
    Axis,
    BaseConfig,
    Batch,
    Experiment,
    ExperimentOutcome,
    ExperimentStep,
    Plan,
    RunContext,
    RunResult,
)
from tests.experiments.builders import MODEL, REQUEST, result

ABLE = replace(
    MODEL,
    can=Capabilities(draft=True, batch=True, form=True),
    draft=DraftModel("small", Path("/models/small"), 1, 1_000),
)
AXES = {"sweep": (Axis("kv.group_size", (32, 64, 128)), Axis("kv.quantized_start", (0, 40)))}
CLAIM = re.compile(
    r"faster|slower|saves (about )?\d|% longer|speed (rises|falls) by|gives the most varied"
    r"|of less than 3 %|Turn it off|differs from token"
)
"""What only a sentence has that tells a difference."""
KINDS = ("steady", "busy", "hiccups", "throttling", "switching", "ticking")
GAINS = {
    "cache": 1.3,
    "length": 1.5,
    "draft": 1.3,
    "reuse": 1.3,
    "kv-bits": 1.3,
    "models": 1.3,
    "sweep": 1.3,
    "sampling": 3.0,
}
"""What is found in as few rounds as are run where nobody says, on a machine that does nothing else."""
GAP_S, WAIT_S = 0.01, 0.2
TICK_S = 0.004
BAR, ERRORS = 0.05, 2.5
"""One in twenty is the promise; a count of them scatters by so many of its own standard errors, hardly ever more."""
SOME_RUN = result(0, 1, (0.1, 0.2))


@dataclass(slots=True)
class Machine:
    """How slow it is at each moment, by kind: what lasts from run to run, what comes and goes, how its clock counts."""

    kind: str
    chance: np.random.Generator
    runs: int
    gone: int = 0
    load: float = 0.0
    regime: float = 0.0

    def arrivals(self, gaps: np.ndarray) -> list[float]:
        """When tokens come that would take so long each where nothing disturbs them; the first waits for the prompt."""
        before, count = self.load, len(gaps)
        self._go_on()
        slow = np.exp(np.linspace(before, self.load, count) + self.regime + self._drift())
        slow *= np.exp(self.chance.normal(0, 0.05, count))
        took = gaps * slow
        if self.kind == "hiccups":
            struck = self.chance.random(count) < 0.02
            took = took + struck * GAP_S * 5 * (1 + self.chance.pareto(1.2, count))
        times = np.cumsum(took)
        if self.kind == "ticking":
            times = np.maximum.accumulate(np.round(times / TICK_S) * TICK_S) + TICK_S
        told: list[float] = times.tolist()
        return told

    def _go_on(self) -> None:
        self.gone += 1
        spread = {"busy": 0.3, "hiccups": 0.05, "switching": 0.05}.get(self.kind, 0.02)
        self.load = 0.6 * self.load + 0.8 * float(self.chance.normal(0, spread))
        if self.kind == "switching" and self.chance.random() < 0.1:
            self.regime = 0.0 if self.regime else float(self.chance.uniform(0.4, 1.2))

    def _drift(self) -> float:
        return 0.25 * self.gone / self.runs if self.kind == "throttling" else 0.0


def plan_of(experiment: Experiment, repeats: int = 0) -> Plan:
    axes = AXES.get(experiment.name, experiment.axes)
    request = replace(REQUEST, prompt=chat(experiment.prompt), limits=Limits(experiment.max_tokens))
    plan = experiment.plan(BaseConfig(request, ABLE, repeats, other="other", axes=axes))
    assert isinstance(plan, Plan), plan
    return plan


def study(experiment: Experiment, kind: str, seed: int, gain: float = 1.0, repeats: int = 0) -> str:
    """Return the conclusion of an experiment; with `gain`, one variant is that many times as fast."""
    chance = np.random.default_rng((seed, KINDS.index(kind), len(experiment.name)))
    plan = plan_of(experiment, repeats)
    order = steps(plan)
    machine = Machine(kind, chance, len(order))
    writer = Writer(experiment.name, gain, chance)
    results, batches = list[RunResult](), list[Batch]()
    for step in order:
        if step.together:
            batches.append(_batch(plan, step, machine, writer))
        else:
            results.append(_run(plan, step, machine, writer))
    outcome = ExperimentOutcome(plan, ABLE, tuple(results), batches=tuple(batches))
    return report(experiment, outcome).conclusion.sentence


@dataclass(slots=True)
class Writer:
    """What the variants would write, and how fast on a machine at rest."""

    name: str
    gain: float
    chance: np.random.Generator

    def gaps(self, arm: int, count: int) -> np.ndarray:
        gaps = np.full(count, GAP_S)
        gaps[0] = WAIT_S
        if self.gain == 1:
            return gaps
        if self.name == "length":
            gaps *= 1 + (self.gain - 1) * np.arange(count) / 600
        elif self.name == "reuse":
            gaps[0] /= self.gain if arm == 1 else 1
        elif (arm == 3 if self.name in ("draft", "sweep") else arm == 1) and self.name != "sampling":
            gaps /= self.gain
        return gaps

    def count(self, arm: int, request: Request) -> int:
        """Of models that end by themselves, each time somewhere else; and of cells that end sooner than others."""
        most = request.limits.max_tokens
        if self.name == "sampling":
            return most // (1 + arm % 3) if self.gain == 1 else most
        return int(self.chance.integers(most // 4, most + 1)) if self.name in ("models", "sweep") else most

    def ids(self, arm: int, count: int) -> list[int]:
        """Where the engine is not the same each time, of any variant; in the grid each seed has its own."""
        if self.name == "sampling":
            rich = 6 if self.gain == 1 or arm != 4 else 6 * self.gain
            return [int(each) for each in self.chance.geometric(1 / rich, count)]
        ids = list(range(10, 10 + count))
        if self.chance.random() < 0.3:
            position = int(self.chance.integers(count))
            ids[position:] = [each + 1000 for each in ids[position:]]
        return ids

    def reason(self) -> Reason:
        return Reason.STOP if self.chance.random() < 0.5 else Reason.LENGTH


def _run(plan: Plan, step: ExperimentStep, machine: Machine, writer: Writer) -> RunResult:
    request = plan.arms[step.arm].ask(RunContext(step.round, ABLE))
    count = writer.count(step.arm, request)
    arrivals = machine.arrivals(writer.gaps(step.arm, count))
    return run_at(step.arm, step.round, request, arrivals, writer.ids(step.arm, count), writer.reason())


def _batch(plan: Plan, step: ExperimentStep, machine: Machine, writer: Writer) -> Batch:
    """Together they take as long as one after the other."""
    runs = []
    requests = [plan.arms[arm].ask(RunContext(step.round, ABLE)) for arm in step.together]
    counts = [writer.count(arm, request) for arm, request in zip(step.together, requests, strict=True)]
    gaps = np.full(sum(counts), GAP_S)
    gaps[0] += (WAIT_S - GAP_S) * len(requests)
    every = machine.arrivals(gaps)
    for arm, request, count in zip(step.together, requests, counts, strict=True):
        runs.append(run_at(arm, step.round, request, every[:count], writer.ids(arm, count), writer.reason()))
        every = every[count:]
    return Batch(step.together, step.round, tuple(runs))


def run_at(
    arm: int,
    at: int,
    request: Request,
    arrivals: Sequence[float],
    ids: Sequence[int],
    reason: Reason = Reason.LENGTH,
    kv: int = 500,
) -> RunResult:
    """Like `result`, and twenty times as fast."""
    count, last = len(arrivals), arrivals[-1]
    tokens = tuple(Token(index, ids[index], " w", (), when) for index, when in enumerate(arrivals))
    drafted = DraftStats(count, count // 2, count // 2) if request.draft_tokens else None
    times = Times(0.0, 0.0, 0.0, arrivals[0], last, ended=last)
    metrics = replace(
        SOME_RUN.summary.figures,
        first_token=arrivals[0],
        speed_mean=mean_speed(count, arrivals[0], last),
        end_to_end=end_to_end_speed(count, 0.0, last),
        tokens=count,
    )
    return replace(
        SOME_RUN,
        arm=arm,
        round=at,
        request=request,
        tokens=tokens,
        finish=Finish(reason, tokens=count, times=times, new=7, drafted=drafted),
        summary=replace(SOME_RUN.summary, figures=metrics),
        memory=Memory(0, 0, 1_000, 0, 0, kv),
    )


def told_apart(experiment: Experiment, kind: str, times: int, gain: float = 1.0, repeats: int = 0) -> int:
    """How many of so many studies end in a sentence that tells a difference."""
    return sum(bool(CLAIM.search(study(experiment, kind, seed, gain, repeats))) for seed in range(times))


def too_many(alarms: int, times: int) -> bool:
    """More than one in twenty, by more than such a count itself scatters."""
    return alarms > BAR * times + ERRORS * sqrt(BAR * (1 - BAR) * times)
