"""Measurement of KV cache variants on one text, and of facts that are planted in it (needles)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.cache_variants import fitted
from app.engine.errors import AbortedError
from app.engine.jobs import CompareCaches
from app.engine.protocol import Emit, Engine, StopFlag
from app.engine.types import (
    CacheScores,
    CacheVariant,
    Cancellation,
    ChatPrompt,
    Event,
    ExactPrompt,
    Failure,
    LoadRequest,
    Model,
    Prefill,
    RawPrompt,
    TokenPrompt,
    TokenScore,
)
from app.perplexity.cache_result import CacheResult, NeedleResult, VariantResult, break_position
from app.perplexity.measuring import TOO_SHORT, is_open, render_text
from app.perplexity.result import PerplexityResult
from app.perplexity.source import ScoredPassage, passage
from app.perplexity.statistics import model_difference, perplexity_metrics

FACT = "The secret code of the harbor is"
"""Begins the planted sentence and, at the end of the text, the sentence that the model has to complete."""
MOST_NEEDLES = 9
ROOM = 96
"""Tokens of the context window that are left for the fact and the question."""
Scores = tuple[CacheScores, ...]
SENTENCE_END = re.compile(r"[.!?]\s|\n")


@dataclass(frozen=True, slots=True)
class CacheJob:
    prompt: ChatPrompt | RawPrompt
    model: LoadRequest
    variants: tuple[CacheVariant, ...]
    needles: tuple[int, ...] = ()
    """Depths of planted facts, in percent of the text."""


@dataclass(frozen=True, slots=True)
class Needle:
    """A text with a planted fact. `planted` and `answer` are the tokens of the code in the text and at the end."""

    depth: int
    ids: tuple[int, ...]
    planted: int
    answer: range


class CacheMeasurement:
    """A measurement that passes the text through all caches at once. After Stop it has a result, but can't resume."""

    def __init__(self, order: CacheJob) -> None:
        self.order = order
        self.opened: Model | None = None
        self._prompt: ExactPrompt | None = None
        self._text = ScoredPassage((), (), 0)
        self._variants: tuple[CacheVariant, ...] = ()
        self._found: Scores = ()
        self._needles: list[NeedleResult] = []
        self._done = self._total = 0

    def go(self, engine: Engine, opened: Model | None, emit: Emit, stop: StopFlag) -> Failure | Cancellation | None:
        """Measure all variants; `opened` is the open model. Return None when all is done."""
        self.opened = opened
        try:
            self._measure(engine, emit, stop)
        except AbortedError as broken:
            return broken.outcome
        return None

    def result(self) -> CacheResult | None:
        """Return the result so far, for the tokens that all caches have scored."""
        scored = min((len(each.weights) for each in self._found), default=0)
        positions = [each for each in self._text.counted if each <= scored]
        if self._prompt is None or not positions:
            return None
        size = passage(self._prompt, len(positions)).bytes
        full, *others = self._found
        weights = _at(full.weights, positions)
        metrics = perplexity_metrics([-each.logprob for each in weights], size)
        whole = PerplexityResult(self._prompt, tuple(positions), weights, tuple(positions), metrics)
        variants = [
            _variant_result(variant, whole, found, size) for variant, found in zip(self._variants, others, strict=True)
        ]
        is_cut = len(self._prompt.ids) > len(self._text.ids)
        return CacheResult(whole, full.bytes, tuple(variants), tuple(self._needles), scored + 1, is_cut)

    def close(self) -> None:
        """Do nothing: all is in memory."""

    def _measure(self, engine: Engine, emit: Emit, stop: StopFlag) -> None:
        model = self._load(engine, emit, stop)
        self._prompt = render_text(engine, model, self.order.prompt)
        self._text = passage(self._prompt)
        if model.context is not None:
            counted = tuple(each for each in self._text.counted if each < model.context)
            self._text = ScoredPassage(self._text.ids[: model.context], counted, self._text.bytes)
        if not self._text.counted:
            raise AbortedError(TOO_SHORT)
        self._variants = tuple(dict.fromkeys(fitted(each, model) for each in self.order.variants))
        needles = [self._plant(engine, depth, model.context) for depth in self.order.needles]
        self._total = len(self._text.ids) + sum(len(each.ids) for each in needles)
        self._found = self._empty_scores()
        self._compare(engine, emit, stop, self._text.ids, self._found)
        for needle in needles:
            found = self._empty_scores()
            self._compare(engine, emit, stop, needle.ids, found, needle.answer.start)
            answers = [each.weights for each in found]
            self._needles.append(
                NeedleResult(
                    needle.depth,
                    needle.planted,
                    needle.answer.start - needle.planted,
                    tuple(all(token.rank == 1 for token in each) for each in answers),
                    tuple(sum(token.logprob for token in each) for each in answers),
                )
            )

    def _load(self, engine: Engine, emit: Emit, stop: StopFlag) -> Model:
        if self.opened is None or not is_open(self.order.model, self.opened):
            outcome = engine.load(self.order.model, emit, stop)
            if not isinstance(outcome, Model):
                self.opened = None
                raise AbortedError(outcome)
            self.opened = outcome
        return self.opened

    def _empty_scores(self) -> Scores:
        return tuple(CacheScores() for _ in range(1 + len(self._variants)))

    def _compare(
        self, engine: Engine, emit: Emit, stop: StopFlag, ids: tuple[int, ...], found: Scores, first: int = 1
    ) -> None:
        """Pass tokens through all caches, and add their scores to `found`. After Stop it has those so far."""
        before = self._done

        def report(event: Event) -> None:
            emit(Prefill(before + event.done, self._total, event.at) if isinstance(event, Prefill) else event)

        outcome = engine.run_job(CompareCaches(TokenPrompt(ids), self._variants, found, first), report, stop)
        if isinstance(outcome, Failure | Cancellation):
            raise AbortedError(outcome)
        self._done += len(ids)

    def _plant(self, engine: Engine, depth: int, context: int | None) -> Needle:
        """Plant a fact at the end of a sentence, at `depth` percent of the text."""
        assert self._prompt is not None
        counted, offsets = self._text.counted, self._prompt.offsets
        last = counted[-1] if context is None else max(counted[0], min(counted[-1], context - ROOM))
        filler = self._prompt.text[offsets[counted[0]][0] : offsets[last][1]]
        text, spans = planted_text(filler, depth)
        exact = engine.render(RawPrompt(text))
        if isinstance(exact, Failure):
            raise AbortedError(exact)
        first, second = (
            [at for at, (start, end) in enumerate(exact.offsets) if end > span.start and start < span.stop]
            for span in spans
        )
        return Needle(depth, exact.ids, first[0], range(second[0], second[-1] + 1))


