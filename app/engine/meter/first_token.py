"""The time to first token and its parts, which add up to it."""

from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Self

from app.engine.types import Finish
from app.i18n import WordedEnum, tr
from app.number_format import SHORT, short_duration

FINE_S, COARSE_S = 1e-4, 1e-3
"""Steps to which the parts are rounded."""
LONG_S, SHORT_PREFILL_S = 1.0, 0.1
"""The coarse step is used if the time to first token is at least `LONG_S` and the prefill isn't short: the time of a
short prefill must agree with its displayed speed.
"""


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
        is_fine = self.ends[-1] < LONG_S or 0 < self.seconds[StartPart.PREFILL] < SHORT_PREFILL_S
        return FINE_S if is_fine else COARSE_S

    def _rounded(self) -> list[tuple[StartPart, int, int]]:
        """Return the beginning and the end of each part, in steps."""
        ends = [0, *(round(end / self._step) for end in self.ends)]
        return [(part, *both) for part, both in zip(StartPart, pairwise(ends), strict=True)]

    def _text(self, steps: int) -> str:
        milliseconds, seconds, *_ = SHORT
        is_fine, took = self._step == FINE_S, steps * self._step
        if took < 1:
            return milliseconds.format(f"{1_000 * took:.{int(is_fine)}f}")
        return seconds.format(f"{took:,.{4 if is_fine else 3}f}")


def prefill_time(finish: Finish) -> str:
    """Return the time of the prefill as displayed; empty if it isn't known or rounds to 0."""
    if (parts := FirstTokenTime.of(finish)) is not None:
        return parts.texts.get(StartPart.PREFILL, "")
    times = finish.times
    return short_duration(times.prefill_ended - times.prefill_started) if times.prefill_ended else ""
