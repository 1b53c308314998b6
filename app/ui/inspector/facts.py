"""The figures of one token, in words: what each is called, what it is, and what it means."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from app.definitions import meaning
from app.engine.meter.trace import Origin, TraceToken
from app.engine.types import TokenLogprobs
from app.i18n import tr
from app.number_format import DASH, bits, chance, duration, minus, short_duration

ORIGINS = {
    Origin.MODEL: tr("model"),
    Origin.DRAFT: tr("accepted draft"),
    Origin.USER: tr("you"),
    Origin.BUDGET: tr("reasoning budget"),
}


@dataclass(frozen=True, slots=True)
class Fact:
    """`short` stands over the figure; `name` is what it is called where there is room, and to screen readers."""

    key: str
    short: str
    name: str
    say: Callable[[TraceToken], str]

    @property
    def tip(self) -> str:
        return meaning(self.key)


def logprob(value: float) -> str:
    """Finer where it is nearly certain, so that 99.96 % does not read as certain here."""
    return minus(f"{value:.{3 if value <= -0.01 else 4}f}")


def logit(value: float) -> str:
    return minus(f"{value:.2f}")


def _told(value: float, say: Callable[[float], str]) -> str:
    """A server does not tell everything."""
    return DASH if math.isnan(value) else say(value)


def _seen(say: Callable[[TokenLogprobs], str]) -> Callable[[TraceToken], str]:
    """What only a recorded choice tells."""
    return lambda token: DASH if token.observed is None else say(token.observed)


FACTS = (
    Fact(
        "probability", tr("Probability"), tr("Probability"), _seen(lambda seen: chance(math.exp(seen.chosen.logprob)))
    ),
    Fact("surprise", tr("Surprise"), tr("Surprise"), _seen(lambda seen: bits(-seen.chosen.logprob))),
    Fact("rank", tr("Rank"), tr("Rank"), _seen(lambda seen: f"{seen.rank:,}")),
    Fact("logprob", tr("Log-prob."), tr("Log-probability"), _seen(lambda seen: logprob(seen.chosen.logprob))),
    Fact("entropy", tr("Entropy"), tr("Entropy"), _seen(lambda seen: _told(seen.entropy, bits))),
    Fact("raw_logit", tr("Raw logit"), tr("Raw logit"), _seen(lambda seen: _told(seen.chosen.raw_logit, logit))),
    Fact("arrival", tr("Arrived"), tr("Arrival, since Send"), lambda token: duration(token.at)),
    Fact(
        "gap",
        tr("Gap"),
        tr("Inter-token latency"),
        lambda token: DASH if token.gap is None else short_duration(token.gap),
    ),
    Fact(
        "end",
        tr("P(EOS)"),
        tr("EOS probability"),
        _seen(lambda seen: _told(seen.eos_probability, chance)),
    ),
    Fact("id", tr("Id"), tr("Id"), lambda token: f"{token.id}" if token.id >= 0 else DASH),
    Fact("origin", tr("Chosen by"), tr("Chosen by"), lambda token: ORIGINS[token.origin]),
)
