"""Jobs besides generation, as frozen values: `Engine.run_job` does one and returns its result."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from app.engine.types import (
    AblationResult,
    Attention,
    AttentionMatrix,
    CacheScores,
    CacheVariant,
    ChoiceScore,
    DecodeSpeed,
    Event,
    ExactPrompt,
    Failure,
    HiddenStates,
    LensResult,
    Matrix,
    PeakSpeeds,
    PromptSource,
    Request,
    RunProfile,
    Sampling,
    StepReads,
    StepTimes,
    TokenDifference,
    TokenScore,
    TokenScores,
)
from app.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine.distributions import Distributions  # imports numpy

Result = TypeVar("Result", covariant=True)
Begun = list[TokenScore | None] | None


class Job(Generic[Result]):
    """A job returns its Result, a Failure, or Cancellation. It doesn't change the conversation's KV cache."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PromptJob(Job[Result]):
    """A job that prefills a prompt."""

    source: PromptSource


@dataclass(frozen=True, slots=True)
class ScoreTokens(PromptJob[TokenScores]):
    """The log-probability of each token of a prompt."""

    strength: float = 1.0
    """Adapter scale, if there is an adapter."""
    kept: "Distributions | None" = None
    """Stores the distribution at each position; None: not needed."""
    begun: Begun = None
    """List to which each score is appended at once. A pass continues after the scores that are already in it."""


@dataclass(frozen=True, slots=True)
class CompareTokens(PromptJob[TokenScores]):
    """The log-probability of each token, and the difference from the stored distributions of another model."""

    kept: "Distributions"
    found: list[TokenDifference]
    """The difference at each position is appended to this."""
    begun: Begun = None
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class CompareCaches(PromptJob[tuple[CacheScores, ...]]):
    """The log-probability of each token through the full KV cache and through variants of it."""

    variants: tuple[CacheVariant, ...]
    found: tuple[CacheScores, ...]
    """The full cache's scores and those of each variant. They grow with each chunk; the shortest ends at a Stop."""
    first: int = 1
    """The first token to score. The tokens before it are only prefilled."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of a row: `continuation` is scored after `source`. `text` names the choice."""

    text: str
    source: PromptSource
    continuation: str


@dataclass(frozen=True, slots=True)
class ScoredChoices:
    prompt: ExactPrompt
    """The prompt of the first choice."""
    scores: tuple[ChoiceScore, ...]


@dataclass(frozen=True, slots=True)
class ScoreChoices(Job[int]):
    """The log-likelihood of each choice of these rows. The result is the number of rows."""

    rows: Iterable[Sequence[Choice]]
    """Each row is taken after the one before it was scored."""
    keep: "Callable[[ScoredChoices | Failure], None]"
    """Receives the scores of each row, or why it has none."""
    unconditional: bool = False
    """Also score the choices without a prompt."""
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class ReadLens(PromptJob[LensResult]):
    """The logit lens after these tokens of a prompt."""

    positions: range
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class ReadAttention(PromptJob[Attention]):
    """The attention of each head from one token of a prompt."""

    position: int
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class ReadAttentionMatrix(PromptJob[AttentionMatrix]):
    """The attention matrix of one head; None: of the mean over the layer's heads."""

    layer: int
    head: int | None
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class ReadHiddenStates(PromptJob[HiddenStates]):
    """The hidden states after each layer at one token of a prompt, and their similarity to those of other tokens."""

    position: int
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class Ablate(PromptJob[AblationResult]):
    """Attribution by ablation: the log-probability of an answer without each part of the prompt.

    The answer begins at `answer`. Also computes the log-probabilities of the alternatives at `position`.
    """

    answer: int
    position: int
    parts: Sequence[range]
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class ProposeTokens(PromptJob[tuple[tuple[int, ...], ...]]):
    """The tokens that the draft model would have proposed for an answer, which begins at `answer`.

    One proposal at temperature 0; above it, one for each seed. Empty without a draft model.
    """

    answer: int
    sampling: Sampling
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class CountReads(Job[StepReads]):
    """The bytes that a decode step reads with a context of this many tokens."""

    context: int


@dataclass(frozen=True, slots=True)
class MeasureSpeeds(Job[PeakSpeeds]):
    """The speed at which this computer reads and multiplies such matrices. Takes a few seconds."""

    matrix: Matrix
    working_set: int


@dataclass(frozen=True, slots=True)
class MeasureDecoding(Job[DecodeSpeed]):
    """The prefill and decode speed with a context of this many tokens."""

    context: int


@dataclass(frozen=True, slots=True)
class MeasureRun(Job[RunProfile]):
    """Repeats a run, for the time of each part of a token. `keep` gets the events, like a recorder."""

    request: Request
    keep: "Callable[[Event], None]"


@dataclass(frozen=True, slots=True)
class MeasureDraftSteps(Job[tuple[StepTimes, ...]]):
    """The time of decode steps without drafts, and with 0 to 8 draft tokens, in several rounds. Takes some seconds.

    The steps continue the prompt of `request`; the tokens `following` are proposed. An open draft model is measured,
    too.
    """

    request: Request
    following: tuple[int, ...]


MEASURING = (CountReads, MeasureDraftSteps, MeasureSpeeds, MeasureDecoding, MeasureRun)


def no_logits() -> Failure:
    """Return why a model on a server can't be inspected."""
    what = tr("A server doesn't return the logits of its model.")
    return Failure(what, tr("Open a model on this computer."), kind="logits")


def unsupported(job: Job[Result]) -> Failure:
    """Return why an engine without a local model can't do a job."""
    if not isinstance(job, MEASURING):
        return no_logits()
    what = tr("The cost of a token on a server can't be measured.")
    return Failure(what, tr("Open a model on this computer."), kind="logits")
