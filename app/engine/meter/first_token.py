"""The time to first token and its parts, which add up to it."""

from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import floor, log10
from typing import Self

from app.engine.types import Finish
from app.i18n import WordedEnum, tr
from app.number_format import SHORT, measured_duration

FINEST_S = 1e-4
"""Times below this are 0 for the user."""
WHOLE_DIGITS, PREFILL_DIGITS = 3, 2
"""Minimum of significant digits of the time to first token, and of the prefill."""


class StartPart(WordedEnum):
    """The parts in their order. `SETUP` also has times before the cache lookup, such as checking an output format."""

    WAITING = "waiting", tr("waiting")
    TEMPLATE = "template", tr("chat template")
    CACHE = "cache", tr("cache lookup")
    SETUP = "setup", tr("setup")
    PREFILL = "prefill", tr("prefill")
    FIRST_STEP = "first_step", tr("first decode step")


@dataclass(frozen=True, slots=True)
class FirstTokenTime:
    """The time to first token by part. `ends`: seconds since Send at the end of each part."""

    ends: tuple[float, ...]

    @classmethod
    def of(cls, finish: Finish) -> Self | None:
        """Return the parts; None without a first token, on a server, and for runs of versions that measured none."""
        times = finish.times
        if not (times.started and times.first_token):
            return None
        rendered = times.started + finish.rendering
        ends = times.started, rendered, rendered + finish.cache_lookup, times.prefill_started, times.prefill_ended
        # A part that the run doesn't have ends where the one before ends.
        return cls(tuple(end - times.sent for end in accumulate((*ends, times.first_token), max)))

    @property
    def seconds(self) -> dict[StartPart, float]:
        return dict(zip(StartPart, (later - earlier for earlier, later in pairwise((0.0, *self.ends))), strict=True))

    @property
    def longest(self) -> StartPart:
        seconds = self.seconds
        return max(seconds, key=lambda part: seconds[part])

    @property
    def texts(self) -> dict[StartPart, str]:
        """The parts as displayed, without those that round to 0. The ends are rounded, so that the texts add up too."""
        return {part: self._text(later - earlier) for part, earlier, later in self._rounded() if later > earlier}

    @property
    def sentence(self) -> str:
        """Return “537.2 ms = waiting 2.1 ms + prefill 510.0 ms + first decode step 25.1 ms”."""
        parts = " + ".join(f"{part.words} {text}" for part, text in self.texts.items())
        return f"{self._text(round(self.ends[-1] / self._step))} = {parts}"

    @property
    def _step(self) -> float:
        """The step in seconds to which all parts are rounded, a power of 10."""
        prefill = self.seconds[StartPart.PREFILL]
        steps = [last_digit(self.ends[-1], WHOLE_DIGITS), *([last_digit(prefill, PREFILL_DIGITS)] if prefill else [])]
        return max(FINEST_S, min(steps))

    def _rounded(self) -> list[tuple[StartPart, int, int]]:
        """Return the beginning and the end of each part, in steps."""
        ends = [0, *(round(end / self._step) for end in self.ends)]
        return [(part, *both) for part, both in zip(StartPart, pairwise(ends), strict=True)]

    def _text(self, steps: int) -> str:
        milliseconds, seconds, *_ = SHORT
        took, decimals = steps * self._step, -round(log10(self._step))
        if took < 1:
            return milliseconds.format(f"{1_000 * took:.{max(0, decimals - 3)}f}")
        return seconds.format(f"{took:,.{max(0, decimals)}f}")


def last_digit(seconds: float, digits: int) -> float:
    """Return the value of the last of these significant digits: 0.01 for 1.61 and three."""
    rounded = float(f"{max(seconds, FINEST_S):.{digits - 1}e}")
    return float(10.0 ** (floor(log10(rounded)) - digits + 1))


def prefill_time(finish: Finish) -> str:
    """Return the time of the prefill as displayed; empty if it isn't known or rounds to 0."""
    times = finish.times
    took = times.prefill_ended - times.prefill_started if times.prefill_ended else 0.0
    return measured_duration(took) if took >= FINEST_S else ""
