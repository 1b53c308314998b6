"""Results of interpretability: logit lens, attention, hidden states, ablation."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from heapq import nlargest

from app.engine.types.alternatives import Alternative

SAME = 0.99
"""States with this cosine or more count as equal."""
WHOLE_TOKENS = 1_024
"""Up to this many tokens, attention is computed from every token; in longer texts, only from the selected token."""


@dataclass(frozen=True, slots=True)
class LayerPrediction:
    """The logit lens at one layer: its hidden state after the model's last norm and output head."""

    top: Sequence[Alternative]
    """Alternatives, best first, before penalties."""
    entropy: float
    """Entropy in nats."""
    logprob: float
    """Logprob of the actual next token."""

    @property
    def first(self) -> Alternative:
        return self.top[0]


@dataclass(frozen=True, slots=True)
class LensPosition:
    """The logit lens at one position. The last prediction is the model's own output."""

    position: int
    """Index of the last input token, from 0."""
    said: int
    """Id of the next token, or of the model's first choice if there is none yet."""
    said_text: str
    guesses: tuple[LayerPrediction, ...]
    real: LayerPrediction
    """Prediction of an ordinary forward pass."""

    @property
    def leads_at(self) -> int | None:
        """First layer where the next token is the likeliest; None if there is none."""
        return next(self._leading(), None)

    @property
    def stays_from(self) -> int | None:
        """First layer from which the next token stays the likeliest to the end; None if there is none."""
        leading, last = set(self._leading()), len(self.guesses)
        while last - 1 in leading:
            last -= 1
        return last if last < len(self.guesses) else None

    def _leading(self) -> Iterator[int]:
        return (layer for layer, guess in enumerate(self.guesses) if guess.first.id == self.said)


@dataclass(frozen=True, slots=True)
class LensResult:
    positions: tuple[LensPosition, ...]
    max_difference: float
    """Largest difference of the last layer's logits from the real ones, relative to the largest logit."""


class HeadKind(StrEnum):
    """What a head attends to most."""

    ITSELF = "itself"
    PREVIOUS = "previous token"
    FIRST = "first token"
    INDUCTION = "induction"
    """The token after an earlier occurrence of the current token."""
    SAME = "same token before"
    DELIMITER = "delimiter"
    SPREAD = "spread"


class HeadGroup(StrEnum):
    """What a head does over the last tokens of a text, apart from its weight on the first token."""

    INDUCTION = "induction"
    PREVIOUS = "previous token"
    DUPLICATE = "duplicate token"
    """Earlier occurrences of the current token."""
    LOCAL = "local"
    """The token itself and the tokens shortly before it."""
    BROAD = "broad"
    """None of the above."""
    FIRST = "first token"
    """Almost only the first token, the attention sink."""


@dataclass(frozen=True, slots=True)
class Head:
    """Attention weights of one head from one token to the earlier ones."""

    layer: int
    head: int
    weights: Sequence[float]
    """One weight for each token up to this one. The rest to 1 goes to an attention sink."""
    here: HeadKind
    """Kind of the head at this token."""
    here_share: float
    """Share of the weight at this token that fits the kind; for `spread`, the share that fits no kind."""
    kind: HeadKind
    """Kind in the mean over the last tokens of the text."""
    share: float
    scores: Mapping[HeadGroup, float] = field(default_factory=dict)
    """A score from 0 to 1 for each group: see `app.engine.token_patterns`."""

    @property
    def group(self) -> HeadGroup:
        """Return the first group whose score is high enough."""
        found = (group for group, least in LEAST_SCORES.items() if self.scores.get(group, 0.0) >= least)
        return next(found, HeadGroup.BROAD)


def strongest(weights: Sequence[float], count: int) -> list[int]:
    """Return the positions with the largest weights, in the order of the text."""
    return nlargest(count, range(len(weights)), key=weights.__getitem__)


LEAST_SCORES = {
    HeadGroup.INDUCTION: 0.4,
    HeadGroup.PREVIOUS: 0.4,
    HeadGroup.DUPLICATE: 0.4,
    HeadGroup.FIRST: 0.9,
    HeadGroup.LOCAL: 0.6,
}
"""The least score of a head of each group, in the order in which the groups are tried. `first token` isn't the first:
induction heads attend to the first token wherever nothing repeats.
"""


