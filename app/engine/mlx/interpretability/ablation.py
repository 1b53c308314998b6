"""Attribution by ablation: the log-probability of the same answer with each part of the prompt left out.

Tokens before a part are prefilled once, in a cache that is copied for each part. Tokens after it change position, so
they are prefilled again. Copies need no trimming, so any kind of cache works. The conversation's cache is not used.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import mlx.core as mx
import numpy as np

from app.engine.distributions import FLOAT_BYTES
from app.engine.errors import UserError
from app.engine.jobs import Ablate
from app.engine.mlx.interpretability.layers import TODO
from app.engine.mlx.interpretability.logit_lens import readable
from app.engine.mlx.job_context import JobContext
from app.engine.mlx.perplexity import LOGITS_BYTES
from app.engine.mlx.prefill import PrefillPace
from app.engine.mlx.top_k import likeliest
from app.engine.types import AblationResult, Alternative, AnswerLogprob, Prefill
from app.i18n import tr

EXACT, ROUNDED = 1e-4, 0.02
"""Largest relative difference of the answer's logprob between two chunk sizes: in float32, and in half precision."""
TIMES = 3
CANDIDATES = 6
"""Number of alternatives, including the actual token."""


@dataclass(frozen=True, slots=True)
class AblatedAnswer:
    """The answer after one prompt: its logprobs, and the model's first choice for each of its tokens."""

    odds: AnswerLogprob
    firsts: tuple[int, ...]


