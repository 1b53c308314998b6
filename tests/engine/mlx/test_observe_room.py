"""Observed tokens take little room: a long answer's 20,000, with all that is told, fit in 40 MB."""

import gc
import tracemalloc
from collections.abc import Callable

import mlx.core as mx
import numpy as np

from app.engine.mlx.drawing import Drawing
from app.engine.mlx.observe import Observer
from app.engine.tokenizers.spelling import Texts
from app.engine.types import Sampling, Shown, Token, Voice
from app.records.packing import pack_observed, unpack_observed

TOKENS = 1_500
BATCH = 20
VOCABULARY = 512
TOKEN_BYTES = 2_000
DRAWING = Drawing(Sampling(top_p=0.9), frozenset())


def test_a_token_with_ten_candidates_takes_less_than_two_kilobytes() -> None:
    observer = Observer(10, frozenset({2}), Texts(lambda each: f" w{each}").__getitem__, DRAWING)
    logits = [mx.array(row) for row in np.random.default_rng(1).normal(0, 3, (BATCH, 1, 1, VOCABULARY))]
    tokens: list[Token] = []

    def fill() -> None:
        for first in range(0, TOKENS, BATCH):
            for row in logits:
                observer.keep_raw(row)
                observer.note(first % VOCABULARY)
            for place, seen in enumerate(observer.describe(), first):
                text = f" word{place}"
                tokens.append(Token(place, place % 50_000, text, (Shown(Voice.NORMAL, text),), place / 7, False, seen))

    assert _grown(fill) / TOKENS < TOKEN_BYTES
    assert len(tokens) == TOKENS


def test_read_back_from_the_journal_they_take_no_more() -> None:
    observer = Observer(10, frozenset({2}), str, DRAWING)
    observer.keep_raw(mx.array(np.random.default_rng(2).normal(0, 3, (1, VOCABULARY))))
    observer.note(5)
    said = pack_observed(observer.describe() * 1_000)
    kept: list[object] = []
    assert _grown(lambda: kept.extend(unpack_observed(said, 1_000))) / 1_000 < TOKEN_BYTES / 2
    assert len(kept) == 1_000


def _grown(work: Callable[[], None]) -> int:
    """By how many bytes what is kept has grown."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
