"""What stands inside a model at one token: what each layer would have said there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.engine.types.candidates import Candidate


@dataclass(frozen=True, slots=True)
class Guess:
    """What would follow if the model ended at this layer: by its own last norm and readout."""

    top: Sequence[Candidate]
    """Best first, before any penalty."""
    entropy: float
    """In nats."""
    logprob: float
    """Of the token that really follows."""

    @property
    def first(self) -> Candidate:
        return self.top[0]


@dataclass(frozen=True, slots=True)
class Depth:
    """One place of a text, layer by layer: the last guess is the model's own answer, by way of the lens."""

    position: int
    """Which of the ids the model had read last, counted from 0."""
    said: int
    """The id that follows there; where none does yet, the model's first choice."""
    said_text: str
    guesses: tuple[Guess, ...]
    real: Guess
    """What the model says when it is left alone."""

    @property
    def leads_at(self) -> int | None:
        """The first layer where the token that follows is the likeliest; None: in none."""
        return next(self._leading(), None)

    @property
    def stays_from(self) -> int | None:
        """The layer from which on it is so in all; None: not even in the last."""
        leading, last = set(self._leading()), len(self.guesses)
        while last - 1 in leading:
            last -= 1
        return last if last < len(self.guesses) else None

    def _leading(self) -> Iterator[int]:
        return (layer for layer, guess in enumerate(self.guesses) if guess.first.id == self.said)


@dataclass(frozen=True, slots=True)
class Inside:
    """A stretch of a text, place by place."""

    places: tuple[Depth, ...]
    max_difference: float
    """Of the last layer's logits from the real ones, by the largest of these."""


class HeadKind(StrEnum):
    """What a head attends to most, over a text."""

    ITSELF = "itself"
    PREVIOUS = "previous token"
    FIRST = "first token"
    INDUCTION = "induction"
    """What followed the same token before."""
    SAME = "same token before"
    DELIMITER = "delimiter"
    SPREAD = "spread"


@dataclass(frozen=True, slots=True)
class Head:
    """One head's weights from one token back: the values of these tokens go into it by so much."""

    layer: int
    head: int
    weights: Sequence[float]
    """For each token of the text up to this one. What is missing to 1 goes to a sink."""
    here: HeadKind
    """What it does from this token,"""
    here_share: float
    """and how much of its weight it gives to that; of what is spread, what no kind has."""
    kind: HeadKind
    """The same in the mean of the text's last tokens, as far as these were read."""
    share: float

    def strongest(self, count: int) -> list[int]:
        """The places that it attends to most."""
        return sorted(range(len(self.weights)), key=lambda place: -self.weights[place])[:count]


@dataclass(frozen=True, slots=True)
class Attention:
    """Of all layers that attend, head by head."""

    position: int
    heads: tuple[Head, ...]
    max_difference: float
    """Of what these weights bring forth from the layers' real output, by the largest of it."""
