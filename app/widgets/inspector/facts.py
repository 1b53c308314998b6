"""The figures of one token, in words: what each is called, what it is, and what it means."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from app.engine.trace import Origin, Traced
from app.engine.types import Observed
from app.widgets.formatting import DASH, chance, duration, minus, short_duration
from app.words import tr

ORIGINS = {Origin.MODEL: tr("model"), Origin.DRAFT: tr("accepted draft"), Origin.USER: tr("you")}


@dataclass(frozen=True, slots=True)
class Fact:
    """`short` stands over the figure; `name` is what it is called where there is room, and to screen readers."""

    key: str
    short: str
    name: str
    tip: str
    say: Callable[[Traced], str]


def bits(nats: float) -> str:
    return tr("{number} bits").format(number=f"{max(0.0, nats) / math.log(2):.2f}")


def logprob(value: float) -> str:
    """Finer where it is nearly certain, so that 99.96 % does not read as certain here."""
    return minus(f"{value:.{3 if value <= -0.01 else 4}f}")


def logit(value: float) -> str:
    return minus(f"{value:.2f}")


def _seen(say: Callable[[Observed], str]) -> Callable[[Traced], str]:
    """What only a recorded choice tells."""
    return lambda token: DASH if token.observed is None else say(token.observed)


FACTS = (
    Fact(
        "probability",
        tr("Probability"),
        tr("Probability"),
        tr("How likely the model found this token here: after penalties and bias, before temperature and truncation"),
        _seen(lambda seen: chance(math.exp(seen.chosen.logprob))),
    ),
    Fact(
        "surprise",
        tr("Surprise"),
        tr("Surprise"),
        tr("−log₂ of the probability, in bits: 1 bit is the toss of a coin, 10 bits are one chance in a thousand"),
        _seen(lambda seen: bits(-seen.chosen.logprob)),
    ),
    Fact(
        "rank",
        tr("Rank"),
        tr("Rank"),
        tr("Its place among all tokens that the model knows; the likeliest one is 1"),
        _seen(lambda seen: f"{seen.rank:,}"),
    ),
    Fact(
        "logprob",
        tr("Log-prob."),
        tr("Log-probability"),
        tr("The natural logarithm of the probability: 0 is certain"),
        _seen(lambda seen: logprob(seen.chosen.logprob)),
    ),
    Fact(
        "entropy",
        tr("Entropy"),
        tr("Entropy"),
        tr("How open the choice was, in bits: 0 is certain, n bits are a choice among 2ⁿ equally likely tokens"),
        _seen(lambda seen: bits(seen.entropy)),
    ),
    Fact(
        "raw_logit",
        tr("Raw logit"),
        tr("Raw logit"),
        tr("The number that the model gave this token, before penalties and bias; it has no unit"),
        _seen(lambda seen: logit(seen.chosen.raw_logit)),
    ),
    Fact(
        "arrival",
        tr("Arrived"),
        tr("Arrival, since Send"),
        tr("The time from Send of its run to this token"),
        lambda token: duration(token.at),
    ),
    Fact(
        "gap",
        tr("Gap"),
        tr("Gap to the token before"),
        tr("The time since the token before it in the same run"),
        lambda token: DASH if token.gap is None else short_duration(token.gap),
    ),
    Fact(
        "end",
        tr("End here"),
        tr("Probability of the end here"),
        tr("How likely the model found it to end the answer here instead of going on"),
        _seen(lambda seen: chance(seen.eos_probability)),
    ),
    Fact("id", tr("Id"), tr("Id"), tr("The token's number in the model's vocabulary"), lambda token: f"{token.id}"),
    Fact(
        "origin",
        tr("Chosen by"),
        tr("Chosen by"),
        tr("The model; the draft model, whose proposal the model accepted; or you, where you went on another way"),
        lambda token: ORIGINS[token.origin],
    ),
)
