"""What a look inside costs: the lens beside a token's pass with the rest in the cache, heads beside a prefill."""

from __future__ import annotations

import time

import mlx.core as mx

from app.engine.protocol import StopFlag
from app.engine.types import KV, Attention, Inside, Limits, Request, TokenPrompt
from tests.bench.engine import GREEDY, Bench
from tests.bench.lengths import length
from tests.bench.pairing import compare
from tests.bench.row import Row

CONTEXT = length(400, 60)
PAIRS = length(40, 2)


def rows() -> list[Row]:
    bench = Bench()
    try:
        return [_lens(bench), _attention(bench)]
    finally:
        bench.engine.close()


def _lens(bench: Bench) -> Row:
    ids = tuple(bench.ids[index % len(bench.ids)] for index in range(CONTEXT))
    bench.play(Request(TokenPrompt(ids), GREEDY, Limits(2), KV()))

    def look() -> float:
        started = time.perf_counter()
        place = range(len(ids) - 1, len(ids))
        assert isinstance(bench.engine.look_inside(TokenPrompt(ids), place, lambda event: None, StopFlag()), Inside)
        return time.perf_counter() - started

    def token() -> float:
        main = bench.engine._main
        assert main is not None
        cache, _ = bench.engine._cache.copied(ids[:-1], main)
        started = time.perf_counter()
        mx.eval(main.module(mx.array(ids[-1:])[None], cache=cache))
        return time.perf_counter() - started

    compared = compare(look, token, PAIRS)
    return Row("engine.inside_lens", compared.median, "times", 3, "lower", compared.detail())


def _attention(bench: Bench) -> Row:
    """Beside one whole pass over the same text."""
    ids = tuple(bench.ids[index % len(bench.ids)] for index in range(CONTEXT))

    def look() -> float:
        started = time.perf_counter()
        found = bench.engine.attention(TokenPrompt(ids), len(ids) - 1, lambda event: None, StopFlag())
        assert isinstance(found, Attention)
        return time.perf_counter() - started

    def read() -> float:
        main = bench.engine._main
        assert main is not None
        started = time.perf_counter()
        mx.eval(main.module(mx.array(ids)[None], cache=main.new_cache()))
        return time.perf_counter() - started

    compared = compare(look, read, PAIRS)
    return Row("engine.inside_attention", compared.median, "times", 1.2, "lower", compared.detail())
