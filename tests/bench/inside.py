"""What a look inside costs: the lens beside a token's pass with the rest in the cache, attention beside a prefill."""

import time
from collections.abc import Callable

import mlx.core as mx

from app.engine.jobs import ReadAttention, ReadLens
from app.engine.protocol import StopFlag
from app.engine.types import KV, Attention, LensResult, Limits, Request, TokenPrompt
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


def _ids(bench: Bench) -> tuple[int, ...]:
    return tuple(bench.ids[index % len(bench.ids)] for index in range(CONTEXT))


def _seconds(look: Callable[[], object], kind: type) -> Callable[[], float]:
    """How long it takes until this is known."""

    def measured() -> float:
        started = time.perf_counter()
        assert isinstance(look(), kind)
        return time.perf_counter() - started

    return measured


def _read(bench: Bench, ids: tuple[int, ...]) -> Callable[[], float]:
    """How long one whole pass over these takes, with the logits behind each."""

    def measured() -> float:
        main = bench.engine._main
        assert main is not None
        started = time.perf_counter()
        mx.eval(main.module(mx.array(ids)[None], cache=main.new_cache()))
        return time.perf_counter() - started

    return measured


def _lens(bench: Bench) -> Row:
    ids = _ids(bench)
    bench.play(Request(TokenPrompt(ids), GREEDY, Limits(2), KV()))
    place = range(len(ids) - 1, len(ids))

    def token() -> float:
        main = bench.engine._main
        assert main is not None
        cache, _ = bench.engine._cache.copy_prefix(ids[:-1], main)
        started = time.perf_counter()
        mx.eval(main.module(mx.array(ids[-1:])[None], cache=cache))
        return time.perf_counter() - started

    def look() -> object:
        return bench.engine.run_job(ReadLens(TokenPrompt(ids), place), lambda event: None, StopFlag())

    compared = compare(_seconds(look, LensResult), token, PAIRS)
    return Row("engine.inside_lens", compared.median, compared.detail())


def _attention(bench: Bench) -> Row:
    """Beside one whole pass over the same text."""
    ids = _ids(bench)

    def look() -> object:
        return bench.engine.run_job(ReadAttention(TokenPrompt(ids), len(ids) - 1), lambda event: None, StopFlag())

    compared = compare(_seconds(look, Attention), _read(bench, ids), PAIRS)
    return Row("engine.inside_attention", compared.median, compared.detail())
