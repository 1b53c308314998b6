"""Formats numbers for display; an undefined value is a dash."""

import re
from collections.abc import Callable
from math import ceil, floor, log, log10

from app.engine.types import WeightFormat
from app.i18n import tr

DASH = "–"
KB = 1_000
MB = 1_000_000
GB = 1_000_000_000
THOUSANDS_FROM = 99_999.5
"""Tokens per second from which thousands are shown: more digits don't fit on a card."""
MINUTE_S = 60
HOUR_S = 3_600
ROUGH_S = 5
TIMES_FROM = 1.95
"""Ratios from here on are written as a factor, smaller ones in percent."""
PERCENT = tr("{number} %")
FACTOR = tr("{number}×")
LEAST_PERCENT = 0.01
"""Percent: a probability nearer to 0 or 100 % is shown as "< 0.01 %" or "> 99.99 %"."""
LEAST_P_VALUE = 0.0001
NOISE = 1e-12
"""A relative error up to this is a rounding error."""
HALVES = {"bfloat16": 6, "float16": 0.8}
"""Error of a probability in percent, from rounding a logit between 16 and 32."""
UNBROKEN, JOINED = "\u00a0", "\u2060"
"""Non-breaking space, and word joiner (no width, no line break)."""
UNIT = re.compile(r"(?<=\d) (?=(?:%|ms|s|min|h|bytes?|[kMG]?B|M|bits?|tok/s)(?!\w))")
"""The space between a number and its unit."""
UNDEFINED = tr("not defined yet")
#: Milliseconds, seconds, minutes and seconds, hours and minutes.
SHORT = (tr("{0} ms"), tr("{0} s"), tr("{0} min {1} s"), tr("{0} h {1} min"))
SPOKEN = (tr("{0} milliseconds"), tr("{0} seconds"), tr("{0} minutes {1} seconds"), tr("{0} hours {1} minutes"))


def three_digits(value: float) -> str:
    """Format with three significant digits, as for a measurement: 0.43, 4.32, 43.2, 4,321."""
    if value >= 99.95:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def two_digits(value: float) -> str:
    """Format with two significant digits, as for statistics: 0.43, 4.3, 43, 4,300."""
    rounded = float(f"{value:.1e}")
    return f"{rounded:,.{max(0, 1 - floor(log10(abs(rounded)))) if rounded else 0}f}"


def with_error(value: float, error: float, digits: Callable[[float], str] = three_digits) -> str:
    """Format a number and its uncertainty with two significant digits of the latter: 680 ± 170, 2.34 ± 0.12.

    A number without uncertainty gets the digits of the measurement.
    """
    if not error > NOISE * abs(value):  # an unbounded error is NaN
        return f"{digits(value)} ± 0"
    index = 1 - floor(log10(float(f"{error:.1e}")))
    return f"{minus(f'{round(value, index):,.{max(0, index)}f}')} ± {two_digits(error)}"


def size(count: float, digits: Callable[[float], str] = three_digits) -> str:
    """Format bytes, with GB of 10^9 as in mlx-lm and for disks."""
    if count >= GB:
        return f"{digits(count / GB)} GB"
    if count >= MB:
        return f"{digits(count / MB)} MB"
    if count >= KB:
        return f"{digits(count / KB)} kB"
    return tr("%n bytes", "%n byte", round(count))


def duration(seconds: float | None) -> str:
    """Format a duration: 84 ms, 1.24 s, 2 min 5 s, 1 h 2 min."""
    return DASH if seconds is None else _format_duration(seconds, SHORT)


