import re
from dataclasses import replace
from itertools import accumulate

import pytest
from hypothesis import given, settings, strategies

from app.engine.meter.first_token import FirstTokenTime, StartPart, prefill_time
from app.engine.meter.meter import Meter
from app.engine.types import Finish, Reason, Times, Token
from app.number_format import speed

SENT = 1_000.0
SECONDS = strategies.floats(0.0, 100.0) | strategies.floats(0.0, 0.05)


def finish(*seconds: float, new: int = 45) -> Finish:
    """A run whose parts took this long, in their order."""
    started, _, _, prefill_started, prefill_ended, first = (SENT + each for each in accumulate(seconds))
    times = Times(SENT, prefill_started, prefill_ended, first, first, ended=first, started=started)
    return Finish(Reason.STOP, tokens=1, times=times, new=new, rendering=seconds[1], cache_lookup=seconds[2])


def parts_of(finish: Finish) -> FirstTokenTime:
    found = FirstTokenTime.of(finish)
    assert found is not None
    return found


def milliseconds(text: str) -> float:
    number, unit = text.replace(",", "").split()
    return float(number) * (1_000 if unit == "s" else 1)


@settings(max_examples=50)
@given(strategies.tuples(SECONDS.map(lambda each: each + 1e-6), *[SECONDS] * 5))
def test_parts_and_their_texts_add_up_to_the_time_to_first_token(seconds: tuple[float, ...]) -> None:
    parts = parts_of(finish(*seconds))
    assert tuple(parts.seconds.values()) == pytest.approx(seconds, abs=1e-9)
    assert sum(parts.seconds.values()) == pytest.approx(parts.ends[-1], abs=1e-9)
    total, *shown = re.findall(r"[\d,.]+ m?s", parts.sentence)
    assert sum(map(milliseconds, shown)) == pytest.approx(milliseconds(total), abs=1e-6)
    assert milliseconds(total) == pytest.approx(1_000 * parts.ends[-1], rel=0.0051, abs=0.051)


@settings(max_examples=50)
@given(
    strategies.floats(0.01, 100.0) | strategies.floats(0.01, 0.2),
    strategies.floats(0.0, 2.0),
    strategies.integers(2, 100_000),
)
def test_displayed_prefill_speed_is_the_displayed_tokens_over_the_displayed_time(
    prefill: float, other: float, new: int
) -> None:
    ended = finish(0.001, 0.0, 0.0, other, prefill, 0.1, new=new)
    meter = Meter(SENT, 9, None)
    meter.fold(Token(0, 7, "x", (), ended.times.first_token))
    meter.finish(ended)
    figures = meter.summary().figures
    assert figures.first_token == parts_of(ended).ends[-1]
    assert figures.prompt_speed is not None and ended.prefilled == new - 1
    quotient = 1_000 * ended.prefilled / milliseconds(prefill_time(ended))
    shown = float(speed(figures.prompt_speed).replace(",", "").replace("k", "000"))
    assert quotient == pytest.approx(shown, rel=0.015, abs=0.0051)


def test_part_that_a_run_does_not_have_takes_no_time() -> None:
    whole = finish(0.1, 0.02, 0.0, 0.0, 0.0, 0.4, new=1)
    assert (whole.prefilled, prefill_time(whole), parts_of(whole).longest) == (0, "", StartPart.FIRST_STEP)
    bare = replace(whole, times=replace(whole.times, prefill_started=0.0, prefill_ended=0.0), new=45)
    assert (bare.prefilled, parts_of(bare).ends) == (0, parts_of(whole).ends), "without a KV cache"
    assert parts_of(whole).sentence == "520 ms = waiting 100 ms + chat template 20 ms + first decode step 400 ms"


@pytest.mark.parametrize(
    ("first_step", "total"), [(0.0684, "78.4 ms"), (0.5447, "555 ms"), (1.6004, "1.61 s"), (12.42, "12.4 s")]
)
def test_sentence_has_three_significant_digits_of_the_total(first_step: float, total: str) -> None:
    assert parts_of(finish(0.01, 0.0, 0.0, 0.0, 0.0, first_step)).sentence.startswith(f"{total} = ")


def test_parts_are_unknown_without_a_first_token_and_for_earlier_runs() -> None:
    stopped, ended = finish(0.1, 0.0, 0.0, 0.0, 0.5, 0.1), finish(0.1, 0.0, 0.0, 0.0, 0.999, 0.1)
    stopped = replace(stopped, tokens=0, new=30, times=replace(stopped.times, first_token=0.0))
    assert (FirstTokenTime.of(stopped), stopped.prefilled) == (None, 30)
    earlier = replace(ended, times=replace(ended.times, started=0.0))
    assert (FirstTokenTime.of(earlier), prefill_time(earlier), earlier.prefilled) == (None, "999 ms", 44)
    assert Finish(Reason.STOP, tokens=3, new=45).prefilled == 45, "a server"
