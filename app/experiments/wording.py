"""How a measured difference is said."""

from __future__ import annotations

from collections.abc import Sequence

from app.experiments.judging import Judgement, Verdict

TIMES = 1.95
"""From here on people say "twice as fast", below it so many percent."""
LEVEL = 0.005
"""What rounds to no percent at all."""
UNMEASURED = "Nothing was measured."
TOO_FEW = ", in too few runs to tell it from noise"


def level(ratio: float) -> bool:
    return abs(ratio - 1) < LEVEL


def faster(ratio: float) -> str:
    """How the second is, if `ratio` is its speed in speeds of the first."""
    if level(ratio):
        return "just as fast"
    if ratio >= TIMES:
        return f"{three_digits(ratio)} times as fast"
    if ratio >= 1:
        return f"{ratio - 1:.0%} faster".replace("%", " %")
    if ratio <= 1 / TIMES:
        return f"{three_digits(1 / ratio)} times as slow"
    return f"{1 - ratio:.0%} slower".replace("%", " %")


def beside(ratio: float, other: str) -> str:
    """The same, with what it is compared with."""
    said = faster(ratio)
    return f"{said} {'as' if ' as ' in said else 'than'} {other}"


def noise(judged: Judgement, of: str = "speed") -> str:
    """A clause for what does not differ; the extremes tell how much the runs scatter."""
    return f"no difference in {of} beyond noise ({judged.low:.2f}–{judged.high:.2f})"


def doubt(judged: Judgement) -> str:
    """What is added to a difference that few runs can't vouch for."""
    return TOO_FEW if judged.verdict is Verdict.UNSURE else ""


def differs(judged: Judgement) -> bool:
    return judged.verdict is not Verdict.SAME


def three_digits(value: float) -> str:
    """As many digits as a measurement has."""
    if value >= 99.95:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


def size(count: float) -> str:
    """Bytes, in units of 1000 as everywhere here."""
    for limit, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= limit:
            return f"{three_digits(count / limit)} {unit}"
    return f"{count:.0f} bytes"


def duration(seconds: float) -> str:
    """Milliseconds, and seconds from one on."""
    return f"{three_digits(seconds * 1000)} ms" if seconds < 1 else f"{three_digits(seconds)} s"


def sentence(parts: Sequence[str]) -> str:
    """Clauses as one sentence."""
    text = "; ".join(part for part in parts if part)
    return f"{text[:1].upper()}{text[1:]}." if text else UNMEASURED