def rough_duration(seconds: float) -> str:
    """Format an estimate, rounded up: 25 s, 4 min, 1 h 20 min."""
    if seconds <= MINUTE_S - ROUGH_S:
        return SHORT[1].format(ROUGH_S * ceil(max(seconds, 1) / ROUGH_S))
    minutes = ceil(seconds / MINUTE_S)
    return tr("{0} min").format(minutes) if minutes < 60 else SHORT[3].format(minutes // 60, minutes % 60)


def measured_duration(seconds: float) -> str:
    """Format a duration with three significant digits, never in minutes: 840 ms, 12.4 s."""
    return SHORT[0].format(three_digits(seconds * 1000)) if seconds < 1 else SHORT[1].format(three_digits(seconds))


def short_duration(seconds: float) -> str:
    """Format a duration like `duration`, with more digits below 10 ms: 9.1 ms, 0.84 ms."""
    milliseconds = seconds * 1000
    if round(milliseconds, 1) >= 10:
        return duration(seconds)
    return SHORT[0].format(f"{milliseconds:.1f}" if round(milliseconds, 2) >= 1 else f"{milliseconds:.2f}")


def speed(tokens_per_second: float | None) -> str:
    """Format a speed without its unit, tok/s, which is displayed next to it."""
    if tokens_per_second is None:
        return DASH
    if tokens_per_second >= THOUSANDS_FROM:
        return f"{tokens_per_second / 1000:,.0f}k"
    return three_digits(tokens_per_second)


def spoken_speed(tokens_per_second: float | None) -> str:
    if tokens_per_second is None:
        return UNDEFINED
    return tr("{number} tokens per second").format(number=three_digits(tokens_per_second))


def spoken_duration(seconds: float | None) -> str:
    return UNDEFINED if seconds is None else _format_duration(seconds, SPOKEN)


def parameters(number: int) -> str:
    """Format a number of parameters: 2.81 M, 7.62 B."""
    return f"{three_digits(number / GB)} B" if number >= GB else f"{three_digits(number / MB)} M"


def percent(part: float, whole: float) -> str:
    """Format progress in percent, without decimals; 100 % only if all is done."""
    if whole <= 0:
        return DASH
    return PERCENT.format(number=100 if part >= whole else min(99, round(100 * part / whole)))


def two_percent(share: float) -> str:
    """Format a measured ratio in percent with two significant digits; it may be above 100 %."""
    return PERCENT.format(number=two_digits(100 * share))


def ratio_amount(ratio: float) -> str:
    """Format how far a ratio is from 1, without its direction: 29 %, 2.4×."""
    if 1 / TIMES_FROM < ratio < TIMES_FROM:
        return two_percent(abs(ratio - 1))
    return FACTOR.format(number=two_digits(max(ratio, 1 / ratio)))


def chance(probability: float) -> str:
    """Format a probability: 34 %, 5.3 %, 0.64 %, 99.96 %.

    It has two significant digits of its distance from the nearer of 0 and 100 %, so a possible event is never shown as
    0 %, nor an uncertain one as 100 %.
    """
    return PERCENT.format(number=bare_chance(probability))


def p_value(probability: float) -> str:
    """Format the p-value of a significance test: 0.41, 0.062, 0.0030, < 0.0001."""
    if probability < LEAST_P_VALUE:
        return f"< {LEAST_P_VALUE:.4f}"
    return f"{probability:.{2 if probability >= 0.0995 else 3 if probability >= 0.00995 else 4}f}"


def bare_chance(probability: float) -> str:
    """Format a probability in percent, without the unit."""
    value = 100 * probability
    if value <= 0 or value >= 100:
        return "0" if value <= 0 else "100"
    away = min(value, 100 - value)
    if away < LEAST_PERCENT:
        return f"< {LEAST_PERCENT}" if value < 50 else f"> {100 - LEAST_PERCENT}"
    return f"{value:.{0 if away >= 9.95 else 1 if away >= 0.995 else 2}f}"


def bits(nats: float) -> str:
    return tr("{number} bits").format(number=f"{max(0.0, nats) / log(2):.2f}")


def minus(number: str) -> str:
    """Replace the hyphen of a negative number by a minus sign, and drop it before zero."""
    return number.replace("-", "−" if number.strip("-0.") else "")


def unbroken(words: str) -> str:
    """Format with non-breaking spaces between numbers and units."""
    return UNIT.sub(UNBROKEN, words).replace("tok/s", f"tok/{JOINED}s")


def _format_duration(seconds: float, words: tuple[str, str, str, str]) -> str:
    milliseconds_only, seconds_only, minutes_too, hours_too = words
    if round(seconds * 1000) < 1000:
        return milliseconds_only.format(f"{seconds * 1000:.0f}")
    if round(seconds, 1) < MINUTE_S:
        return seconds_only.format(f"{seconds:.2f}" if round(seconds, 2) < 10 else f"{seconds:.1f}")
    whole = round(seconds)
    if whole < HOUR_S:
        return minutes_too.format(whole // MINUTE_S, whole % MINUTE_S)
    return hours_too.format(whole // HOUR_S, whole % HOUR_S // MINUTE_S)


def weight_format(bits: int | None, group_size: int | None, dtype: str) -> str:
    """Format the type of weights in files: 8-bit, group 64; float16; empty if unknown."""
    if not bits:
        return dtype
    if group_size is None:
        return tr("{bits}-bit").format(bits=bits)
    return tr("{bits}-bit, group {size}").format(bits=bits, size=group_size)


def computed_format(weights: WeightFormat) -> str:
    """Format the type of weights in files and in memory: float16, computed in float32; empty if unknown."""
    stored, computed = weight_format(weights.bits, weights.group_size, weights.dtype), weights.computed_in
    if weights.unpacked:
        return tr("{stored}, dequantized to {precision}").format(stored=stored, precision=computed)
    if computed and stored and computed != stored:
        return tr("{stored}, computed in {precision}").format(stored=stored, precision=computed)
    return stored


def model_label(name: str, weights: WeightFormat, adapter: str = "") -> str:
    """Name a model with its adapter and the format of its weights: “SmolLM2 + tuned, 8-bit”."""
    known = f"{name} + {adapter}" if adapter else name
    stored = weight_format(weights.bits, None, weights.dtype)
    return tr("{model}, {format}").format(model=known, format=stored) if stored else known


def precision_words(precision: str) -> str:
    """Return a note on probabilities in half precision; empty for other dtypes."""
    if precision not in HALVES:
        return ""
    words = tr("Computed in {precision}: probabilities have a relative error of some {percent} %.")
    return words.format(precision=precision, percent=f"{HALVES[precision]:g}")
