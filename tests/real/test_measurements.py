from pathlib import Path

import numpy as np
import pytest

from app.engine.cache_variants import parse_variants
from app.engine.jobs import ReadAttention, ReadLens, ScoreTokens
from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import LoadRequest, RawPrompt, TokenPrompt
from app.perplexity.cache_measuring import CacheJob, CacheMeasurement, planted_text
from tests.engine.mlx.conftest import Player
from tests.engine.mlx.independent import forward, log_softmax
from tests.engine.mlx.test_cache_comparison import assert_equal as assert_caches_equal

pytestmark = pytest.mark.slow

TEXT = "The capital of France is Paris. It lies on the Seine, and about two million people live in the city itself."
LARGEST_DIFFERENCE = 1e-4
"""Of quantities that are computed twice in float32."""


@pytest.fixture(scope="module")
def ids(real_model: Path) -> tuple[int, ...]:
    from tokenizers import Tokenizer

    return tuple(Tokenizer.from_file(str(real_model / "tokenizer.json")).encode(TEXT).ids)


def test_perplexity_equals_that_of_a_plain_forward_pass(smol: Player, ids: tuple[int, ...]) -> None:
    scored = smol.result(ScoreTokens(TokenPrompt(ids)))
    rows = forward(smol.main, ids)
    expected = [log_softmax(row)[token] for row, token in zip(rows[:-1], ids[1:], strict=True)]
    found = [each.logprob for each in scored.weights[1:] if each is not None]
    assert found == pytest.approx(expected, abs=LARGEST_DIFFERENCE)
    assert np.exp(-np.mean(found)) == pytest.approx(np.exp(-np.mean(expected)), rel=LARGEST_DIFFERENCE)


def test_kv_caches_equal_float64_from_the_logits(smol: Player, ids: tuple[int, ...]) -> None:
    assert_caches_equal(smol, ids)


FILLER = "The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again. " * 3


def test_window_shorter_than_the_distance_of_a_fact_breaks_where_it_is_asked(real_model: Path) -> None:
    text, (_, answer) = planted_text(FILLER, 10)
    engine = MlxEngine()
    measurement = CacheMeasurement(
        CacheJob(RawPrompt(text), LoadRequest(str(real_model)), parse_variants("8,window:32"))
    )
    assert measurement.go(engine, None, lambda event: None, StopFlag()) is None
    engine.unload()
    found = measurement.result()
    assert found is not None
    eight, window = found.variants
    assert eight.break_at is None and window.break_at is not None
    asked = text.rindex("The secret code")
    start, end = found.full.prompt.offsets[window.break_at]
    assert asked < end and start < answer.stop
    digits = [at for at, (start, _) in enumerate(found.full.prompt.offsets) if start >= answer.start]
    assert all(eight.compared.others[at - 1].rank == 1 for at in digits)
    assert any(window.compared.others[at - 1].rank > 1 for at in digits)


def test_lens_and_attention_agree_with_the_model(smol: Player, ids: tuple[int, ...]) -> None:
    last = len(ids) - 1
    lens = smol.result(ReadLens(TokenPrompt(ids), range(last, last + 1)))
    attention = smol.result(ReadAttention(TokenPrompt(ids), last))
    assert lens.max_difference < LARGEST_DIFFERENCE and attention.max_difference < LARGEST_DIFFERENCE
    assert len(lens.positions[0].guesses) == 30 and len(attention.heads) == 270
