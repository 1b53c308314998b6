"""What stands inside a model at one token: what each layer would have said there, and which words made it so."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from heapq import nlargest

from app.engine.types.alternatives import Alternative

SAME = 0.99
"""Two states with this cosine are called the same."""
WHOLE_TOKENS = 1_024
"""Heads are seen from every token of so long a text; of a longer one, which is not read anew, from the picked one."""


@dataclass(frozen=True, slots=True)
class LayerPrediction:
    """What would follow if the model ended at this layer: by its own last norm and readout."""

    top: Sequence[Alternative]
    """Best first, before any penalty."""
    entropy: float
    """In nats."""
    logprob: float
    """Of the token that really follows."""

    @property
    def first(self) -> Alternative:
        return self.top[0]


@dataclass(frozen=True, slots=True)
class LensPosition:
    """One place of a text, layer by layer: the last guess is the model's own answer, by way of the lens."""

    position: int
    """Which of the ids the model had read last, counted from 0."""
    said: int
    """The id that follows there; where none does yet, the model's first choice."""
    said_text: str
    guesses: tuple[LayerPrediction, ...]
    real: LayerPrediction
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
class LensResult:
    """A stretch of a text, place by place."""

    places: tuple[LensPosition, ...]
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


def strongest(weights: Sequence[float], count: int) -> list[int]:
    """The places that most of them go to, the first of these first."""
    return nlargest(count, range(len(weights)), key=weights.__getitem__)


@dataclass(frozen=True, slots=True)
class Attention:
    """Of all layers that attend, head by head."""

    position: int
    heads: tuple[Head, ...]
    max_difference: float
    """Of what these weights bring forth from the layers' real output, by the largest of it."""

    def by_kind(self) -> list[Head]:
        """Those that do the same stand together, the clearest first; those that do nothing clearly come last."""
        clearest: dict[HeadKind, float] = {}
        for head in self.heads:
            clearest[head.here] = max(head.here_share, clearest.get(head.here, 0.0))

        def order(head: Head) -> tuple[bool, float, str, float]:
            return head.here is HeadKind.SPREAD, -clearest[head.here], head.here, -head.here_share

        return sorted(self.heads, key=order)


class Unit(StrEnum):
    """What is left out of a prompt at a time, from the finest on."""

    TOKEN = "tokens"
    SENTENCE = "sentences"
    TURN = "turns"
    """All that one of them said."""
    STRETCH = "stretches"
    """Neighbouring turns together, where there are too many."""


@dataclass(frozen=True, slots=True)
class AnswerLogprob:
    """How likely an answer is behind one prompt, as logarithms of probabilities."""

    answer: float
    """Of all its tokens together."""
    candidates: tuple[float, ...]
    """Of what could stand at the picked place, given the answer up to there."""


@dataclass(frozen=True, slots=True)
class AblationResult:
    """An answer's odds behind its prompt, and without one part of that after the other."""

    parts: tuple[range, ...]
    """Places of their ids. The very first id is in none of them."""
    whole: AnswerLogprob
    without: tuple[AnswerLogprob, ...]
    """For each part."""
    alone: AnswerLogprob
    """Without all of them."""
    candidates: tuple[Alternative, ...]
    """At the picked place: the token that is there, then the likeliest others."""
    spare: tuple[int, ...]
    """The numbers of parts without all of which the model's first choice is the same all along the answer."""
    kept: tuple[int, ...]
    """The prompt's ids without these."""
    sooner_s: float
    """So much less it took to read that, both read from nothing."""
    greedy: bool
    """Each of the answer's tokens was the model's first choice."""
    max_difference: float
    """Of the answer's odds, where the prompt is read in other pieces, by their size."""

    def effects(self, of: Callable[[AnswerLogprob], float]) -> list[float]:
        """What each part does for something, in nats: the logarithm of its probability with it less that without."""
        return [of(self.whole) - of(each) for each in self.without]


def of_answer(odds: AnswerLogprob) -> float:
    return odds.answer


def of_token(odds: AnswerLogprob) -> float:
    return odds.candidates[0]


def rather_than(other: int) -> Callable[[AnswerLogprob], float]:
    """The token that is there, and not this one of the candidates."""
    return lambda odds: odds.candidates[0] - odds.candidates[other]


@dataclass(frozen=True, slots=True)
class AttentionMatrix:
    """What one head, or the heads of a layer in their mean, attend to from each token of a text."""

    layer: int
    head: int | None
    """None: the mean over the layer's heads. A mean has links that no head needs to have."""
    size: int
    weights: Sequence[float]
    """Row by row: from each token to each."""
    max_difference: float


@dataclass(frozen=True, slots=True)
class LayerState:
    """What one layer hands on at one token, as a vector."""

    norm: float
    change: float | None
    """The length of what the layer adds, by that of what came in; None: what came in is of another form."""
    cosine: float | None
    """Of what it hands on with what came in."""


@dataclass(frozen=True, slots=True)
class EmbeddingNeighbor:
    """A token whose row of the embedding points nearly where another one's does."""

    id: int
    text: str
    cosine: float


@dataclass(frozen=True, slots=True)
class RepetitionLoop:
    """A stretch that says the same tokens over and over."""

    start: int
    period: int
    end: int
    """Behind its last token."""


@dataclass(frozen=True, slots=True)
class HiddenStates:
    """What a model's layers hand on, as vectors: at one token, and how alike it is at the tokens around."""

    position: int
    layers: tuple[LayerState, ...]
    near: tuple[EmbeddingNeighbor, ...] | None
    """Beside the token itself, nearest first; None: the embedding was not found."""
    first: int
    """The window's first token among all that was read,"""
    size: int
    """and how many it has."""
    alike: tuple[Sequence[float], ...]
    """For each layer: the cosine between any two places of the window, row by row."""
    loop: RepetitionLoop | None
    """In all that was read."""

    def agree_from(self, loop: RepetitionLoop) -> int | None:
        """The first token of a loop from which on what the last layer hands on is the same one round later."""
        last, found = self.alike[-1], None
        for place in reversed(range(max(loop.start, self.first), min(loop.end, self.first + self.size) - loop.period)):
            at = place - self.first
            if last[at * self.size + at + loop.period] < SAME:
                break
            found = place
        return found
