"""The conclusion of each experiment, from lists: gains, losses, no difference, and its cautions."""

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.types import (
    KV,
    Alternative,
    ChatPrompt,
    Conditions,
    DraftModel,
    DraftStats,
    Failure,
    FormatKind,
    LoadRequest,
    Message,
    OutputFormat,
    RawPrompt,
    Reason,
    Request,
    Role,
    Sampling,
    TokenLogprobs,
    TokenPrompt,
    TopTokens,
    WeightFormat,
)
from app.experiments.conclusion_text import STOPPED, UNMEASURED, cautions, why_nothing
from app.experiments.export import as_markdown, report
from app.experiments.questions import (
    EXPERIMENTS,
    cache,
    draft,
    length,
    models,
    output_format,
    quantized,
    reuse,
    sampling,
    stops,
    sweep,
    template,
)
from app.experiments.questions.determinism import (
    BATCHES,
    EXPERIMENT,
    NOT_RECORDED,
    OBSERVED,
    SwitchComparison,
    _half,
    plan,
    smallest_set,
)
from app.experiments.significance import least_rounds
from app.experiments.types import Batch, Experiment, ExperimentOutcome, Plan, RunResult, Variant
from tests.examples import at_most
from tests.experiments.builders import MODEL, REQUEST, at_speeds, basis, even, outcome, result
from tests.experiments.studies import CLAIM

STEADY = (100.0, 101.0, 99.0) * 3
SCATTERED = (100.0, 99.5, 101.8) * 3
FASTER = (130.0, 131.0, 129.0) * 3
SLOWER = (80.0, 81.0, 79.0) * 3


def said(experiment: Experiment, made: ExperimentOutcome) -> str:
    return experiment.conclude(made).sentence


@pytest.mark.parametrize(
    "experiment",
    [
        module.EXPERIMENT
        for module in (cache, draft, output_format, length, models, quantized, reuse, sampling, stops, sweep, template)
    ],
)
def test_conclusion_without_runs_says_that_nothing_was_measured(experiment: Experiment) -> None:
    assert said(experiment, outcome(["a", "b", "c"], [])) == UNMEASURED


def test_cache_conclusion_of_a_gain_has_the_speedup_at_two_tokens() -> None:
    made = at_speeds(["without the cache", "with the cache"], [STEADY, [11 * speed for speed in SCATTERED]], count=160)
    assert said(cache.EXPERIMENT, made) == (
        "With the cache the model is 11× faster (11×, 9 rounds) over the last 41 tokens. "
        "With the cache the model is 11× faster (11×, 9 rounds) at token 100; the tokens are the same in 9 rounds."
    )


def test_cache_conclusion_of_a_late_gain_has_no_difference_at_the_first_token() -> None:
    turn = [index / 100 for index in range(1, 151)]
    kept = [turn + [1.5 + index * (0.005 + at / 1e5) for index in range(1, 71)] for at in range(1, 10)]
    runs = [result(0, at, even(220, speed)) for at, speed in enumerate(STEADY, 1)]
    runs += [result(1, at, arrivals) for at, arrivals in enumerate(kept, 1)]
    broken = replace(result(1, 10, [0.1]).finish, failure=Failure("No memory.", "Close something."))
    runs.append(replace(result(1, 10, [0.1]), finish=broken))
    assert said(cache.EXPERIMENT, outcome(["without the cache", "with the cache"], runs)) == (
        "With the cache the model is 2.0× faster (2.0×, 9 rounds) over the last 41 tokens. "
        "No significant difference in speed (−1.0 to +1.0 %, 9 rounds) at token 100; "
        "the tokens are the same in 9 rounds."
    )


def test_cache_conclusion_of_different_texts_has_the_first_different_token() -> None:
    runs = [result(0, at, even(40, speed)) for at, speed in enumerate(STEADY, 1)]
    other = [*range(10, 30), *range(100, 120)]
    runs += [result(1, at, even(40, speed), ids=other) for at, speed in enumerate(SCATTERED, 1)]
    assert said(cache.EXPERIMENT, outcome(["without the cache", "with the cache"], runs)) == (
        "No significant difference in speed (−1.5 to +2.8 %, 9 rounds) over the last 39 tokens. "
        "The text differs from token 21 on in 9 rounds; to measure how the gain grows, set max tokens above 120."
    )


