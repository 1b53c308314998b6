"""Measurement of perplexity on one or two models. It can be stopped and continued."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from app.engine.distributions import Distributions
from app.engine.errors import AbortedError
from app.engine.jobs import CompareTokens, ScoreTokens
from app.engine.protocol import Emit, Engine, StopFlag
from app.engine.types import (
    Cancellation,
    ChatPrompt,
    Event,
    ExactPrompt,
    Failure,
    LoadRequest,
    Model,
    Prefill,
    RawPrompt,
    TokenDifference,
    TokenPrompt,
    TokenScore,
    TokenScores,
)
from app.i18n import tr
from app.perplexity.result import PerplexityResult
from app.perplexity.source import ScoredPassage, TokenWindow, passage, windows
from app.perplexity.statistics import model_difference, perplexity_metrics

TOO_SHORT = Failure(
    tr("The text has fewer than two tokens."),
    tr("Use a longer text: each token is scored with the tokens before it."),
    kind="short",
)


@dataclass(slots=True)
class ModelScores:
    """Scores of one model so far, with those of an incomplete window, which is continued."""

    weights: list[TokenScore] = field(default_factory=list)
    """Scores of the counted tokens."""
    before: list[int] = field(default_factory=list)
    """For each counted token, the number of tokens before it in its window."""
    differences: list[TokenDifference] = field(default_factory=list)
    window: int = 0
    begun: list[TokenScore | None] = field(default_factory=list)
    """Scores of all tokens of the current window; None: not scored yet."""
    begun_differences: list[TokenDifference] = field(default_factory=list)

    @property
    def nats(self) -> list[float]:
        return [-weight.logprob for weight in self.weights]

    def take(self, part: TokenWindow, wanted: frozenset[int]) -> None:
        """Add the scores of the tokens that no earlier window has scored."""
        for position in range(max(part.start + 1, part.fresh), part.start + len(self.begun)):
            weight = self.begun[position - part.start]
            if position in wanted and weight is not None:
                self.weights.append(weight)
                self.before.append(position - part.start)
                self.differences += self.begun_differences[position - part.start - 1 : position - part.start]
        self.begun, self.begun_differences = [], []
        self.window += 1

    def so_far(self, text: ScoredPassage, parts: Sequence[TokenWindow]) -> ModelScores:
        """Return the scores, including those of an incomplete window."""
        lists = list(self.weights), list(self.before), list(self.differences)
        found = ModelScores(*lists, self.window, list(self.begun), list(self.begun_differences))
        if self.begun:
            found.take(parts[self.window], frozenset(text.counted))
        return found


@dataclass(frozen=True, slots=True)
class PerplexityJob:
    prompt: ChatPrompt | RawPrompt
    model: LoadRequest
    against: LoadRequest | None = None

    @property
    def models(self) -> tuple[LoadRequest, ...]:
        return (self.model,) if self.against is None else (self.model, self.against)


@dataclass(slots=True)
class ModelSide:
    """One model, its tokens of the text, and the scores so far."""

    model: Model
    prompt: ExactPrompt
    text: ScoredPassage
    parts: tuple[TokenWindow, ...]
    found: ModelScores = field(default_factory=ModelScores)

    def length(self, windows: int | None = None) -> int:
        """Return the number of tokens to score in all windows, or in the first `windows`."""
        return sum(part.end - part.start for part in self.parts[:windows])


class PerplexityMeasurement:
    """A measurement that loads one model after the other. The first one's distributions are stored on disk."""

    def __init__(self, order: PerplexityJob) -> None:
        self.order = order
        self.opened: Model | None = None
        """The model that is currently open."""
        self._open: LoadRequest | None = None
        self._sides: list[ModelSide] = []
        self._kept: Distributions | None = None

    def go(self, engine: Engine, opened: Model | None, emit: Emit, stop: StopFlag) -> Failure | Cancellation | None:
        """Score the rest; `opened` is the open model. Return None when all is done."""
        self.opened, self._open = opened, next((each for each in self.order.models if is_open(each, opened)), None)
        try:
            self._score_all(engine, emit, stop)
        except AbortedError as broken:
            return broken.outcome
        return None

    def result(self) -> PerplexityResult | None:
        """Return the result so far; with two models, for the part that both have scored."""
        reads = [side.found.so_far(side.text, side.parts) for side in self._sides]
        known = [(side, found) for side, found in zip(self._sides, reads, strict=True) if found.weights]
        if not known:
            return None
        (side, one), (last, other) = known[0], known[-1]
        count = len(other.weights) if last is side or self._same else _tokens_up_to(side, last, len(other.weights))
        one = replace(one, weights=one.weights[:count], before=one.before[:count])
        sums = [
            perplexity_metrics(each.nats, passage(it.prompt, len(each.weights)).bytes)
            for it, each in ((side, one), known[-1])
        ]
        positions = side.text.counted[:count]
        made = PerplexityResult(side.prompt, positions, tuple(one.weights), tuple(one.before), sums[0], len(side.parts))
        if len(known) == 1:
            return made
        if not self._same:
            return replace(made, second=sums[1])
        own = [theirs - ours for ours, theirs in zip(one.nats, other.nats, strict=True)]
        return replace(
            made, second=sums[1], between=model_difference(other.differences, own), others=tuple(other.weights)
        )

    def close(self) -> None:
        """Delete the stored distributions."""
        if self._kept is not None:
            self._kept.close()

    @property
    def _same(self) -> bool:
        """Whether both models tokenize the text alike, so that their distributions can be compared."""
        first, second = self._sides
        return first.text == second.text and first.model.vocabulary == second.model.vocabulary

    def _score_all(self, engine: Engine, emit: Emit, stop: StopFlag) -> None:
        """Score all models. If the second one's context is shorter, score the first again with the same windows."""
        for number, request in enumerate(self.order.models):
            if number == len(self._sides):
                self._sides.append(self._side(engine, request, emit, stop))
            side, first = self._sides[number], self._sides[0]
            if number and self._same and side.parts != first.parts:
                self.close()
                self._kept = None
                first.parts, first.found = side.parts, ModelScores()
                self._score_all(engine, emit, stop)
                return
            if self.order.against is not None and self._kept is None:
                # Each token of a window but the first has a distribution.
                count = sum(part.end - part.start - 1 for part in side.parts)
                self._kept = Distributions(count, side.model.vocabulary)
            if side.found.window < len(side.parts):
                self._load(engine, request, emit, stop)
                wanted = frozenset(side.text.counted)
                for part in side.parts[side.found.window :]:
                    ids = TokenPrompt(side.text.ids[part.start : part.end])
                    scores = self._score_window(engine, emit, stop, number, ids)
                    if not isinstance(scores, TokenScores):
                        raise AbortedError(scores)
                    side.found.take(part, wanted)

    def _side(self, engine: Engine, request: LoadRequest, emit: Emit, stop: StopFlag) -> ModelSide:
        """Load and prepare one model."""
        model = self._load(engine, request, emit, stop)
        exact = render_text(engine, model, self.order.prompt)
        text = passage(exact)
        if not text.counted:
            raise AbortedError(TOO_SHORT)
        contexts = [each.context for each in (model, *(side.model for side in self._sides)) if each.context is not None]
        return ModelSide(model, exact, text, windows(len(text.ids), min(contexts, default=None)))

    def _load(self, engine: Engine, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model:
        if request != self._open or self.opened is None:
            self._open, outcome = None, engine.load(request, emit, stop)
            if not isinstance(outcome, Model):
                raise AbortedError(outcome)
            self._open, self.opened = request, outcome
        return self.opened

    def _score_window(
        self, engine: Engine, emit: Emit, stop: StopFlag, number: int, ids: TokenPrompt
    ) -> TokenScores | Failure | Cancellation:
        """Score one window, and report its progress as a share of all windows."""
        first, last, kept, found = self._sides[0], self._sides[-1], self._kept, self._sides[number].found
        total = first.length() + last.length() * (len(self.order.models) - 1)
        before = self._sides[number].length(found.window) + number * first.length()

        def report(event: Event) -> None:
            emit(Prefill(before + event.done, total, event.at) if isinstance(event, Prefill) else event)

        if number == 0 or kept is None or not self._same:
            job = ScoreTokens(ids, kept=kept if number == 0 else None, begun=found.begun)
            return engine.run_job(job, report, stop)
        if not (found.window or found.begun):
            kept.rewind()
        return engine.run_job(CompareTokens(ids, kept, found.begun_differences, found.begun), report, stop)


def render_text(engine: Engine, model: Model, prompt: ChatPrompt | RawPrompt) -> ExactPrompt:
    """Render the prompt; a model without a chat template gets the raw text. Raises AbortedError."""
    if isinstance(prompt, ChatPrompt) and not model.can.chat:
        if not prompt.reply_start:
            what = tr("{model} has no chat template, which a session needs.").format(model=model.name)
            raise AbortedError(Failure(what, tr("Choose a text, or another model."), kind="template"))
        prompt = RawPrompt(prompt.reply_start)
    exact = engine.render(prompt)
    if isinstance(exact, Failure):
        raise AbortedError(exact)
    return exact


def _tokens_up_to(side: ModelSide, other: ModelSide, read: int) -> int:
    """Return how many tokens of `side` cover the bytes that `read` tokens of `other` cover."""
    left = other.text.bytes - passage(other.prompt, read).bytes
    counts = range(1, len(side.text.counted) + 1)
    reach = side.text.bytes - left
    return max(1, bisect_right(counts, reach, key=lambda count: passage(side.prompt, count).bytes))


def is_open(request: LoadRequest, opened: Model | None) -> bool:
    if opened is None or request.model != str(opened.folder):
        return False
    return (request.adapter or None) == (opened.adapter and str(opened.adapter.folder))
