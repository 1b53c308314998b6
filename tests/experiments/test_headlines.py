"""No headline contradicts its table: in the direction of a difference, in the order of variants, or in its strength."""

import re
from collections.abc import Callable
from dataclasses import replace
from statistics import median

import numpy as np
import pytest

from app.experiments.metrics import usual, values
from app.experiments.pace import AT_END, at, speed_of_last
from app.experiments.significance import least_rounds
from app.experiments.texts import VARIETY
from app.experiments.types import Conclusion, Experiment, ExperimentOutcome, MetricColumn, Plan, RunResult, Variant
from tests.experiments.builders import MODEL, REQUEST, experiment_named
from tests.experiments.studies import run_at

TWO = dict.fromkeys(("cache", "length", "form", "reuse", "models"), 2)
ARMS = TWO | {"draft": 9, "kv-bits": 3, "sampling": 4, "sweep": 4}
SPEED = re.compile(r"[\d.,]+(?:×| %) (faster|slower)")
EFFECTS, NOISES = (0.0, 0.02, 0.3, 1.5), (0.005, 0.05, 0.3, 1.0)


def simulated(chance: np.random.Generator) -> tuple[Experiment, ExperimentOutcome]:
    """Any experiment, effect and noise; some runs are missing, and some variants end sooner than others."""
    name = str(chance.choice(list(ARMS)))
    experiment = experiment_named(name)
    rounds = int(chance.integers(1, 12))
    effects = chance.normal(0, chance.choice(EFFECTS), ARMS[name])
    sizes = chance.integers(22, 36, ARMS[name]) if chance.random() < 0.5 else np.full(ARMS[name], 28)
    noise, is_lacking = chance.choice(NOISES), chance.random() < 0.3
    runs: list[RunResult] = []
    for number in range(1, rounds + 1):
        slowness = chance.normal(0, noise)
        for arm in range(ARMS[name]):
            if is_lacking and chance.random() < 0.2:
                continue
            gap = 0.01 * np.exp(slowness - effects[arm] + chance.normal(0, noise))
            arrivals = np.cumsum(gap * np.exp(chance.normal(0, noise, int(sizes[arm]))))
            ids = chance.integers(0, 5 + 20 * arm, len(arrivals)).tolist()
            runs.append(run_at(arm, number, REQUEST, arrivals.tolist(), ids, kv=int(chance.integers(1, 1000))))
    arms = tuple(Variant(f"v{arm}", REQUEST) for arm in range(ARMS[name]))
    plan = Plan(name, "", "", arms, rounds, lead=VARIETY if name == "sweep" and chance.random() < 0.3 else "")
    return experiment, ExperimentOutcome(plan, MODEL, tuple(runs))


def number_in(pattern: str, headline: str) -> int:
    found = re.search(pattern, headline)
    assert found is not None, headline
    return int(found[1])


def compared(outcome: ExperimentOutcome, headline: str) -> tuple[int, int, MetricColumn]:
    """Return the variants and the column that the headline compares: the second with the first."""
    match outcome.plan.name:
        case "cache":
            return 0, 1, AT_END if "over the last" in headline else at(number_in(r"token (\d+)", headline))
        case "length":
            return 0, 1, speed_of_last(number_in(r"last (\d+) of", headline))
        case "draft":
            return 0, number_in(r"with v(\d)", headline), usual("end_to_end")
        case "kv-bits":
            return 0, number_in(r"^V(\d)", headline), usual("speed_mean")
        case "models":
            return number_in(r"than v(\d)", headline), number_in(r"is v(\d)", headline), usual("speed_mean")
        case "sweep":
            return number_in(r"than v(\d)", headline), number_in(r"^V(\d)", headline), usual("speed_mean")
        case "reuse":
            return 0, 1, usual("first_token")
    return 0, 1, usual("speed_mean")


def middles(outcome: ExperimentOutcome, column: MetricColumn, *arms: int) -> list[float]:
    return [median(values(outcome.of(arm), column)) for arm in arms]


def contradictions(experiment: Experiment, outcome: ExperimentOutcome) -> list[str]:
    """Return what of the headline the table denies."""
    conclusion = experiment.conclude(outcome)
    headline = conclusion.headline
    speed = SPEED.search(headline)
    saves, longer = "saves" in headline, "% longer" in headline
    found = []
    if speed or saves or longer:
        first, second, column = compared(outcome, headline)
        before, after = middles(outcome, column, first, second)
        rises = speed[1] == "faster" if speed else longer
        found += [] if (after > before) is rises and after != before else [f"{before} to {after}"]
        if outcome.plan.name == "draft":
            drafted = [arm for arm in outcome.measured() if arm]
            found += [] if after == max(middles(outcome, column, *drafted)) else ["not the fastest variant"]
            found += [] if headline.startswith("Yes" if rises else "No") else ["yes and no"]
    if "most varied" in headline:
        shares = {row[0]: row[3] for row in conclusion.details[0].rows}
        most, least = (f"v{number_in(pattern, headline)}" for pattern in (r"^V(\d)", r"v(\d) the least"))
        ends = (shares[most], shares[least])
        found += [] if ends == (max(shares.values()), min(shares.values())) else [f"{shares}"]  # type: ignore[type-var]
    if (speed or saves or longer or "most varied" in headline) and "provisional" not in headline:
        needed = least_rounds(experiment.claims(len(outcome.plan.arms)))
        found += [] if outcome.plan.repeats >= needed else ["too few rounds"]
    if outcome.plan.name == "kv-bits" and "KV cache" in headline:
        whole, fewer = middles(outcome, usual("memory_kv"), 0, number_in(r"^V(\d)", headline))
        found += [] if (fewer <= whole) is ("save" in headline) else ["more memory"]
    return [f"{headline} {each}" for each in found]


@pytest.mark.parametrize("times", [60, pytest.param(10_000, marks=pytest.mark.slow)])
def test_headline_of_simulated_runs_never_contradicts_the_table(times: int) -> None:
    chance = np.random.default_rng(53)
    assert [each for _ in range(times) for each in contradictions(*simulated(chance))] == []


def always(conclusion: Conclusion) -> Callable[[ExperimentOutcome], Conclusion]:
    return lambda outcome: conclusion


def test_contradictions_of_a_reversed_headline_are_found() -> None:
    """So that the test above can fail."""
    chance = np.random.default_rng(53)
    found = 0
    for _ in range(40):
        experiment, outcome = simulated(chance)
        conclusion = experiment.conclude(outcome)
        words = conclusion.headline.replace("faster", "#").replace("slower", "faster")
        turned = replace(conclusion, headline=words.replace("#", "slower"))
        found += bool(contradictions(replace(experiment, conclude=always(turned)), outcome))
    assert found > 4