def test_cache_conclusion_of_texts_that_vary_within_a_variant_says_so() -> None:
    """An engine that rounds now so, now so."""
    steady, other = list(range(10, 50)), [*range(10, 30), *range(100, 120)]
    runs = [
        result(arm, at, even(40, 100), ids=other if at + arm == 3 else steady) for arm in (0, 1) for at in (1, 2, 3)
    ]
    told = said(cache.EXPERIMENT, outcome(["without the cache", "with the cache"], runs))
    assert " The text differs in 2 of 3 rounds, but also within one variant; to measure" in told


@pytest.mark.parametrize(
    ("long", "words"),
    [
        (SLOWER, "Yes: the last 20 of 60 tokens are 20 % slower than 20 alone (−20 %, 9 rounds)."),
        (
            SCATTERED,
            "No significant difference in speed (−1.5 to +2.8 %, 9 rounds) between 20 tokens and the last 20 of 60",
        ),
    ],
)
def test_length_conclusion_of_two_lengths_has_the_slowdown(long: tuple[float, ...], words: str) -> None:
    runs = [result(0, at, even(20, speed)) for at, speed in enumerate(STEADY, 1)]
    runs += [result(1, at, even(60, speed)) for at, speed in enumerate(long, 1)]
    assert said(length.EXPERIMENT, outcome(["20 tokens", "60 tokens"], runs)).startswith(words)


def test_length_conclusion_of_runs_without_a_common_trend_has_no_slope() -> None:
    slowing = [0.0]
    for index in range(1, 400):
        slowing.append(slowing[-1] + 1 / (100 - index / 10))
    short = [result(0, at, even(20, speed)) for at, speed in enumerate(STEADY, 1)]
    falling = [result(1, at, [each + at / 10 for each in slowing]) for at in range(1, 10)]
    rising = [result(1, at, [20.0 - each for each in reversed(slowing)]) for at in range(1, 4)]

    def told(*long: RunResult) -> str:
        return said(length.EXPERIMENT, outcome(["short", "long"], [*short, *long])).partition(". Within")[2]

    extent = "−10 tok/s per 100 tokens, 9 rounds"
    assert told(*falling) == f" the longest run the speed falls by 10 tok/s per 100 tokens ({extent})."
    few = said(length.EXPERIMENT, outcome(["short", "long"], [*short, *falling[:6]])).partition("confirm it). ")[2]
    extent = "−10 tok/s per 100 tokens, 6 rounds; 7 are needed"
    assert few == f"Not significant yet: trend within the longest run −10 tok/s per 100 tokens ({extent})."
    assert told(*rising, *falling[3:]).startswith(" the longest run no significant trend (−10 to +10 tok/s")
    level = [result(1, at, even(400, speed)) for at, speed in enumerate(STEADY, 1)]
    assert told(*level).startswith(" the longest run no significant trend (0.0 tok/s")
    slight = [index / 100 * (1 + index / 40_000) for index in range(1, 401)]
    assert told(*(result(1, at, slight) for at in range(1, 10))).startswith(" the longest run no significant trend")


def test_template_conclusion_of_two_variants_has_their_finish_reasons() -> None:
    ended = result(0, 1, even(14, 10), reason=Reason.STOP)
    ran_on = result(1, 1, even(60, 10))
    assert said(template.EXPERIMENT, outcome(["with", "without"], [ended, ran_on])) == (
        "No: without the template 0 of 1 answers ended by themselves, with it 1 of 1. "
        "With the template it ended at an EOS token after 14 tokens, without it reached the limit of 60 tokens."
    )
    again = result(0, 2, even(60, 10))
    once_more = result(0, 3, even(16, 10), reason=Reason.STOP)
    assert said(template.EXPERIMENT, outcome(["with", "without"], [ended, ran_on, again, once_more])) == (
        "No: without the template 0 of 1 answers ended by themselves, with it 2 of 3. "
        "With the template it ended at an EOS token after 14–16 tokens in 2 of 3 runs, "
        "reached the limit of 60 tokens in 1 of 3 runs, without it reached the limit of 60 tokens."
    )


def drafted_outcome(on: tuple[float, ...], draft_kv: int = 300, arms: int = draft.MOST) -> ExperimentOutcome:
    """All numbers of draft tokens are as fast."""
    counts = DraftStats(proposed=40, accepted=30, steps=10)
    off = tuple(100.0 + index / 10 for index in range(len(on)))
    runs = [result(0, at, even(40, speed, 1 / speed), kv=100) for at, speed in enumerate(off, 1)]
    runs += [
        result(arm, at, even(40, speed, 1 / speed), drafted=counts, kv=draft_kv)
        for arm in range(1, arms + 1)
        for at, speed in enumerate(on, 1)
    ]
    names = ("1 draft token per step", *(f"{count} draft tokens per step" for count in range(2, draft.MOST + 1)))
    made = outcome(["off", *names], runs)
    beside = DraftModel("small", MODEL.folder, 1, 1_000)
    return replace(made, model=replace(MODEL, draft=beside))