@dataclass(frozen=True, slots=True)
class Attention:
    position: int
    heads: tuple[Head, ...]
    max_difference: float
    """Largest difference between the output computed from these weights and the layers' real output, relative to the
    largest value.
    """

    def by_kind(self) -> list[Head]:
        """Return the heads grouped by kind, those with the largest share first.

        Attention sinks, to which most heads of most models attend, come after all others but heads without a kind.
        """
        clearest: dict[HeadKind, float] = {}
        for head in self.heads:
            clearest[head.here] = max(head.here_share, clearest.get(head.here, 0.0))

        def order(head: Head) -> tuple[bool, bool, float, str, float]:
            kind = head.here
            return kind is HeadKind.SPREAD, kind is HeadKind.FIRST, -clearest[kind], kind, -head.here_share

        return sorted(self.heads, key=order)

    def by_group(self) -> dict[HeadGroup, list[Head]]:
        """Return the heads of each group, those with the largest score first."""
        groups: dict[HeadGroup, list[Head]] = {group: [] for group in HeadGroup}
        for head in self.heads:
            groups[head.group].append(head)
        for group, heads in groups.items():
            heads.sort(key=lambda head: -head.scores.get(group, 0.0))
        return groups


class AblationUnit(StrEnum):
    """Unit of ablation, from the finest to the coarsest."""

    TOKEN = "tokens"
    SENTENCE = "sentences"
    TURN = "turns"
    """One message."""
    STRETCH = "stretches"
    """Adjacent turns together, if there are too many."""


@dataclass(frozen=True, slots=True)
class AnswerLogprob:
    """Log-probabilities of an answer after one prompt."""

    answer: float
    """Log-probability of the complete answer."""
    candidates: tuple[float, ...]
    """Log-probability of each alternative at the selected token, given the answer before it."""


@dataclass(frozen=True, slots=True)
class AblationResult:
    """Log-probabilities of an answer with the whole prompt, and with each part left out."""

    parts: tuple[range, ...]
    """Index ranges of the parts. No part has the first id."""
    whole: AnswerLogprob
    without: tuple[AnswerLogprob, ...]
    """Log-probabilities without each part."""
    alone: AnswerLogprob
    """Log-probabilities without any part."""
    candidates: tuple[Alternative, ...]
    """Alternatives at the selected position: the actual token, then the likeliest others."""
    spare: tuple[int, ...]
    """Indices of parts that can all be left out without changing the model's first choice anywhere in the answer."""
    kept: tuple[int, ...]
    """Prompt ids without them."""
    sooner_s: float
    """Seconds of prefill saved, both measured without a cache."""
    greedy: bool
    """Whether every token of the answer was the model's first choice."""
    max_difference: float
    """Largest difference of the log-probabilities when the prompt is prefilled in other chunks."""

    def effects(self, of: Callable[[AnswerLogprob], float]) -> list[float]:
        """Effect of each part, in nats: log-probability with the part minus log-probability without it."""
        return [of(self.whole) - of(each) for each in self.without]


def of_answer(odds: AnswerLogprob) -> float:
    return odds.answer


def of_token(odds: AnswerLogprob) -> float:
    return odds.candidates[0]


def rather_than(other: int) -> Callable[[AnswerLogprob], float]:
    """Return log-probability of the actual token minus that of this alternative."""
    return lambda odds: odds.candidates[0] - odds.candidates[other]


@dataclass(frozen=True, slots=True)
class AttentionMatrix:
    """Attention matrix of one head, or of the mean over a layer's heads."""

    layer: int
    head: int | None
    """None for the mean over the layer's heads, which can show links that no single head has."""
    size: int
    weights: Sequence[float]
    """Row-major: from each token to each token."""
    max_difference: float


@dataclass(frozen=True, slots=True)
class LayerState:
    """Hidden state after one layer at one token, compared with the layer's input."""

    norm: float
    change: float | None
    """Norm of the layer's contribution divided by the norm of its input; None if the shapes differ."""
    cosine: float | None
    """Cosine between output and input."""


@dataclass(frozen=True, slots=True)
class EmbeddingNeighbor:
    id: int
    text: str
    cosine: float


@dataclass(frozen=True, slots=True)
class RepetitionLoop:
    start: int
    period: int
    end: int
    """Index after its last token."""


@dataclass(frozen=True, slots=True)
class HiddenStates:
    """Hidden states of all layers at one token, and their similarity in a window around it."""

    position: int
    layers: tuple[LayerState, ...]
    near: tuple[EmbeddingNeighbor, ...] | None
    """Nearest first, without the token itself; None if the embedding matrix wasn't found."""
    first: int
    """Index of the window's first token."""
    size: int
    """Number of tokens in the window."""
    alike: tuple[Sequence[float], ...]
    """For each layer, the cosine of all pairs of positions in the window, row-major."""
    loop: RepetitionLoop | None
    """In the whole input."""

    def agree_from(self, loop: RepetitionLoop) -> int | None:
        """Return the token of the loop from which the last layer's states repeat to its end; None if they don't."""
        last, found = self.alike[-1], None
        for position in reversed(
            range(max(loop.start, self.first), min(loop.end, self.first + self.size) - loop.period)
        ):
            at = position - self.first
            if last[at * self.size + at + loop.period] < SAME:
                break
            found = position
        return found
