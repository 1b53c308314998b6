"""Perplexity of a text: the log-probability of each token, and the difference from another model's distributions.

The pass has its own cache, so the conversation's stays as it is. Each chunk's logits are reduced to five numbers for
each token before the next chunk: all of them at once would take gigabytes. Models are compared with numpy, whose
exponential takes a hundredth of the time of MLX's on the CPU.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import numpy as np

from app.engine.distributions import FLOAT_BYTES, Distributions, Ids, Logprobs
from app.engine.jobs import Begun, CompareTokens, ScoreTokens
from app.engine.mlx.job_context import JobContext
from app.engine.mlx.loaded import LoadedModel
from app.engine.mlx.prefill import CHUNK_MIN, PrefillPace, PrefillStoppedError
from app.engine.mlx.top_k import likeliest
from app.engine.text import TextCache
from app.engine.types import Prefill, TokenDifference, TokenScore, TokenScores

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOGITS_BYTES = 32_000_000
"""Maximum bytes of a chunk's float32 logits, unless the smallest chunk has more. Two chunks may be in memory."""
SEEN_BYTES = 8_000_000
"""Maximum bytes of a chunk's logits if distributions are compared, which takes several times the memory."""
SEEN_CHUNK = 128
"""Fixed chunk size for comparisons: both models must have the same chunks."""
IMPOSSIBLE = 1e4
"""Replaces infinite logits, which would make every sum undefined."""
TEN = 10
ROUNDING = 1e-6
"""Error of a float32 remainder; bounds are wider by it."""
LN_2 = math.log(2)
AT_ONCE_BYTES = 256_000
"""Bytes of rows compared together, so that several such arrays fit into the processor's cache."""

See = Callable[[Any], None]
"""Receives the logprobs of all tokens, a row for each position."""


def score_tokens(context: JobContext, ids: tuple[int, ...], job: ScoreTokens) -> TokenScores:
    return _score_all(context, ids, job.kept.put if job.kept is not None else None, job.begun)


def compare_tokens(context: JobContext, ids: tuple[int, ...], job: CompareTokens) -> TokenScores:
    return _score_all(context, ids, DistributionComparison(job.kept, job.found).see, job.begun)