@pytest.mark.parametrize(
    ("on", "words"),
    [
        (
            SLOWER,
            "No: 20 % slower (−22 to −19 %, 9 rounds) with 1 draft token per step, the fastest draft. Turn it off. ",
        ),
        (FASTER, "Yes: 29 % faster (+28 to +31 %, 9 rounds) with 1 draft token per step. "),
        (
            SCATTERED,
            "No significant difference in end-to-end speed (−1.2 to +1.6 %, 9 rounds) "
            "with 1 draft token per step, the fastest draft. ",
        ),
        (
            SLOWER[:8],
            "No: about 20 % slower (−21 to −19 %, 8 rounds: provisional; 1 more can confirm it) "
            "with 1 draft token per step, the fastest draft. Turn it off. ",
        ),
        (
            SCATTERED[:8],
            "Not significant yet: end-to-end speed −0.3 % (−1.2 to +1.6 %, 8 rounds; 9 are needed) "
            "with 1 draft token per step, the fastest draft. ",
        ),
        (
            (40.0, 42.0),
            "No: about 2.4× slower (2.4 to 2.5×, 2 rounds: provisional; 7 more can confirm it) "
            "with 1 draft token per step, the fastest draft. Turn it off. ",
        ),
    ],
)
def test_draft_conclusion_of_each_outcome_has_the_speed_and_the_acceptance_rate(
    on: tuple[float, ...], words: str
) -> None:
    accepted = (
        "The speed is end to end, from Send to the last token; "
        "acceptance rate 75 % (30 of 40 draft tokens in a run), 4.0 tokens per step; "
        "the draft model takes 1.2 kB of memory."
    )
    assert said(draft.EXPERIMENT, drafted_outcome(on)) == words + accepted


def test_draft_conclusion_of_missing_variants_does_not_advise_turning_it_off() -> None:
    told = said(draft.EXPERIMENT, drafted_outcome(SLOWER, arms=draft.MOST - 1))
    assert told.startswith("No: 20 % slower (") and "turn it off" not in told.lower()


def test_draft_conclusion_without_an_accepted_token_is_no() -> None:
    made = drafted_outcome(FASTER)
    useless = replace(made.results[-1].finish, drafted=DraftStats(3, 0, 3))
    runs = tuple(replace(run, finish=useless) if run.arm else run for run in made.results)
    told = draft.EXPERIMENT.conclude(replace(made, results=runs))
    assert told.headline.startswith("No: not one draft token was accepted") and "29 % faster" in told.further


def test_draft_details_of_a_run_have_the_acceptance_by_position() -> None:
    flags = [True, True, False, True, False, False]
    run = result(2, 1, even(6, 10), replace(REQUEST, draft_tokens=2), from_draft=flags, drafted=DraftStats(6, 3, 3))
    made = outcome(["off", "1 a step", "2 a step"], [result(0, 1, even(6, 10)), run])
    positions = draft.EXPERIMENT.conclude(made).details[0]
    assert positions.head[:3] == ("Variant", "position 1", "position 2")
    ((arm, *shares),) = positions.rows
    assert (arm, shares) == ("2 a step", [pytest.approx(2 / 3), pytest.approx(1 / 3), *(None,) * 6])


def reuse_outcome(waits: tuple[float, ...]) -> ExperimentOutcome:
    runs = [result(0, at, [wait, wait + 1]) for at, wait in enumerate((0.9, 1.0, 1.1) * 2, 1)]
    kept = [result(1, at, [wait, wait + 1]) for at, wait in enumerate(waits, 1)]
    runs += [replace(run, finish=replace(run.finish, reused=83, new=16)) for run in kept]
    return outcome(["reuse off", "reuse on"], runs)


