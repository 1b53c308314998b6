"""Background colors of tokens for one value, from faint to strong in one hue."""

import math
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtGui import QColor

from app.engine.meter.speeds import percentile
from app.engine.meter.trace import Origin, Trace
from app.engine.types import TokenLogprobs
from app.i18n import tr
from app.ui.look import Color, Theme
from app.ui.tokens.chip_lines import mixed


class Coloring(StrEnum):
    """The value that the background colors show."""

    PROBABILITY = "probability"
    SURPRISE = "surprise"
    ENTROPY = "entropy"
    FORBIDDEN = "forbidden"
    GAP = "gap"
    ORIGIN = "origin"
    NONE = "none"
    """Only the borders of tokens, without a value."""


NEED_LOGPROBS = frozenset({Coloring.PROBABILITY, Coloring.SURPRISE, Coloring.ENTROPY, Coloring.FORBIDDEN})
"""Values that need recorded logprobs."""
NAMES = {
    Coloring.PROBABILITY: tr("Probability"),
    Coloring.SURPRISE: tr("Surprisal"),
    Coloring.ENTROPY: tr("Entropy"),
    Coloring.FORBIDDEN: tr("Ruled out"),
    Coloring.GAP: tr("Latency"),
    Coloring.ORIGIN: tr("Origin"),
    Coloring.NONE: tr("None"),
}
DEFINITIONS = {
    Coloring.PROBABILITY: tr("Probability of each token, after penalties, before temperature and truncation"),
    Coloring.SURPRISE: tr("Surprisal: −log₂ of the token's probability. 0 bits is certain, 1 bit is 50 %"),
    Coloring.ENTROPY: tr(
        "Entropy of the next-token distribution. 0 bits is certain, n bits are 2ⁿ equally likely tokens"
    ),
    Coloring.FORBIDDEN: tr("Ruled out: probability removed by the output format, after penalties, before temperature"),
    Coloring.GAP: tr("Inter-token latency in milliseconds"),
    Coloring.ORIGIN: tr("Origin: the model, an accepted draft, or you"),
    Coloring.NONE: tr("No value, only the borders of tokens"),
}
LEVELS = 12
TOP_BITS = {Coloring.SURPRISE: 10.0, Coloring.ENTROPY: 8.0}
FAINTEST = 0.11
"""Minimum opacity relative to the strongest color, so that the borders of tokens are visible."""
NEUTRAL = 0.17
LOOKS = 16
SAMPLE = 1_000
"""Latencies that are sampled to find the end of the scale."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A color scale: its value, the largest latency in seconds, and `observed`: logprobs were recorded."""

    coloring: Coloring
    top_s: float | None = None
    observed: bool = True


PLAIN, DRAFT, USER = -1, -2, -3
"""Tones outside the levels of a scale: no value, and origins other than the model."""
Tone = int


def tone_of(trace: Trace, position: int, scale: Scale) -> Tone:
    """Return a level from 0 (faint) to LEVELS - 1 (strong), or PLAIN, DRAFT or USER."""
    if scale.coloring is Coloring.NONE:
        return PLAIN
    if scale.coloring is Coloring.ORIGIN:
        return {Origin.DRAFT: DRAFT, Origin.USER: USER, Origin.BUDGET: USER}.get(trace.origin(position), PLAIN)
    strength = strength_of(trace, position, scale)
    return PLAIN if strength is None else min(LEVELS - 1, int(strength * LEVELS))


def strength_of(trace: Trace, position: int, scale: Scale) -> float | None:
    """Return the strength from 0 to 1; None if unknown."""
    if scale.coloring is Coloring.GAP:
        gap = trace.gap(position)
        return min(1.0, max(0.0, gap) / scale.top_s) if gap is not None and scale.top_s else None
    observed = trace.logprobs_at(position)
    return None if observed is None else logprob_strength(observed, scale.coloring)


def logprob_strength(observed: TokenLogprobs, coloring: Coloring) -> float | None:
    """Return the strength from 0 to 1 of a value that needs logprobs; None if unknown."""
    if coloring is Coloring.FORBIDDEN:
        return None if observed.formed is None else observed.formed.removed
    if coloring is Coloring.PROBABILITY:
        return 1.0 - min(1.0, math.exp(observed.chosen.logprob))
    nats = observed.entropy if coloring is Coloring.ENTROPY else -observed.chosen.logprob
    if math.isnan(nats):
        return None
    return min(1.0, max(0.0, nats / math.log(2)) / TOP_BITS[coloring])


def ground(tone: Tone, theme: Theme, strong: Color = Color.TOKEN) -> QColor:
    """Return the background color of a tone; `strong` is the color at the end of the scale."""
    surface = theme.color(Color.SURFACE)
    if tone >= 0:
        return mixed(theme.color(strong), surface, share_of(tone))
    role = {DRAFT: Color.DRAFT_ACCEPTED, USER: Color.ACCENT}.get(tone, Color.OUTLINE)
    return mixed(theme.color(role), surface, NEUTRAL if tone == PLAIN else 2 * NEUTRAL)


def likely_ground(share: float, theme: Theme) -> QColor:
    return ground(min(LEVELS - 1, int(share * LEVELS)), theme, Color.LIKELY)


def share_of(level: Tone) -> float:
    """Return the opacity of a level as a share of the strongest one."""
    return FAINTEST + (1 - FAINTEST) * level / (LEVELS - 1)


def is_observed(trace: Trace) -> bool:
    """Return True if logprobs were recorded, by a sample of tokens."""
    length = len(trace)
    return not length or any(
        trace.logprobs_at(position) is not None for position in range(0, length, max(1, length // LOOKS))
    )


def top_gap(trace: Trace) -> float | None:
    """Return the p99 of an answer's latencies, rounded up to 1, 2 or 5 × 10ⁿ; None if unknown."""
    step = max(1, len(trace) // SAMPLE)
    gaps = sorted(gap for position in range(0, len(trace), step) if (gap := trace.gap(position)) is not None)
    p99 = percentile(gaps, 99) if gaps else 0.0
    if p99 <= 0:
        return None
    power = 10.0 ** math.floor(math.log10(p99))
    return next(nice * power for nice in (1, 2, 5, 10) if nice * power >= p99 * (1 - 1e-9))
