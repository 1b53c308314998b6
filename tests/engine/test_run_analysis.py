"""Why a run stopped, and what slowed it."""

import math
from dataclasses import replace

import pytest

from app.engine.meter.trace import Trace
from app.engine.run_analysis import LEAST_S, StopAnalysis, TokenMoment, analyze_stop, slow_cause
from app.engine.types import (
    Alternative,
    CacheMissReason,
    Channel,
    Conditions,
    DraftedSteps,
    DraftStats,
    Finish,
    GpuConditions,
    Reason,
    Times,
    Token,
    TokenLogprobs,
    VisibleText,
)

QUIET = Conditions(others=0.03, on_processors=True, page_faults=12, weights=2_000_000_000, kv=60_000_000)


def run(
    reading: float = 0.5, writing: float = 4.0, waited: float = 0.02, tokens: int = 200, **changes: object
) -> Finish:
    """Two thousand tokens of prompt, and an answer; the clock had gone on for a while when it was sent."""
    began = 70.0 + waited
    times = Times(70.0, began, began + reading, began + reading + 0.02, began + reading + writing, ended=75.0)
    times = replace(times, ended=times.last_token + 0.01)
    finish = Finish(Reason.LENGTH, tokens=tokens, times=times, new=2_000, conditions=QUIET)
    return replace(finish, **changes)  # type: ignore[arg-type]


def beside(**changes: object) -> Conditions:
    return replace(QUIET, **changes)  # type: ignore[arg-type]


def on_gpu(**changes: object) -> Conditions:
    return beside(on_processors=False, gpu=GpuConditions(**changes))  # type: ignore[arg-type]


def reread(hindrance: CacheMissReason, again: int = 1_900) -> Conditions:
    return beside(again=again, hindrance=hindrance, place=36)


def sentence(finish: Finish) -> str:
    cause = slow_cause(finish)
    assert cause is not None
    return cause.sentence


def analyzed(trace: Trace, finish: Finish) -> StopAnalysis:
    found = analyze_stop(trace, finish)
    assert found is not None
    return found


PLANTED = [
    ("loading", run(waited=2.0)),
    ("first_run", run(waited=1.52, warming=1.5)),
    ("reread", run(reading=2.0, conditions=reread(CacheMissReason.DIFFERS))),
    ("reread", run(reading=3.0, conditions=reread(CacheMissReason.STUCK))),
    ("reread", run(reading=3.0, conditions=reread(CacheMissReason.SETTINGS))),
    ("swapping", run(conditions=beside(page_faults=20_000))),
    ("neighbour", run(conditions=beside(others=0.31))),
    ("neighbour", run(conditions=beside(others=0.9, on_processors=False))),
    ("gpu_neighbour", run(conditions=on_gpu(others=0.4))),
    ("gpu_clock", run(conditions=on_gpu(clock=0.6, is_slowed=True))),
    ("compilation", run(conditions=on_gpu(compiled=12, compile_s=1.5))),
    ("token_loop", run(reading=12.0, tokens=100, conditions=on_gpu(loops=True))),
    ("draft", run(drafted=DraftStats(900, 20, 180), conditions=beside(draft_share=0.2))),
    ("draft", run(drafted=DraftStats(900, 20, 180, lookup=DraftedSteps(150, 7, 2.0)), conditions=beside())),
    ("candidates", run(observing=1.5)),
    ("processors", run(conditions=beside(processing=1.5))),
    ("bare", run(conditions=beside(kv=0, hindrance=CacheMissReason.BARE), observing=1.5)),
    ("context", run(conditions=beside(kv=4_000_000_000))),
    (
        "reread",
        run(reading=3.0, waited=0.4, observing=0.8, conditions=replace(reread(CacheMissReason.DIFFERS), others=0.3)),
    ),
]


@pytest.mark.parametrize(("name", "finish"), PLANTED)
def test_slow_cause_planted_is_named(name: str, finish: Finish) -> None:
    cause = slow_cause(finish)
    assert cause is not None and cause.name == name
    assert cause.sentence.endswith(".") and "{" not in cause.sentence