@pytest.mark.parametrize(
    ("waits", "words"),
    [
        (
            (0.2, 0.25, 0.3) * 2,
            "The prompt cache saves 75 % of the time to first token in turn 2 (73 to 78 %, 6 rounds). 250 ms",
        ),
        ((1.4, 1.5, 1.6) * 2, "With reuse the time to first token is 50 % longer (45 to 56 %, 6 rounds). 1.50 s"),
        (
            (1.0, 0.95, 1.15) * 2,
            "No significant difference in the time to first token (−5.0 to +11 %, 6 rounds). 1.00 s",
        ),
        (
            (0.2, 0.25),
            "The prompt cache saves about 78 % of the time to first token in turn 2 "
            "(75 to 78 %, 2 rounds: provisional; 4 more can confirm it). 225 ms",
        ),
    ],
)
def test_reuse_conclusion_of_each_outcome_has_the_time_to_first_token(waits: tuple[float, ...], words: str) -> None:
    rest = "83 of 99 prompt tokens were in the cache; the tokens are the same in {rounds} rounds."
    told = said(reuse.EXPERIMENT, reuse_outcome(waits))
    assert told.startswith(f"{words} with reuse, 1.00 s without it; ")
    assert told.endswith(rest.format(rounds=len(waits)))


def test_quantized_conclusion_of_two_bit_widths_has_memory_speed_and_text() -> None:
    whole = [result(0, at, even(40, speed), kv=1_000) for at, speed in enumerate(STEADY, 1)]
    eight = [result(1, at, even(40, speed), kv=500) for at, speed in enumerate(SCATTERED, 1)]
    other = [*range(10, 29), *range(100, 121)]
    four = [result(2, at, even(40, speed), ids=other, kv=250) for at, speed in enumerate(SLOWER, 1)]
    made = outcome(["not quantized", "8 bits", "4 bits"], [*whole, *eight, *four])
    assert said(quantized.EXPERIMENT, made) == (
        "8 bits save 50 % of the KV cache's memory, no significant difference in speed (−1.5 to +2.8 %, 9 rounds), "
        "the tokens are the same in 9 rounds. 4 bits save 75 % of the KV cache's memory, "
        "are 20 % slower (−20 %, 9 rounds), the text differs from token 20 on in 9 rounds."
    )


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ((230.0, 241.0, 229.0) * 3, "The faster model is small: 2.3× faster than large (2.3 to 2.4×, 9 rounds)"),
        (
            (50.0,) * 2,
            "The faster model is large: about 2.0× faster than small "
            "(2.0×, 2 rounds: provisional; 4 more can confirm it)",
        ),
        (SCATTERED, "No significant difference in speed (−1.5 to +2.8 %, 9 rounds) between large and small"),
    ],
)
def test_models_conclusion_of_two_models_has_speed_and_memory(second: tuple[float, ...], words: str) -> None:
    runs = [result(0, at, even(40, speed), peak=5_000) for at, speed in enumerate(STEADY, 1)]
    runs += [result(1, at, even(40, speed), peak=2_000) for at, speed in enumerate(second, 1)]
    memory = ". Peak memory was 2.0 kB with small, 5.0 kB with large."
    assert said(models.EXPERIMENT, outcome(["large", "small"], runs)) == words + memory


def test_sampling_conclusion_of_similar_variety_is_not_significant() -> None:
    dull, middling, lively = (7, 7, 7, 7, 7, 7), (1, 2, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6)
    cells = (dull, middling, lively) * 3, (dull, lively, lively) * 3
    runs = [result(arm, at, even(6, 10), ids=ids) for arm in (0, 1) for at, ids in enumerate(cells[arm], 1)]
    assert said(sampling.EXPERIMENT, outcome(["cold", "hot"], runs)) == (
        "No significant difference in variety (0.0 to +25 %, 9 rounds) between cold and hot: "
        "0.80 to 1.0 of the bigrams are distinct. "
        "The seeds agree more with hot (50 % of the bigrams) than with cold (38 %)."
    )


def test_sampling_conclusion_of_different_variety_has_the_extremes() -> None:
    dull = [result(0, at, even(6, 10), ids=(7,) * 6) for at in range(1, 8)]
    lively = [result(1, at, even(6, 10), ids=range(at, at + 6)) for at in range(1, 8)]
    same = "The text is the same in each run with cold"
    told = said(sampling.EXPERIMENT, outcome(["cold", "hot"], [*dull, *lively]))
    words = "Hot gives the most varied text, cold the least: 1.0 and 0.20 of the bigrams are distinct"
    assert told.startswith(f"{words} (5.0×, 7 rounds). {same}; ")
    assert told.endswith("cold repeats itself most: 67 % of its 4-grams occurred before.")
    few = said(sampling.EXPERIMENT, outcome(["cold", "hot"], [*dull, *lively[1:]]))
    assert few.startswith(f"{words} (5.0×, 6 rounds: provisional; 1 more can confirm it). The text is the same")


