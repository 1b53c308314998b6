"""What the last tokens of a run tell of its end."""

import math

import pytest

from app.engine.meter.trace import Trace
from app.engine.run_analysis import TokenMoment, analyze_stop
from app.engine.types import Alternative, Channel, Finish, Reason, Token, TokenLogprobs, VisibleText


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


def test_at_the_limit_it_tells_how_near_the_end_was_and_where_it_was_nearest() -> None:
    found = analyze_stop(traced([0.1, 0.34, 0.2, 0.03]), Finish(Reason.LENGTH, tokens=4))
    assert found is not None
    assert (found.last.place, found.end, found.likeliest) == (3, 0.03, TokenMoment(1, 0.34))


def test_the_token_that_ended_it_is_no_moment_at_which_it_almost_ended() -> None:
    found = analyze_stop(traced([0.1, 0.02, 0.9]), Finish(Reason.STOP, tokens=3))
    assert found is not None
    assert found.last.probability == pytest.approx(0.25)
    assert found.likeliest == TokenMoment(0, 0.1)
    alone = analyze_stop(traced([0.9]), Finish(Reason.STOP, tokens=1))
    assert alone is not None
    assert alone.likeliest is None


def test_only_the_newest_run_counts_in_places_of_the_whole_answer() -> None:
    found = analyze_stop(traced([0.8, 0.8], [0.1, 0.2, 0.05]), Finish(Reason.STOPPED, tokens=3))
    assert found is not None
    assert (found.last.place, found.likeliest) == (4, TokenMoment(3, 0.2))


def test_without_candidates_the_token_is_known_and_nothing_else() -> None:
    found = analyze_stop(traced([None, None]), Finish(Reason.STOP, tokens=2))
    assert found is not None
    assert (found.last.id, found.last.probability, found.end, found.likeliest) == (7, None, None, None)


def test_an_end_of_which_nobody_tells_how_likely_it_was_is_never_near() -> None:
    """Of the alternatives that a server streams none is known to be the end."""
    found = analyze_stop(traced([math.nan] * 3), Finish(Reason.LENGTH, tokens=3))
    assert found is not None
    assert (found.end, found.likeliest) == (None, None)
    some = analyze_stop(traced([math.nan, 0.2, 0.1]), Finish(Reason.LENGTH, tokens=3))
    assert some is not None
    assert some.likeliest == TokenMoment(1, 0.2)


def test_a_run_that_wrote_nothing_tells_nothing() -> None:
    assert analyze_stop(traced([0.8], []), Finish(Reason.STOPPED, tokens=0)) is None
    assert analyze_stop(Trace(), Finish(Reason.ERROR, tokens=3)) is None


@pytest.mark.parametrize("reasoning", [False, True])
def test_it_tells_whether_the_end_came_in_the_reasoning(reasoning: bool) -> None:
    trace = traced([0.1, 0.1], reasoning=reasoning)
    trace.extend([Token(2, 8, "", (), 9.0)])
    found = analyze_stop(trace, Finish(Reason.STOPPED, tokens=3))
    assert found is not None
    assert found.in_reasoning is reasoning
