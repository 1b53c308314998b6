"""What each experiment says, from lists: gains, losses, and what is no difference."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.engine.types import Drafted, DraftModel, Failure, Reason
from app.experiments.questions import cache, draft, length, models, quantised, reuse, sampling, stops, sweep, template
from app.experiments.types import Arm, Experiment, Outcome
from app.experiments.wording import UNMEASURED
from tests.experiments.making import MODEL, REQUEST, at_speeds, even, outcome, result

STEADY = (100.0, 101.0, 99.0)
SCATTERED = (100.0, 99.5, 101.8)
FASTER = (130.0, 131.0, 129.0)
SLOWER = (80.0, 81.0, 79.0)


def said(experiment: Experiment, made: Outcome) -> str:
    return experiment.conclude(made).sentence


@pytest.mark.parametrize(
    "experiment",
    [
        module.EXPERIMENT
        for module in (cache, draft, length, models, quantised, reuse, sampling, stops, sweep, template)
    ],
)
def test_without_runs_nothing_is_said(experiment: Experiment) -> None:
    assert said(experiment, outcome(["a", "b", "c"], [])) == UNMEASURED


def test_cache_gain() -> None:
    made = at_speeds(["bare loop", "with the cache"], [(10, 10.1, 9.9), (116, 115, 117)], count=140)
    assert said(cache.EXPERIMENT, made) == (
        "The cache made this 11.6 times as fast at token 100, and 11.6 times as fast at token 140; "
        "the tokens are the same."
    )


def test_cache_on_a_short_run_from_one_run_each() -> None:
    made = at_speeds(["bare loop", "with the cache"], [(10,), (20,)])
    assert said(cache.EXPERIMENT, made) == (
        "The cache made this 2.00 times as fast at token 40, in too few runs to tell it from noise; "
        "the tokens are the same."
    )


def test_cache_that_makes_a_difference_only_later() -> None:
    turn = [index / 100 for index in range(1, 121)]
    kept = [turn + [1.2 + index * (0.005 + at / 1e5) for index in range(1, 81)] for at in (1, 2, 3)]
    runs = [result(0, at, even(200, speed)) for at, speed in enumerate(STEADY, 1)]
    runs += [result(1, at, arrivals) for at, arrivals in enumerate(kept, 1)]
    broken = replace(result(1, 4, [0.1]).finish, failure=Failure("No memory.", "Close something."))
    runs.append(replace(result(1, 4, [0.1]), finish=broken))
    assert said(cache.EXPERIMENT, outcome(["bare loop", "with the cache"], runs)) == (
        "The cache made this 1.99 times as fast at token 200, and no difference in speed beyond noise (0.99–1.01) "
        "at token 100; the tokens are the same."
    )


def test_cache_without_a_difference_and_with_other_tokens() -> None:
    runs = [result(0, at, even(40, speed)) for at, speed in enumerate(STEADY, 1)]
    other = [*range(10, 30), *range(100, 120)]
    runs += [result(1, at, even(40, speed), ids=other) for at, speed in enumerate(SCATTERED, 1)]
    assert said(cache.EXPERIMENT, outcome(["bare loop", "with the cache"], runs)) == (
        "No difference in speed beyond noise (0.99–1.03) at token 40; the text differs from token 21 on."
    )


@pytest.mark.parametrize(
    ("long", "words"),
    [
        (SLOWER, "60 tokens ran 20 % slower than 20"),
        (FASTER, "60 tokens ran 30 % faster than 20"),
        (SCATTERED, "No difference in speed beyond noise (0.99–1.03) between 20 tokens and 60"),
    ],
)
def test_length(long: tuple[float, ...], words: str) -> None:
    runs = [result(0, at, even(20, speed)) for at, speed in enumerate(STEADY, 1)]
    runs += [result(1, at, even(60, speed)) for at, speed in enumerate(long, 1)]
    assert said(length.EXPERIMENT, outcome(["20 tokens", "60 tokens"], runs)).startswith(words)


def test_length_tells_a_slope_only_where_the_runs_agree_on_one() -> None:
    slowing = [0.0]
    for index in range(1, 400):
        slowing.append(slowing[-1] + 1 / (100 - index / 10))
    short = [result(0, at, even(20, speed)) for at, speed in enumerate(STEADY, 1)]
    falling = [result(1, at, [each + at / 10 for each in slowing]) for at in range(1, 6)]
    loss = "every 100 tokens it loses 10.0 tok/s"
    assert said(length.EXPERIMENT, outcome(["short", "long"], [*short, *falling])).endswith(f"{loss}.")
    few = said(length.EXPERIMENT, outcome(["short", "long"], [*short, *falling[:3]]))
    assert few.endswith(f"{loss}, in too few runs to tell it from noise."), "three agree by accident one time in four"
    level = [result(1, at, even(400, speed)) for at, speed in enumerate(STEADY, 1)]
    assert "no trend: its speed falls in some runs and rises in others" in said(
        length.EXPERIMENT, outcome(["short", "long"], [*short, *level])
    )


def test_template() -> None:
    ended = result(0, 1, even(14, 10), reason=Reason.STOP)
    ran_on = result(1, 1, even(60, 10))
    assert said(template.EXPERIMENT, outcome(["with", "without"], [ended, ran_on])) == (
        "With the template it ended by itself after 14 tokens, without it ran to the limit of 60 tokens."
    )


def drafted_outcome(on: tuple[float, ...], draft_kv: int = 300) -> Outcome:
    counts = Drafted(proposed=40, accepted=30, steps=10)
    off = tuple(100.0 + index / 10 for index in range(len(on)))
    runs = [result(0, at, even(40, speed, 1 / speed), kv=100) for at, speed in enumerate(off, 1)]
    runs += [result(1, at, even(40, speed, 1 / speed), drafted=counts, kv=draft_kv) for at, speed in enumerate(on, 1)]
    made = outcome(["off", "1 a step"], runs)
    beside = DraftModel("small", MODEL.folder, 1, 1_000)
    return replace(made, model=replace(MODEL, draft=beside))


@pytest.mark.parametrize(
    ("on", "words"),
    [
        (SLOWER, "The draft model costs 20 % here: turn it off; "),
        (FASTER, "With 1 draft token a step this is 30 % faster; "),
        (
            SCATTERED,
            "No difference in speed beyond noise (0.99–1.02) with 1 draft token a step, the best number here; ",
        ),
        (SLOWER[:1], "The draft model costs 20 % here, in too few runs to tell it from noise: turn it off; "),
    ],
)
def test_draft(on: tuple[float, ...], words: str) -> None:
    accepted = "75 % of the proposals were accepted, 4.00 tokens a step; it takes 1.20 kB of memory."
    assert said(draft.EXPERIMENT, drafted_outcome(on)) == words + accepted


def test_draft_tells_acceptance_by_place() -> None:
    flags = [True, True, False, True, False, False]
    run = result(2, 1, even(6, 10), from_draft=flags, drafted=Drafted(6, 3, 3))
    made = outcome(["off", "1 a step", "2 a step"], [result(0, 1, even(6, 10)), run])
    places = draft.EXPERIMENT.conclude(made).details[0]
    assert places.head[:3] == ("Arm", "place 1", "place 2")
    ((arm, *shares),) = places.rows
    assert (arm, shares) == ("2 a step", [pytest.approx(2 / 3), pytest.approx(1 / 3), *(None,) * 6])


def reuse_outcome(waits: tuple[float, ...]) -> Outcome:
    runs = [result(0, at, [wait, wait + 1]) for at, wait in enumerate((0.9, 1.0, 1.1), 1)]
    kept = [result(1, at, [wait, wait + 1]) for at, wait in enumerate(waits, 1)]
    runs += [replace(run, finish=replace(run.finish, reused=83, new=16)) for run in kept]
    return outcome(["reuse off", "reuse on"], runs)


@pytest.mark.parametrize(
    ("waits", "words"),
    [
        ((0.2, 0.25, 0.3), "With reuse the first token came in 25 % of the time"),
        ((1.4, 1.5, 1.6), "With reuse the first token took 50 % longer to come"),
        ((0.95, 1.0, 1.15), "No difference in the time to the first token beyond noise (0.86–1.28)"),
    ],
)
def test_reuse(waits: tuple[float, ...], words: str) -> None:
    rest = "; 83 of 99 prompt tokens were in the cache; the tokens are the same."
    assert said(reuse.EXPERIMENT, reuse_outcome(waits)) == words + rest


def test_fewer_bits() -> None:
    whole = [result(0, at, even(40, speed), kv=1_000) for at, speed in enumerate(STEADY, 1)]
    eight = [result(1, at, even(40, speed), kv=500) for at, speed in enumerate(SCATTERED, 1)]
    other = [*range(10, 29), *range(100, 121)]
    four = [result(2, at, even(40, speed), ids=other, kv=250) for at, speed in enumerate(SLOWER, 1)]
    made = outcome(["not quantised", "8 bits", "4 bits"], [*whole, *eight, *four])
    assert said(quantised.EXPERIMENT, made) == (
        "8 bits take 50 % of the KV cache's memory, no difference in speed beyond noise (0.99–1.03), "
        "the tokens are the same; 4 bits take 25 % of the KV cache's memory, run 20 % slower, "
        "the text differs from token 20 on."
    )


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ((230.0, 231.0, 229.0), "Beside large, small is 2.30 times as fast"),
        (SLOWER, "Beside large, small is 20 % slower"),
        (SCATTERED, "No difference in speed beyond noise (0.99–1.03) between large and small"),
    ],
)
def test_models(second: tuple[float, ...], words: str) -> None:
    runs = [result(0, at, even(40, speed), peak=5_000) for at, speed in enumerate(STEADY, 1)]
    runs += [result(1, at, even(40, speed), peak=2_000) for at, speed in enumerate(second, 1)]
    memory = "; at its peak small took 2.00 kB of memory, large 5.00 kB."
    assert said(models.EXPERIMENT, outcome(["large", "small"], runs)) == words + memory


def test_one_run_of_fewer_bits_is_too_few() -> None:
    runs = [result(arm, 1, even(40, speed), kv=100) for arm, speed in enumerate((100.0, 80.0, 100.1))]
    assert said(quantised.EXPERIMENT, outcome(["not quantised", "8 bits", "4 bits"], runs)) == (
        "8 bits take 100 % of the KV cache's memory, run 20 % slower, in too few runs to tell it from noise, "
        "the tokens are the same; 4 bits take 100 % of the KV cache's memory, run just as fast, in too few runs "
        "to tell it from noise, the tokens are the same."
    )


def test_sampling_tells_what_is_no_difference_in_variety() -> None:
    dull, middling, lively = (7, 7, 7, 7, 7, 7), (1, 2, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6)
    cells = (dull, middling, lively), (dull, lively, lively)
    runs = [result(arm, at, even(6, 10), ids=ids) for arm in (0, 1) for at, ids in enumerate(cells[arm], 1)]
    assert said(sampling.EXPERIMENT, outcome(["cold", "hot"], runs)) == (
        "No difference in variety beyond noise (distinct-2 0.80–1.00)."
    )


def test_sampling_tells_the_most_and_the_least_varied_cell() -> None:
    dull = [result(0, at, even(6, 10), ids=(7,) * 6) for at in (1, 2)]
    lively = [result(1, at, even(6, 10), ids=range(at, at + 6)) for at in (1, 2)]
    assert said(sampling.EXPERIMENT, outcome(["cold", "hot"], [*dull, *lively])) == (
        "The most varied text came with hot (distinct-2 1.00), the least with cold (0.20), "
        "in too few runs to tell it from noise; "
        "every seed gave the same text with 1 of 2 settings."
    )


@pytest.mark.parametrize(
    ("speeds", "words"),
    [
        ((STEADY, FASTER), "B is 30 % faster than a."),
        (
            (STEADY, SCATTERED),
            "No difference in speed beyond noise (0.99–1.03) between the slowest, a, and the fastest, b.",
        ),
    ],
)
def test_sweep(speeds: tuple[tuple[float, ...], ...], words: str) -> None:
    assert said(sweep.EXPERIMENT, at_speeds(["a", "b"], speeds)) == words


def test_a_sweep_with_drafts_does_not_count_the_first_burst_as_speed() -> None:
    whole = [result(0, at, even(40, speed, 0.1)) for at, speed in enumerate(STEADY, 1)]
    bursts = [result(1, at, even(40, speed * 1.2, 0.167)) for at, speed in enumerate(STEADY, 1)]
    made = outcome(["draft tokens 0", "draft tokens 8"], [*whole, *bursts])
    assert said(sweep.EXPERIMENT, made).startswith("Draft tokens 8 is 20 % faster")
    drafting = Arm("draft tokens 8", replace(REQUEST, draft_tokens=8))
    made = replace(made, plan=replace(made.plan, arms=(made.plan.arms[0], drafting)))
    assert said(sweep.EXPERIMENT, made).startswith("No difference in speed beyond noise")


def test_a_sentence_counts_only_what_is_there() -> None:
    request = replace(REQUEST, limits=replace(REQUEST.limits, stop_strings=("! x",)))
    texts = ["", "", "안", "!", " ", "x"]
    run = result(0, 1, even(6, 10), request, texts=texts, reason=Reason.STOP_STRING, stop_text="! x", stop_at=1)
    assert said(stops.EXPERIMENT, outcome(["with them"], [run])) == (
        "2 of 6 tokens waited for the rest of their character; after 2 tokens text was held back, "
        "since a stop string might have begun; the stop string “! x” was complete at token 6 and never shown."
    )