def test_slow_cause_names_its_evidence() -> None:
    again = sentence(run(reading=2.0, conditions=reread(CacheMissReason.DIFFERS)))
    assert again == "The prompt differs from the cache at token 37; prefilling the same tokens again took 1.90 s."
    assert sentence(run(waited=2.0)) == "Prefill started 2.00 s after Send.", "recorded before the parts were measured"
    slow = run(waited=2.0)
    for started, rendering, lookup, words in (
        (71.9, 0.0, 0.0, "The run waited 1.90 s for the engine."),
        (70.1, 1.8, 0.0, "Rendering and tokenizing the prompt took 1.80 s."),
        (70.1, 0.0, 1.8, "Finding or loading the KV cache took 1.80 s."),
        (70.1, 0.0, 0.0, "Preparing the run, such as its output format, took 1.90 s."),
    ):
        times = replace(slow.times, started=started)
        assert sentence(replace(slow, times=times, rendering=rendering, cache_lookup=lookup)) == words
    assert sentence(run(conditions=beside(others=0.5))) == "Other programs used 50 % of the processors."
    draft = run(drafted=DraftStats(900, 20, 180), conditions=beside(draft_share=0.2))
    assert "2.2 % of them" in sentence(draft)


def test_slow_cause_small_or_unknown_is_none() -> None:
    assert slow_cause(run()) is slow_cause(run(drafted=DraftStats(240, 160, 80), observing=0.3, waited=0.2)) is None
    assert slow_cause(run(conditions=None, waited=9.0)) is None
    assert slow_cause(run(reading=0.05, writing=0.05, waited=LEAST_S - 0.05)) is None, "short"
    assert slow_cause(run(writing=60.0, waited=5.0)) is None, "a small part of it"
    assert slow_cause(Finish(Reason.ERROR, conditions=QUIET)) is None
    assert slow_cause(run(conditions=beside(others=0.6, on_processors=False))) is None
    assert slow_cause(run(conditions=on_gpu(others=0.1, clock=0.6, compile_s=0.2, loops=True))) is None


def observed(own: float, end: float, rank: int = 1) -> TokenLogprobs:
    chosen = Alternative(7, "x", math.log(own), 0.0)
    return TokenLogprobs(chosen, rank, (chosen,), 0.5, end, 1 - own)


def traced(*runs: list[float | None], reasoning: bool = False) -> Trace:
    """An answer whose runs have one token for each probability of its end; None: nothing was recorded."""
    trace = Trace()
    for ends in runs:
        trace.begin_run(1.0)
        for index, end in enumerate(ends):
            shown = (VisibleText(Channel.REASONING if reasoning else Channel.NORMAL, "x", index),)
            seen = observed(0.25, end) if end is not None else None
            trace.extend([Token(index, 7, "x", shown, 2.0 + index, observed=seen)])
            trace.show(shown)
    return trace


def test_analyze_stop_at_the_limit_has_the_peak() -> None:
    found = analyzed(traced([0.1, 0.34, 0.2, 0.03]), Finish(Reason.LENGTH, tokens=4))
    assert (found.last.position, found.end, found.likeliest) == (3, 0.03, TokenMoment(1, 0.34))


def test_analyze_stop_excludes_the_last_token_from_the_peak() -> None:
    found = analyzed(traced([0.1, 0.02, 0.9]), Finish(Reason.STOP, tokens=3))
    assert found.last.probability == pytest.approx(0.25)
    assert found.likeliest == TokenMoment(0, 0.1)
    alone = analyzed(traced([0.9]), Finish(Reason.STOP, tokens=1))
    assert alone.likeliest is None


def test_analyze_stop_counts_only_the_newest_run() -> None:
    found = analyzed(traced([0.8, 0.8], [0.1, 0.2, 0.05]), Finish(Reason.STOPPED, tokens=3))
    assert (found.last.position, found.likeliest) == (4, TokenMoment(3, 0.2))


def test_analyze_stop_without_alternatives_knows_the_token() -> None:
    found = analyzed(traced([None, None]), Finish(Reason.STOP, tokens=2))
    assert (found.last.id, found.last.probability, found.end, found.likeliest) == (7, None, None, None)


def test_analyze_stop_unknown_probability_is_none() -> None:
    found = analyzed(traced([math.nan] * 3), Finish(Reason.LENGTH, tokens=3))
    assert (found.end, found.likeliest) == (None, None)
    some = analyzed(traced([math.nan, 0.2, 0.1]), Finish(Reason.LENGTH, tokens=3))
    assert some.likeliest == TokenMoment(1, 0.2)


def test_analyze_stop_of_an_empty_run_is_none() -> None:
    assert analyze_stop(traced([0.8], []), Finish(Reason.STOPPED, tokens=0)) is None
    assert analyze_stop(Trace(), Finish(Reason.ERROR, tokens=3)) is None


@pytest.mark.parametrize("reasoning", [False, True])
def test_analyze_stop_in_reasoning_is_flagged(reasoning: bool) -> None:
    trace = traced([0.1, 0.1], reasoning=reasoning)
    trace.extend([Token(2, 8, "", (), 9.0)])
    found = analyzed(trace, Finish(Reason.STOPPED, tokens=3))
    assert found.in_reasoning is reasoning
