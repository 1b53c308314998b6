"""Measurements on a real model: perplexity, logit lens, attention and quantization."""

from pathlib import Path

import numpy as np
import pytest

from app.engine.jobs import ReadAttention, ReadLens, ScoreTokens
from app.engine.types import TokenPrompt
from tests.engine.mlx.conftest import Player
from tests.engine.mlx.independent import forward, log_softmax

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


def test_lens_and_attention_agree_with_the_model(smol: Player, ids: tuple[int, ...]) -> None:
    last = len(ids) - 1
    lens = smol.result(ReadLens(TokenPrompt(ids), range(last, last + 1)))
    attention = smol.result(ReadAttention(TokenPrompt(ids), last))
    assert lens.max_difference < LARGEST_DIFFERENCE and attention.max_difference < LARGEST_DIFFERENCE
    assert len(lens.positions[0].guesses) == 30 and len(attention.heads) == 270