def planted_text(filler: str, depth: int) -> tuple[str, tuple[range, range]]:
    """Return the text with a fact and the question, and the characters of the code in both."""
    code = str(10_000 + (depth * 7_919 + 4_211) % 90_000)
    wanted = len(filler) * depth // 100
    ends = [0, *(found.end() for found in SENTENCE_END.finditer(filler)), len(filler)]
    at = min(ends, key=lambda end: abs(end - wanted))
    before = f"{filler[:at].rstrip()} {FACT} ".lstrip()
    middle = f"{code}. {filler[at:].strip()}\n\n{FACT} "
    second = len(before) + len(middle)
    return f"{before}{middle}{code}", (range(len(before), len(before) + len(code)), range(second, second + len(code)))


def _variant_result(variant: CacheVariant, whole: PerplexityResult, found: CacheScores, size: int) -> VariantResult:
    others = _at(found.weights, whole.positions)
    own = [one.logprob - other.logprob for one, other in zip(whole.weights, others, strict=True)]
    differences = [found.differences[position - 1] for position in whole.positions]
    compared = PerplexityResult(
        whole.prompt,
        whole.positions,
        whole.weights,
        whole.before,
        whole.first,
        second=perplexity_metrics([-each.logprob for each in others], size),
        between=model_difference(differences, own),
        others=others,
    )
    at = break_position(compared.kl)
    return VariantResult(variant, compared, found.bytes, None if at is None else whole.positions[at])


def _at(weights: list[TokenScore], positions: Sequence[int]) -> tuple[TokenScore, ...]:
    """Return the scores of these tokens; the first token of the text has none."""
    return tuple(weights[position - 1] for position in positions)
