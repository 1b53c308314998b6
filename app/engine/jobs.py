"""What an engine does besides generation: each job is a frozen value, and `Engine.run_job` returns its result."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from app.engine.types import (
    AblationResult,
    Attention,
    AttentionMatrix,
    Decoded,
    Event,
    Failure,
    HiddenStates,
    LensResult,
    Matrix,
    PromptSource,
    Reads,
    Request,
    Speeds,
    TokenDifference,
    TokenWeights,
    Weight,
    Where,
)
from app.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine.distributions import Distributions  # imports numpy

Result = TypeVar("Result", covariant=True)
Begun = list[Weight | None] | None


class Job(Generic[Result]):
    """Returns its Result, a Failure, or Stopped. No job changes the conversation's KV cache."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PromptJob(Job[Result]):
    """A job that prefills a prompt."""

    source: PromptSource


@dataclass(frozen=True, slots=True)
class ScoreTokens(PromptJob[TokenWeights]):
    """The log-probability of each token of a prompt."""

    strength: float = 1.0
    """The scale of the adapter, if there is one."""
    kept: "Distributions | None" = None
    """Gets the distribution at each position."""
    begun: Begun = None
    """Gets each weight at once; a pass that was stopped continues after the weights in it."""


@dataclass(frozen=True, slots=True)
class CompareTokens(PromptJob[TokenWeights]):
    """The same, and the difference to the distributions of a first model with the same vocabulary."""

    kept: "Distributions"
    found: list[TokenDifference]
    """Gets the difference at each position."""
    begun: Begun = None
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class ReadLens(PromptJob[LensResult]):
    """The logit lens after these tokens of a prompt."""

    places: range
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class ReadAttention(PromptJob[Attention]):
    """The attention of each head from one token of a prompt."""

    place: int
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class ReadAttentionMatrix(PromptJob[AttentionMatrix]):
    """The attention matrix of one head; None: the mean over the heads of the layer."""

    layer: int
    head: int | None
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class ReadHiddenStates(PromptJob[HiddenStates]):
    """The hidden states after each layer at one token of a prompt, and their similarity to those around it."""

    place: int
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class Ablate(PromptJob[AblationResult]):
    """Attribution by ablation: the log-probability of the tokens from `answer` on without each part of the prompt.

    Also of the alternatives at `place`.
    """

    answer: int
    place: int
    parts: Sequence[range]
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class CountReads(Job[Reads]):
    """The bytes that a decode step reads with `context` tokens before it."""

    context: int


@dataclass(frozen=True, slots=True)
class MeasureSpeeds(Job[Speeds]):
    """How fast this computer reads and multiplies such matrices. Takes two seconds."""

    matrix: Matrix
    working_set: int


@dataclass(frozen=True, slots=True)
class MeasureDecoding(Job[Decoded]):
    """The prefill and decode speed with `context` tokens before the next one."""

    context: int


@dataclass(frozen=True, slots=True)
class MeasureRun(Job[Where]):
    """A run once more, for the time of each part of a token. `keep` gets the events, as a recorder does."""

    request: Request
    keep: "Callable[[Event], None]"


MEASURING = (CountReads, MeasureSpeeds, MeasureDecoding, MeasureRun)


def no_logits() -> Failure:
    """Return why a model on a server can't be looked into."""
    what = tr("A server doesn't return the logits of its model.")
    return Failure(what, tr("Open a model on this machine."), kind="logits")


def unsupported(job: Job[Result]) -> Failure:
    """Return why an engine without a local model can't do a job."""
    if not isinstance(job, MEASURING):
        return no_logits()
    what = tr("The cost of a token on a server can't be measured.")
    return Failure(what, tr("Open a model on this machine."), kind="logits")