def test_sampling_conclusion_of_a_shorter_text_is_not_more_varied() -> None:
    """It has had less time to repeat itself."""
    whole = (1, 2, 3, 4, 1, 2, 3, 4, 1, 2)
    runs = [result(0, at, even(10, 10), ids=whole) for at in range(1, 8)]
    runs += [result(1, at, even(4, 10), ids=whole[:4]) for at in range(1, 8)]
    told = said(sampling.EXPERIMENT, outcome(["long", "short"], runs))
    assert told.startswith("The text is the same in each run with long, short. No bigram is repeated in the length")
    hot = [replace(run, request=replace(run.request, sampling=Sampling(temperature=1.0))) for run in runs]
    told = said(sampling.EXPERIMENT, outcome(["long", "short"], hot))
    assert told.startswith("All 7 seeds gave the same text with long, short. No bigram")


@pytest.mark.parametrize(
    ("speeds", "words"),
    [
        ((STEADY, FASTER), "B is 30 % faster than a (+30 %, 9 rounds)."),
        (
            (STEADY, SCATTERED),
            "No significant difference in speed (−1.5 to +2.8 %, 9 rounds) between the slowest, a, and the fastest, b.",
        ),
    ],
)
def test_sweep_conclusion_of_two_variants_compares_the_slowest_and_the_fastest(
    speeds: tuple[tuple[float, ...], ...], words: str
) -> None:
    assert said(sweep.EXPERIMENT, at_speeds(["a", "b"], speeds)) == words


def test_sweep_conclusion_of_draft_tokens_excludes_the_first_step() -> None:
    whole = [result(0, at, even(40, speed, 0.1)) for at, speed in enumerate(STEADY, 1)]
    bursts = [result(1, at, even(40, speed * 1.2, 0.167)) for at, speed in enumerate(STEADY, 1)]
    made = outcome(["draft tokens 0", "draft tokens 8"], [*whole, *bursts])
    assert said(sweep.EXPERIMENT, made).startswith("Draft tokens 8 is 20 % faster")
    drafting = Variant("draft tokens 8", replace(REQUEST, draft_tokens=8))
    made = replace(made, plan=replace(made.plan, arms=(made.plan.arms[0], drafting)))
    assert said(sweep.EXPERIMENT, made).startswith("A difference in speed of less than 3 % (+0.3 to +0.5 %, 9 rounds)")


def test_stops_conclusion_of_a_run_counts_held_tokens_and_partial_characters() -> None:
    request = replace(REQUEST, limits=replace(REQUEST.limits, stop_strings=("! x",)))
    texts = ["", "", "안", "!", " ", "x"]
    run = result(0, 1, even(6, 10), request, texts=texts, reason=Reason.STOP_STRING, stop_text="! x", stop_at=1)
    assert said(stops.EXPERIMENT, outcome(["with them"], [run])) == (
        "2 of 6 tokens were parts of a character and showed no text at first. After 2 tokens text was held back, "
        "since a stop string might have begun; the stop string “! x” was complete at token 6 and was not shown."
    )
    both = outcome(["without stop strings", "with them"], [result(0, 1, even(6, 10)), replace(run, arm=1)])
    details = stops.EXPERIMENT.conclude(both).details
    assert [each.title for each in details] == ["Steps, with them", "Steps, without stop strings"]


def test_form_conclusion_of_invalid_answers_has_both_rates_and_the_slowdown() -> None:
    """The free ones are faster, and none of either has the form; how likely they are nobody recorded."""
    made = at_speeds(["free", "held"], [FASTER, STEADY])
    held = replace(REQUEST, form=OutputFormat(FormatKind.CHOICES, choices="yes"))
    made = replace(made, results=tuple(replace(run, request=held) if run.arm else run for run in made.results))
    assert said(output_format.EXPERIMENT, made).startswith(
        "Constrained decoding is 23 % slower (−23 %, 9 rounds). 0 of 9 free answers were valid, and 0 of 9"
    )


FAILURES = tuple(Failure(what, "Mend it.") for what in ("It broke.", "No memory."))
RANGE = re.compile(r"\((?:[^()]*, )?[\d,]+ rounds?(?:; \d+ are needed|: provisional; \d+ more can confirm it)?\)")


SPEEDS, COUNTS, WAITS = (1e-3, 10.0, 10.1, 50.0, 1e5), (1, 2, 3, 30, 60), (0.0, 0.1, 3.0)
ARMS = {"stops": 2, "template": 2, "form": 2, "cache": 2, "reuse": 2, "models": 2, "draft": 9}


