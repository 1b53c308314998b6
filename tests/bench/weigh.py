"""What weighing a text and comparing two models cost beside the bare pass over the same chunks, and what memory."""

import tempfile
import time
import tracemalloc
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import mlx.core as mx
from mlx_lm.models.cache import make_prompt_cache

from app.engine.distributions import Distributions
from app.engine.jobs import CompareTokens, ScoreTokens
from app.engine.mlx.engine import MlxEngine
from app.engine.mlx.perplexity import SEEN_CHUNK
from app.engine.protocol import StopFlag
from app.engine.types import Event, LoadRequest, Model, Prefill, TokenDifference, TokenPrompt, TokenScores
from tests.bench.lengths import length
from tests.bench.pairing import compare
from tests.bench.row import Row
from tests.models import tiny_llama

DEMO = Path(__file__).parents[2] / "resources" / "models" / "demo"
TOKENS = length(1_000, 150)
PAIRS = length(8, 1)
LARGE_VOCABULARY = 150_000
LARGE_TOKENS = length(400, 40)


class Bench:
    """A model, and a text of as many ids."""

    def __init__(self, folder: Path, tokens: int) -> None:
        self.engine = MlxEngine()
        model = self.engine.load(LoadRequest(str(folder)), lambda event: None, StopFlag())
        assert isinstance(model, Model), model
        self.model = model
        self.ids = tuple(5 + (index * 37) % 300 for index in range(tokens))

    def chunks(self) -> list[int]:
        """In which weighing reads the text, so that Stop is heard in time."""
        told: list[Event] = []
        self.engine.run_job(ScoreTokens(TokenPrompt(self.ids)), told.append, StopFlag())
        ends = [event.done for event in told if isinstance(event, Prefill)]
        return [end - start for start, end in pairwise(ends)]

    def bare_s(self, chunks: Iterable[int]) -> float:
        """All logits, a chunk at a time, and nothing made of them."""
        main = self.engine._main
        assert main is not None
        started, cache, start = time.perf_counter(), make_prompt_cache(main.module), 0
        for size in chunks:
            logits = main.module(mx.array(self.ids[start : start + size])[None], cache=cache)
            mx.eval(logits, [layer.state for layer in cache])
            start += size
        return time.perf_counter() - started

    def weigh_s(self) -> float:
        started = time.perf_counter()
        assert isinstance(
            self.engine.run_job(ScoreTokens(TokenPrompt(self.ids)), lambda event: None, StopFlag()), TokenScores
        )
        return time.perf_counter() - started

    def compare_s(self) -> float:
        started, found = time.perf_counter(), list[TokenDifference]()
        with Distributions(len(self.ids) - 1, self.model.vocabulary) as kept:
            self.engine.run_job(ScoreTokens(TokenPrompt(self.ids), kept=kept), lambda event: None, StopFlag())
            kept.rewind()
            self.engine.run_job(CompareTokens(TokenPrompt(self.ids), kept, found), lambda event: None, StopFlag())
        assert len(found) == len(self.ids) - 1
        return time.perf_counter() - started


def rows() -> list[Row]:
    return [*_speed(), _memory()]


def _speed() -> list[Row]:
    bench = Bench(DEMO, TOKENS)
    try:
        chunks, seen = bench.chunks(), [SEEN_CHUNK] * -(-TOKENS // SEEN_CHUNK)
        weighing = compare(lambda: bench.bare_s(chunks), bench.weigh_s, PAIRS)
        comparing = compare(lambda: bench.bare_s(seen) + bench.bare_s(seen), bench.compare_s, PAIRS)
    finally:
        bench.engine.unload()
    return [
        Row("weigh.throughput_ratio", weighing.median, weighing.detail()),
        Row("weigh.compare_ratio", comparing.median, comparing.detail()),
    ]


def _memory() -> Row:
    """What the arrays of both libraries take at most beyond the model, of which one is open at a time."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(tiny_llama(Path(folder) / "large", vocab_size=LARGE_VOCABULARY), LARGE_TOKENS)
        before = mx.get_active_memory()
        mx.reset_peak_memory()
        tracemalloc.start()
        bench.compare_s()
        taken = mx.get_peak_memory() - before + tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        bench.engine.close()
    return Row("weigh.memory_mb", taken / 1e6, {"vocabulary": LARGE_VOCABULARY, "tokens": LARGE_TOKENS})
