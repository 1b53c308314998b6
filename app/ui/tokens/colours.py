"""What the ground of a token tells: one value at a time, as one hue from faint to strong, in light and in dark."""

import math
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtGui import QColor

from app.engine.meter.speeds import percentile
from app.engine.meter.trace import Origin, Trace
from app.i18n import tr
from app.ui.look import Colour, Theme
from app.ui.tokens.chip import mixed


class Colouring(StrEnum):
    """What the grounds tell."""

    PROBABILITY = "probability"
    SURPRISE = "surprise"
    ENTROPY = "entropy"
    FORBIDDEN = "forbidden"
    GAP = "gap"
    ORIGIN = "origin"
    NONE = "none"
    """Just where each token begins and ends."""


OF_CANDIDATES = frozenset({Colouring.PROBABILITY, Colouring.SURPRISE, Colouring.ENTROPY, Colouring.FORBIDDEN})
"""These are known only where candidates were recorded."""
NAMES = {
    Colouring.PROBABILITY: tr("Probability"),
    Colouring.SURPRISE: tr("Surprisal"),
    Colouring.ENTROPY: tr("Entropy"),
    Colouring.FORBIDDEN: tr("Forbidden"),
    Colouring.GAP: tr("Time"),
    Colouring.ORIGIN: tr("Origin"),
    Colouring.NONE: tr("Nothing"),
}
DEFINITIONS = {
    Colouring.PROBABILITY: tr(
        "Probability: how likely each token was, after penalties, before temperature and truncation"
    ),
    Colouring.SURPRISE: tr("Surprise: −log₂ of the token's probability. 0 bits was certain, 1 bit is a coin's toss"),
    Colouring.ENTROPY: tr(
        "Entropy: how open the choice was. 0 bits is no choice, 1 bit is one of two, 2 bits one of four"
    ),
    Colouring.FORBIDDEN: tr(
        "Forbidden: the share of probability that the output format took, after penalties, before temperature"
    ),
    Colouring.GAP: tr("Time: milliseconds since the token before it came"),
    Colouring.ORIGIN: tr("Origin: the model, the draft model (and the model agreed), or you"),
    Colouring.NONE: tr("Only where each token begins and ends"),
}
LEVELS = 12
TOP_BITS = {Colouring.SURPRISE: 10.0, Colouring.ENTROPY: 8.0}
FAINTEST = 0.11
"""Of the strongest ground, so that a token's borders are seen at any value."""
NEUTRAL = 0.17
LOOKS = 16
SAMPLE = 1_000
"""Gaps looked at to find the scale's end, however long the answer is."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What is told, and up to which gap in seconds; `observed` is whether candidates were recorded."""

    colouring: Colouring
    top_s: float | None = None
    observed: bool = True


PLAIN, DRAFT, USER = -1, -2, -3
"""Tones beside the levels of a scale: nothing to tell, and the origins that are not the model."""
Tone = int


def tone_of(trace: Trace, place: int, scale: Scale) -> Tone:
    """A level from 0 (faint) to LEVELS - 1 (strong), or one of the tones beside them."""
    if scale.colouring is Colouring.NONE:
        return PLAIN
    if scale.colouring is Colouring.ORIGIN:
        return {Origin.DRAFT: DRAFT, Origin.USER: USER, Origin.BUDGET: USER}.get(trace.origin(place), PLAIN)
    strength = strength_of(trace, place, scale)
    return PLAIN if strength is None else min(LEVELS - 1, int(strength * LEVELS))


def strength_of(trace: Trace, place: int, scale: Scale) -> float | None:
    """From 0 to 1; None where nothing is known."""
    if scale.colouring is Colouring.GAP:
        gap = trace.gap(place)
        return min(1.0, max(0.0, gap) / scale.top_s) if gap is not None and scale.top_s else None
    observed = trace.observed_at(place)
    if observed is None:
        return None
    if scale.colouring is Colouring.FORBIDDEN:
        return None if observed.formed is None else observed.formed.removed
    if scale.colouring is Colouring.PROBABILITY:
        return 1.0 - min(1.0, math.exp(observed.chosen.logprob))
    nats = observed.entropy if scale.colouring is Colouring.ENTROPY else -observed.chosen.logprob
    if math.isnan(nats):
        return None
    return min(1.0, max(0.0, nats / math.log(2)) / TOP_BITS[scale.colouring])


def ground(tone: Tone, theme: Theme, strong: Colour = Colour.TOKEN) -> QColor:
    """What a token of this tone stands on; `strong` is the end of its scale."""
    surface = theme.colour(Colour.SURFACE)
    if tone >= 0:
        return mixed(theme.colour(strong), surface, share_of(tone))
    role = {DRAFT: Colour.DRAFT_ACCEPTED, USER: Colour.ACCENT}.get(tone, Colour.OUTLINE)
    return mixed(theme.colour(role), surface, NEUTRAL if tone == PLAIN else 2 * NEUTRAL)


def likely_ground(share: float, theme: Theme) -> QColor:
    """The likelier, from 0 to 1, the stronger."""
    return ground(min(LEVELS - 1, int(share * LEVELS)), theme, Colour.LIKELY)


def share_of(level: Tone) -> float:
    """How much of the strongest ground there is at a level."""
    return FAINTEST + (1 - FAINTEST) * level / (LEVELS - 1)


def is_observed(trace: Trace) -> bool:
    """Whether candidates were recorded, as far as a few tokens tell."""
    length = len(trace)
    return not length or any(
        trace.observed_at(place) is not None for place in range(0, length, max(1, length // LOOKS))
    )


def top_gap(trace: Trace) -> float | None:
    """The p99 of an answer's gaps, rounded up to 1, 2 or 5 of its power of ten; None where there is none."""
    step = max(1, len(trace) // SAMPLE)
    gaps = sorted(gap for place in range(0, len(trace), step) if (gap := trace.gap(place)) is not None)
    p99 = percentile(gaps, 99) if gaps else 0.0
    if p99 <= 0:
        return None
    power = 10.0 ** math.floor(math.log10(p99))
    return next(nice * power for nice in (1, 2, 5, 10) if nice * power >= p99 * (1 - 1e-9))