@st.composite
def outcomes(draw: st.DrawFn) -> tuple[Experiment, ExperimentOutcome]:
    """Runs of any length and speed, of which some failed and some were never made."""
    experiment = draw(st.sampled_from(EXPERIMENTS))
    arms = ARMS.get(experiment.name, 3)
    rounds = draw(st.integers(1, 10 if arms < 9 else 2))
    plan = Plan("", "", "", tuple(Variant(f"variant {arm}", REQUEST) for arm in range(arms)), rounds)
    size = arms * rounds
    how = draw(st.lists(st.integers(0, 6 * 5 * 5 * 3 - 1), min_size=size, max_size=size))
    made = (_made(position % arms, position // arms + 1, number) for position, number in enumerate(how))
    return experiment, ExperimentOutcome(
        plan, MODEL, tuple(run for run in made if run is not None), stopped=draw(st.booleans())
    )


def _made(arm: int, at: int, number: int) -> RunResult | None:
    """One of all kinds of run, by its number."""
    number, wait = divmod(number, len(WAITS))
    number, count = divmod(number, len(COUNTS))
    kind, speed = divmod(number, len(SPEEDS))
    if kind == 5:
        return None
    drafted = DraftStats(4, 2, 2) if arm else None
    run = result(arm, at, even(COUNTS[count], SPEEDS[speed], WAITS[wait]), drafted=drafted, kv=100 * arm)
    if kind < 3:
        return run
    return replace(run, finish=replace(run.finish, reason=Reason.ERROR, failure=FAILURES[kind - 3]))


@pytest.mark.slow
@at_most(30)
@given(outcomes())
def test_conclusion_of_random_runs_claims_only_significant_differences(
    made: tuple[Experiment, ExperimentOutcome],
) -> None:
    experiment, outcome = made
    arms, measured = outcome.plan.arms, outcome.measured()
    sentence = report(experiment, outcome).conclusion.sentence
    assert (sentence == UNMEASURED) == (not measured), "never above figures"
    assert "Turn it off" not in sentence or len(measured) == len(arms)
    for clause in re.split(r"; (?!\d+ (?:are needed|more))|(?<=\)\.) ", sentence):
        tells = CLAIM.search(clause) and "differs" not in clause and "provisional" not in clause
        if tells or "no significant" in clause or "not significant yet" in clause.lower():
            assert RANGE.search(clause), f"no range: {clause}"
        if tells:
            assert outcome.plan.repeats >= least_rounds(experiment.claims(len(arms)))
    failed = {run.arm for run in outcome.results if run.finish.failure is not None}
    told = " ".join(cautions(outcome))
    assert all(f"variant {arm}" in told for arm in failed), "every variant that failed is named"
    as_markdown(report(experiment, outcome))


WHOLE = at_speeds(["a", "b", "c"], [[9.0, 9.0], [9.0], []])
ERROR = result(1, 1, even(1, 9.0), reason=Reason.ERROR)
FAILED = replace(ERROR, finish=replace(ERROR.finish, failure=Failure("It broke.", "Mend it.")))
OTHERWISE = replace(FAILED, finish=replace(FAILED.finish, failure=Failure("No memory.", "Close something.")))


def test_cautions_of_a_stopped_experiment_have_the_finished_rounds() -> None:
    assert cautions(WHOLE) == [] and why_nothing(WHOLE) is None
    assert cautions(replace(WHOLE, stopped=True)) == ["Stopped: 0 of 3 rounds done."]
    both = at_speeds(["a", "b"], [[9.0, 9.0], [9.0]])
    assert cautions(replace(both, stopped=True)) == ["Stopped: 1 of 3 rounds done."]
    broken = Failure("The second model is gone.", "Choose another.")
    assert cautions(replace(WHOLE, failure=broken)) == [broken.sentence]


def test_cautions_of_failed_variants_have_each_reason() -> None:
    made = replace(WHOLE, results=(*WHOLE.results, *(replace(FAILED, arm=arm) for arm in (2, 1, 2)), OTHERWISE))
    assert cautions(made) == ["b (1 of 3 runs), c: It broke.", "b (1 of 3 runs): No memory."]


def test_cautions_of_a_failed_batch_name_its_variants() -> None:
    together = Batch((0, 1), 1, (replace(FAILED, arm=0), FAILED))
    assert cautions(replace(WHOLE, batches=(together,))) == ["a (1 of 3 runs), b (1 of 2 runs): It broke."]


def test_why_nothing_of_failed_or_stopped_runs_returns_the_failure() -> None:
    assert why_nothing(outcome(["a", "b"], [FAILED])) == Failure("It broke.", "Mend it.")
    assert why_nothing(replace(outcome(["a"], []), stopped=True)) is STOPPED


def written(arm: int, *ids: int, observed: TokenLogprobs | None = None) -> RunResult:
    run = result(arm, 1, even(len(ids), 10.0))
    tokens = (replace(token, id=own, observed=observed) for token, own in zip(run.tokens, ids, strict=True))
    return replace(run, tokens=tuple(tokens))


def close(own: float, other: float) -> TokenLogprobs:
    first, second = (Alternative(at, "x", math.log(likely), 0.0) for at, likely in ((3, own), (7, other)))
    return TokenLogprobs(first, 1, TopTokens.of((first, second)), 0.5, 0.0, 1 - own - other)


def test_determinism_conclusion_of_different_tokens_has_position_and_probability_gap() -> None:
    kvs = {"as usual": KV(), "once more": KV(), "without the cache": KV(enabled=False), "8 bits": KV(bits=8)}
    arms = tuple(Variant(name, replace(REQUEST, kv=kv)) for name, kv in kvs.items())
    runs = (
        written(0, 1, 2, 3, observed=close(0.40, 0.38)),
        written(1, 1, 2, 3),
        written(2, 1, 2, 7),
        written(3, 5, 2, 3),
    )
    batch = Batch((1, 1), 1, (written(1, 1, 2, 3), written(1, 1, 2, 9)))
    found = EXPERIMENT.conclude(ExperimentOutcome(Plan("", "", "", arms, 1), MODEL, runs, batches=(batch,)))
    assert found.sentence == (
        "3 of 4 variants change the tokens: the first is 8 bits, from token 1 on. "
        "For the same tokens, keep unchanged: batch size, KV cache, KV bits; the same tokens: once more; "
        "without the cache: different tokens from token 3 on (Δp = 2.0 %); 8 bits: different tokens from token 1 on "
        "(Δp = ?); batch of 2: different tokens from token 3 on (Δp = ?)."
    )
    assert [row[1] for row in found.details[0].rows] == [None, 3, 1, 3]
    assert {row[4] for row in found.details[0].rows} == {NOT_RECORDED}


def test_determinism_conclusion_names_another_dtype_in_which_fewer_switches_matter() -> None:
    """Its baseline is compared with the usual one, and its variants with its own baseline."""
    full = LoadRequest("paper", dtype="float32")
    halves, floats = replace(MODEL, format=WeightFormat(computed_in="float16")), replace(MODEL, dtype="float32")
    ways = {"usual": REQUEST, "step": replace(REQUEST, prefill_step=16), "bare": replace(REQUEST, kv=KV(enabled=False))}
    arms = [Variant(f"{name}{of}", way, load) for load, of in ((None, ""), (full, " 32")) for name, way in ways.items()]
    texts = ((1, 2, 3), (1, 9, 3), (1, 2, 9), (4, 2, 3), (4, 2, 3), (4, 2, 3))
    likely = (0.40, 0.39, 0.40, 0.41, 0.42, 0.41)
    runs = [written(arm, *ids, observed=close(likely[arm], 0.3)) for arm, ids in enumerate(texts)]
    runs = [replace(run, model=floats if run.arm > 2 else halves) for run in runs]
    found = EXPERIMENT.conclude(ExperimentOutcome(Plan("", "", "", tuple(arms), 1), halves, tuple(runs)))
    assert found.further.startswith(
        "For the same tokens, compute in float32; "
        "for the same probabilities to the last bit, keep unchanged: prefill step, KV cache; "
    )
    assert [(row[0], row[1], row[4]) for row in found.details[0].rows] == [
        *(("step", 2, 1), ("bare", 3, None)),
        *(("usual 32", 1, 1), ("step 32", None, 1), ("bare 32", None, None)),
    ]
    step, both = "prefill step", "prefill step, KV cache"
    assert found.details[1].rows == (("float16", both, both), ("float32", "nothing", step))
    part = EXPERIMENT.conclude(ExperimentOutcome(Plan("", "", "", tuple(arms), 1), halves, tuple(runs[:4])))
    assert len(part.details) == 1 and "keep unchanged" not in part.further, "not before all variants have run"


@pytest.mark.parametrize(
    ("differing", "exact", "names"),
    [
        ([{"draft_tokens", "kv.reuse"}], [{"draft_tokens"}, {"kv.reuse"}], ("kv.reuse",)),
        ([{"draft_tokens", "kv.reuse"}, {"draft_tokens"}], [{"kv.reuse"}], ("draft_tokens",)),
        ([], [{"kv.reuse"}], ()),
        ([set()], [{"kv.reuse"}], None),
    ],
)
def test_smallest_set_has_a_switch_of_each_variant_that_differs(
    differing: list[set[str]], exact: list[set[str]], names: tuple[str, ...] | None
) -> None:
    def way(switches: set[str], token: int | None, dtype: str = "float32") -> SwitchComparison:
        return SwitchComparison("", dtype, frozenset(switches), token, "", "", token, True)

    ways = [*(way(each, 1) for each in differing), *(way(each, None) for each in exact)]
    assert smallest_set(ways, "float32", same_bits=False).names == names
    untried = way({"kv.bits"}, None, "float16")
    assert smallest_set([untried], "float32", same_bits=False).names == ("kv.bits",)


def test_determinism_conclusion_on_a_device_with_tf32_has_its_state() -> None:
    arms = tuple(Variant(name, REQUEST) for name in ("as usual", "once more"))
    for allowed, words in ((True, "TF32 allowed"), (False, "TF32 off")):
        first, second = written(0, 1, 2), written(1, 1, 2)
        first = replace(first, finish=replace(first.finish, conditions=Conditions(tf32=allowed)))
        found = EXPERIMENT.conclude(ExperimentOutcome(Plan("", "", "", arms, 1), MODEL, (first, second)))
        assert found.further.endswith(f"; the same tokens: once more; {words}.")


def test_determinism_plan_has_the_same_greedy_request_for_each_variant() -> None:
    """But for how the prompt comes into the cache."""
    made = plan(basis())
    assert isinstance(made, Plan)
    requests = [arm.request for arm in made.arms]
    assert {each.sampling.temperature for each in requests} == {0.0}  # type: ignore[union-attr]
    assert {each.observe for each in requests} == {OBSERVED}  # type: ignore[union-attr]
    assert {each.prompt for each in requests} == {made.arms[0].request.prompt}  # type: ignore[union-attr]
    before = [arm.before for arm in made.arms if arm.before is not None]
    assert {each.limits.max_tokens for each in before} == {1} and not any(each.kv.reuse for each in before)


def test_determinism_plan_of_a_known_dtype_repeats_all_variants_in_the_others() -> None:
    model = replace(MODEL, format=WeightFormat(computed_in="bfloat16"), can=replace(MODEL.can, batch=True))
    made = plan(basis(model))
    assert isinstance(made, Plan) and made.skips_unopened
    count = len(made.arms) // 3
    assert [arm.load.dtype for arm in made.arms[::count] if arm.load] == ["", "float32", "float16"]
    assert [arm.request for arm in made.arms[:count]] * 3 == [arm.request for arm in made.arms]
    assert made.batches == tuple((first,) * size for first in (0, count, 2 * count) for size in BATCHES)
    assert len({arm.name for arm in made.arms}) == len(made.arms)


def test_determinism_plan_with_a_draft_model_combines_prefill_and_decoding_modes() -> None:
    able = replace(MODEL, draft=DraftModel("small", Path("small"), 1, 1), can=replace(MODEL.can, lookup=True))
    made = plan(replace(basis(), model=able))
    assert isinstance(made, Plan)
    ways = [each.request for each in made.arms if isinstance(each.request, Request)]
    assert sum(each.lookup_tokens > 0 for each in ways) == 1
    found = {(each.draft_tokens > 0, each.kv.bits, each.kv.reuse) for each in ways}
    assert found == {
        (False, 8, False),
        *((drafted, None, reuse) for drafted in (False, True) for reuse in (False, True)),
    }
    again = [(arm.request, arm.before) for arm in made.arms if arm.before is not None]
    assert all(replace(request.kv, reuse=False) == before.kv for request, before in again)  # type: ignore[union-attr]


def test_half_of_each_prompt_kind_is_its_beginning() -> None:
    assert _half(RawPrompt("abcd")) == RawPrompt("ab") and _half(TokenPrompt((1, 2, 3))) == TokenPrompt((1,))
    chat = ChatPrompt((Message(Role.SYSTEM, "be"), Message(Role.USER, "abcd")))
    assert _half(chat) == ChatPrompt((Message(Role.SYSTEM, "be"), Message(Role.USER, "ab")))
