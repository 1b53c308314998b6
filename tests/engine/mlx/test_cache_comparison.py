import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mlx_lm.models.cache import KVCache, RotatingKVCache

from app.engine.cache_variants import parse_variants
from app.engine.jobs import CompareCaches
from app.engine.protocol import StopFlag
from app.engine.types import CacheScores, Failure, Prefill, TokenPrompt
from tests.engine.mlx.conftest import Player
from tests.engine.mlx.independent import forward, log_softmax
from tests.engine.sampler_reference import Floats
from tests.perplexity import numpy_llama

LARGEST_ERROR = 1e-5
"""Relative."""
IDS = tuple(5 + (index * 37) % 300 for index in range(34))


def compared(player: Player, ids: tuple[int, ...], notation: str, first: int = 1) -> tuple[CacheScores, ...]:
    variants = parse_variants(notation)
    found = tuple(CacheScores() for _ in range(1 + len(variants)))
    return player.result(CompareCaches(TokenPrompt(ids), variants, found, first))


def rows_through(player: Player, ids: tuple[int, ...], bits: int | None, start: int, window: int | None) -> Floats:
    """The distributions through mlx-lm's own caches, with the chunks that are documented."""
    caches: list[Any] = [KVCache() if window is None else RotatingKVCache(window, 4) for _ in player.main.module.layers]
    logits, last = [forward(player.main, ids[:1], caches)], len(ids) - 1
    for first, stop in itertools.pairwise([1, *([start, last] if window is None else range(start, last + 1))]):
        if bits is not None and first >= start:
            caches = [each.to_quantized(32, bits) for each in caches]
        logits.append(forward(player.main, ids[first:stop], caches))
    return np.array([log_softmax(row) for row in np.concatenate(logits)])


def assert_equal(player: Player, ids: tuple[int, ...]) -> None:
    """Of a 4-bit cache from token 17 on and a window of 16 tokens, which have the same chunks."""
    full, *others = compared(player, ids, "4:32@16,window:16")
    one = rows_through(player, ids, None, 16, None)
    expected = rows_through(player, ids, 4, 16, None), rows_through(player, ids, None, 16, 16)
    for found, other in zip(others, expected, strict=True):
        kl = (np.exp(one) * (one - other)).sum(axis=1)
        assert max(kl) > 1e-4
        assert [each.lowest for each in found.differences] == pytest.approx(kl.tolist(), rel=LARGEST_ERROR, abs=1e-12)
        for rows, scores in ((one, full), (other, found)):
            own = [row[token] for row, token in zip(rows, ids[1:], strict=True)]
            assert [each.logprob for each in scores.weights] == pytest.approx(own, rel=LARGEST_ERROR)
        same = (one.argmax(axis=1) == other.argmax(axis=1)).tolist()
        assert [each.same_first for each in found.differences] == same


def test_cache_comparison_equals_float64_from_the_logits(demo: Player) -> None:
    assert_equal(demo, IDS)


@pytest.mark.parametrize("keep", [0, 4])
def test_window_equals_a_llama_in_float64_that_sees_no_more(player: Player, tiny_llama: Path, keep: int) -> None:
    _, found = compared(player, IDS, f"window:16:{keep}")
    rows = numpy_llama.logprobs(tiny_llama, list(IDS), 16, keep)
    own = [row[token] for row, token in zip(rows, IDS[1:], strict=False)]
    assert [each.logprob for each in found.weights] == pytest.approx(own, abs=1e-3)


def test_cache_with_an_unfit_group_size_is_refused(demo: Player) -> None:
    failure = demo.do(CompareCaches(TokenPrompt(IDS), parse_variants("4:128"), (CacheScores(), CacheScores())))
    assert isinstance(failure, Failure) and "can't be quantized in groups of 128" in failure.what


def test_cache_sizes_are_those_of_the_used_arrays(demo: Player) -> None:
    full, quantized, window = compared(demo, IDS, "8:32,window:16")
    used = len(IDS) - 1
    assert full.bytes == used * demo.model.kv.values * demo.model.kv.bytes_per_value
    assert quantized.bytes == used * (
        demo.model.kv.values + demo.model.kv.values // 32 * 2 * demo.model.kv.bytes_per_value
    )
    assert window.bytes == full.bytes // used * 16


def test_cache_comparison_scores_only_from_the_first_token(demo: Player) -> None:
    whole, part = compared(demo, IDS, "4:32"), compared(demo, IDS, "4:32", first=25)
    for one, other in zip(whole, part, strict=True):
        assert one.weights[24:] == other.weights and one.differences[24:] == other.differences


def test_cache_comparison_stopped_keeps_whole_chunks(demo: Player) -> None:
    found = CacheScores(), CacheScores()
    job = CompareCaches(TokenPrompt(IDS), parse_variants("4:32@16"), found)
    demo.cancelled(job, lambda event: isinstance(event, Prefill) and event.done > 1)
    assert len(found[0].weights) == len(found[1].weights) == 16


class StopInChunk(StopFlag):
    """Asks for Stop in the third chunk, between the full cache and the other one."""

    checks = 0

    @property
    def asked(self) -> bool:
        self.checks += 1
        return self.checks > 5


def test_cache_comparison_stopped_in_a_chunk_has_sizes_of_the_same_tokens(demo: Player) -> None:
    found = CacheScores(), CacheScores()
    demo.do(CompareCaches(TokenPrompt(IDS), parse_variants("4:32@16"), found), stop=StopInChunk())
    assert [len(each.weights) for each in found] == [33, 16]
    assert found[0].bytes == found[1].bytes > 0, "of 16 tokens, before the second cache is quantized"