class AnswerScorer:
    """Computes the logprobs of the answer after several prompts, with the alternatives found for the first."""

    def __init__(self, context: JobContext, answer: tuple[int, ...], position: int, total: int) -> None:
        """`position`: index in the answer of the token whose alternatives are returned.

        `total`: upper bound of the tokens to prefill, for progress.
        """
        self.context, self._answer, self._place, self._total = context, answer, position, total
        self._pace, self._done = PrefillPace(), 0
        self._at_once = max(1, LOGITS_BYTES // (FLOAT_BYTES * context.main.rows))
        self.candidates: tuple[Alternative, ...] = ()
        self.exact = False
        """The model's logits are float32."""

    def score(self, cache: list[Any], before: tuple[int, ...]) -> AblatedAnswer:
        """Score the answer after the cached tokens and the ids `before`, which are not empty."""
        self.read(cache, before[:-1])
        fed, logprob, firsts, odds = before[-1:] + self._answer[:-1], 0.0, list[int](), tuple[float, ...]()
        for at, found in self._passes(cache, fed, self._at_once):
            self.exact, logits = found.dtype == mx.float32, readable(found)
            highest = logits.max(axis=1, keepdims=True)
            logits -= highest + np.log(np.exp(logits - highest).sum(axis=1, keepdims=True, dtype=np.float64))
            own = self._answer[at : at + len(logits)]
            logprob += float(logits[range(len(own)), own].sum(dtype=np.float64))
            firsts += logits.argmax(axis=1).tolist()
            if at <= self._place < at + len(own):
                one = logits[self._place - at]
                self.candidates = self.candidates or self._alternatives(one, own[self._place - at])
                odds = tuple(float(one[each.id]) for each in self.candidates)
        return AblatedAnswer(AnswerLogprob(logprob, odds), tuple(firsts))

    def read(self, cache: list[Any], ids: tuple[int, ...]) -> float:
        """Prefill these ids into the cache and return the seconds that it took."""
        started = time.monotonic()
        for _ in self._passes(cache, ids, len(ids)):
            pass
        return time.monotonic() - started

    def _passes(self, cache: list[Any], ids: tuple[int, ...], most: int) -> Iterator[tuple[int, mx.array]]:
        """Yield the logits after each chunk of at most `most` ids. MLX computes only logits that are used."""
        at = 0
        while at < len(ids):
            self.context.emit(Prefill(min(self._done, self._total), self._total, started := time.monotonic()))
            self.context.check_stop()
            some = ids[at : at + min(most, self._pace.step_size())]
            logits = self.context.main.forward(some, cache)
            mx.eval([layer.state for layer in cache])
            yield at, logits
            self._pace.learn(len(some), time.monotonic() - started)
            at, self._done = at + len(some), self._done + len(some)

    def _alternatives(self, logprobs: Any, actual: int) -> tuple[Alternative, ...]:
        """Return the actual token, then the likeliest others."""
        best = likeliest(logprobs[None], min(CANDIDATES, len(logprobs)))[0][0].tolist()
        ids = [actual, *(each for each in best if each != actual)][:CANDIDATES]
        texts = self.context.main.spelling.texts
        return tuple(Alternative(each, texts[each], float(logprobs[each]), float(logprobs[each])) for each in ids)


def ablate(context: JobContext, ids: tuple[int, ...], job: Ablate) -> AblationResult:
    """Compute the effect of each part of the prompt on the answer.

    Parts are in order and don't overlap. None has the first id, since a model needs at least one token.
    """
    main, answer, parts = context.main, job.answer, job.parts
    assert parts and parts[0].start > 0 and parts[-1].stop <= answer <= job.position < len(ids)
    # At most these tokens are prefilled: for each part, for the whole prompt, for the search and for timing.
    total = len(ids) * (3 + 2 * TIMES + len(parts).bit_length()) + sum(len(ids) - part.stop for part in parts)
    scorer = AnswerScorer(context, ids[answer:], job.position - answer, total)
    whole = scorer.score(main.new_cache(), ids[:answer])
    cache, cached, without = main.new_cache(), 0, list[AblatedAnswer]()
    for part in parts:
        scorer.read(cache, ids[cached : part.start - 1])
        cached = part.start - 1
        without.append(scorer.score(deepcopy(cache), ids[cached : part.start] + ids[part.stop : answer]))
    in_chunks = scorer.score(cache, ids[cached:answer])
    apart = abs(whole.odds.answer - in_chunks.odds.answer) / max(1.0, abs(whole.odds.answer))
    if not apart < (EXACT if scorer.exact else ROUNDED):
        what = tr("This model gives other results if a prompt is prefilled in chunks, so effects can't be measured.")
        raise UserError(what, TODO, kind="pieces")
    alone = scorer.score(main.new_cache(), _ids_without(ids[:answer], parts))
    spare = _removable_parts(scorer, ids[:answer], parts, whole, without)
    remaining = _ids_without(ids[:answer], [parts[each] for each in spare])
    return AblationResult(
        tuple(parts),
        whole.odds,
        tuple(score.odds for score in without),
        alone.odds,
        scorer.candidates,
        spare,
        remaining,
        _seconds_saved(scorer, ids[:answer], remaining) if spare else 0.0,
        whole.firsts == ids[answer:],
        apart,
    )


def _seconds_saved(scorer: AnswerScorer, longer: tuple[int, ...], shorter: tuple[int, ...]) -> float:
    """Return the seconds of prefill saved, from the fastest of several measurements: other load only adds time."""
    new_cache = scorer.context.main.new_cache
    read = [(scorer.read(new_cache(), longer), scorer.read(new_cache(), shorter)) for _ in range(TIMES)]
    return min(one for one, _ in read) - min(other for _, other in read)


def _removable_parts(
    scorer: AnswerScorer,
    prompt: tuple[int, ...],
    parts: Sequence[range],
    whole: AblatedAnswer,
    without: Sequence[AblatedAnswer],
) -> tuple[int, ...]:
    """Return the parts that can all be left out without a change of the model's first choices.

    Parts are tried in the order of their effect, smallest first. A binary search finds how many of them can go, so
    there may be more. The returned combination was tested.
    """
    alike = [number for number, score in enumerate(without) if score.firsts == whole.firsts]
    alike.sort(key=lambda number: abs(without[number].odds.answer - whole.odds.answer))
    least, most = 0, len(alike)
    while least < most:
        middle = (least + most + 1) // 2
        remaining = _ids_without(prompt, [parts[each] for each in alike[:middle]])
        if scorer.score(scorer.context.main.new_cache(), remaining).firsts == whole.firsts:
            least = middle
        else:
            most = middle - 1
    return tuple(sorted(alike[:least]))


def _ids_without(prompt: tuple[int, ...], parts: Iterable[range]) -> tuple[int, ...]:
    gone = {position for part in parts for position in part}
    return tuple(each for position, each in enumerate(prompt) if position not in gone)