def _score_all(context: JobContext, ids: tuple[int, ...], see: See | None, begun: Begun) -> TokenScores:
    """Score all tokens of a prompt. Raises PrefillStoppedError if Stop was asked for between two chunks.

    A chunk is scored on another thread while the next one is prefilled. `see` gets the distributions. Scores are
    appended to `begun`; tokens with a score in it are prefilled without being scored again.
    """
    main = context.main
    cache, pace, weights = main.new_cache(), PrefillPace(), begun if begun is not None else []
    most = max(CHUNK_MIN, (SEEN_BYTES if see else LOGITS_BYTES) // (FLOAT_BYTES * main.model.vocabulary))
    if see is not None:
        pace.set_step_size(SEEN_CHUNK)
    if not weights:
        weights.append(None)
    known, done, looked = len(weights), 1, None
    with ThreadPoolExecutor(1, "weigh") as looking:
        while done < len(ids):
            context.emit(Prefill(done, len(ids), started := time.monotonic()))
            if context.stop.asked:
                break
            end = min(done + min(pace.step_size(), most), known if done < known else len(ids))
            logits = _logits(main, cache, ids[done - 1 : end - 1], end > known)
            weights += looked.result() if looked is not None else ()
            parts = logits, ids[done:end], main.spelling.texts, see
            looked = looking.submit(score_rows, *parts) if end > known else None
            pace.learn(end - done, time.monotonic() - started)
            done = end
        weights += looked.result() if looked is not None else ()
    if done < len(ids):
        raise PrefillStoppedError
    context.emit(Prefill(done, len(ids), time.monotonic()))
    return TokenScores(ids, tuple(weights))


def _logits(main: LoadedModel, cache: list[Any], ids: tuple[int, ...], wanted: bool) -> Logprobs:
    """Return the logits after each of these ids, if wanted; all ids go into the cache."""
    found = main.forward(ids, cache).astype(mx.float32)
    mx.eval([found] if wanted else [], [layer.state for layer in cache])
    return np.array(found if wanted else ())


def score_rows(logits: NDArray[Any], ids: tuple[int, ...], texts: TextCache, see: See | None) -> list[TokenScore]:
    """Score these ids by the logits before each. Runs on another thread, so it uses no array of mlx."""
    if not math.isfinite(float(logits.min()) + float(logits.max())):
        np.nan_to_num(logits, copy=False, nan=-IMPOSSIBLE, posinf=IMPOSSIBLE, neginf=-IMPOSSIBLE)
    own = np.take_along_axis(logits, np.array(ids)[:, None], axis=1)
    ranks = 1 + (logits > own).view(np.int8).sum(axis=1, dtype=np.int32)
    best, highest = logits.argmax(axis=1), logits.max(axis=1)
    logits -= highest[:, None]
    totals = np.log(np.exp(logits).sum(axis=1))
    if see is not None:
        logits -= totals[:, None]
        see(logits)
    columns = zip(*(each.tolist() for each in (own[:, 0] - highest - totals, ranks, best, -totals)), strict=True)
    return [
        TokenScore(logprob, rank, likeliest, texts[likeliest], total) for logprob, rank, likeliest, total in columns
    ]


class DistributionComparison:
    """Compares two models at each position, in the order in which the first model's distributions were stored."""

    def __init__(self, kept: Distributions, found: list[TokenDifference]) -> None:
        self._kept, self._found = kept, found
        self._rows = max(1, AT_ONCE_BYTES // (FLOAT_BYTES * kept.vocabulary))

    def see(self, logprobs: Logprobs) -> None:
        """Add the second model's next distributions."""
        for start in range(0, len(logprobs), self._rows):
            second = logprobs[start : start + self._rows]
            ids, first = self._kept.take(len(second))
            self._found += kl_divergences(first, second) if ids is None else _kl_divergence_bounds(ids, first, second)


def kl_divergences(first: NDArray[Any], second: NDArray[Any]) -> Iterator[TokenDifference]:
    """Return the KL divergence in both directions and the JS divergence of complete distributions.

    The log of the mean distribution is computed with `log1p`, so the JS divergence of a model from itself is exactly 0.
    """
    apart = first - second
    p, q, size = np.exp(first), np.exp(second), np.abs(apart)
    there, back = np.vecdot(p, apart), -np.vecdot(q, apart)
    closeness = LN_2 - np.log1p(np.exp(-size)) - size / 2
    between = np.vecdot(p, closeness) + np.vecdot(q, closeness) + (there + back) / 2
    columns = (np.maximum(0, each).tolist() for each in (there, back, between / 2))
    same = _same_first(first, second, second).tolist()
    for kl, other, js, alike, shared in zip(*columns, same, _shared_tens(first, second), strict=True):
        yield TokenDifference(kl, kl, other, js, alike, shared)


def _kl_divergence_bounds(ids: Ids, first: Logprobs, second: Logprobs) -> Iterator[TokenDifference]:
    """Return bounds of the KL divergence from a distribution of which only the top tokens are stored.

    The other tokens have a known sum, and each is at most as likely as the last stored one. Their part of the
    divergence is smallest if both models distribute the sum in the same way (log sum inequality).
    """
    theirs = np.take_along_axis(second, ids, axis=1)
    part = (np.exp(first) * (first - theirs)).sum(axis=1)
    rest, other = (np.maximum(0, 1 - np.exp(each).sum(axis=1)) + ROUNDING for each in (first, theirs))
    alike, apart = np.log(rest / other), first.min(axis=1) - second.min(axis=1)
    low = part + rest * alike - ROUNDING * (2 + np.abs(alike))
    high = part + rest * apart + ROUNDING * (2 + np.abs(apart))
    order = np.argpartition(first, -TEN, axis=1)[:, -TEN:]
    tens = _shared_ids(np.take_along_axis(ids, order, axis=1), likeliest(second, TEN)[0])
    for least, most, same, ten in zip(low, high, _same_first(first, theirs, second), tens, strict=True):
        yield TokenDifference(max(0.0, float(least)), max(0.0, float(most)), None, None, bool(same), ten)


def _same_first(first: Logprobs, theirs: Logprobs, second: Logprobs) -> NDArray[np.bool_]:
    """Return whether both have a most likely token in common; there may be ties."""
    both = (first == first.max(axis=1, keepdims=True)) & (theirs == second.max(axis=1, keepdims=True))
    return np.asarray(both.any(axis=1))


def _shared_tens(first: Logprobs, second: Logprobs) -> list[float]:
    """Return the shared part of the ten likeliest tokens, found by the tenth logprob, which is faster than sorting."""
    ten = min(TEN, len(first.T))
    ours, theirs = (each >= np.partition(each, -ten, axis=1)[:, -ten, None] for each in (first, second))
    return (np.minimum(ten, (ours & theirs).sum(axis=1)) / ten).tolist()  # type: ignore[no-any-return]


def _shared_ids(first: NDArray[Any], second: NDArray[Any]) -> Iterator[float]:
    for one, other in zip(first.tolist(), second.tolist(), strict=True):
        yield len(set(one) & set(other)) / len(one)
