"""The sum that says whether a model will fit."""

import pytest

from app.library.fit import fit
from app.library.shape import kv_bytes
from app.library.types import Layer, Shape, Verdict

GB = 10**9
SHAPE = Shape((Layer(32, 2 * 8 * 128),))
"""As many layers and heads as Llama 3.1 8B has: 128 KiB a token."""


def test_the_lines_add_up_to_the_total() -> None:
    sum_ = fit(4 * GB, SHAPE, 8192, 16 * GB, (GB, SHAPE))
    assert sum(line.bytes for line in sum_.lines) == sum_.total
    labels = [line.label for line in sum_.lines]
    assert labels == ["Weights", "KV cache", "Draft model's weights", "Draft model's KV cache", "Headroom"]
    assert sum_.lines[1].bytes == 8192 * 131_072 == kv_bytes(SHAPE, 8192)
    assert all(line.note for line in sum_.lines)


@pytest.mark.parametrize(
    ("weights", "verdict", "sentence"),
    [
        (4 * GB, Verdict.FITS, "4.4 GB of the 16.0 GB"),
        (12 * GB, Verdict.TIGHT, "close other programs"),
        (16 * GB, Verdict.WONT_FIT, "You can try it all the same"),
    ],
)
def test_verdicts(weights: int, verdict: Verdict, sentence: str) -> None:
    sum_ = fit(weights, Shape(()), 4096, 16 * GB)
    assert sum_.verdict is verdict
    assert sentence in sum_.sentence and sum_.sentence.endswith(".")


def test_the_context_decides() -> None:
    assert fit(4 * GB, SHAPE, 4096, 8 * GB).verdict is Verdict.FITS
    assert fit(4 * GB, SHAPE, 131_072, 8 * GB).verdict is Verdict.WONT_FIT


def test_a_window_ends_the_growth() -> None:
    shape = Shape((Layer(5, 100, 1024), Layer(1, 100)), plain=False)
    assert kv_bytes(shape, 100_096) - kv_bytes(shape, 50_176) == (100_096 - 50_176) * 100 * 2
    assert "5 of 6 layers keep only the last 1,024" in fit(1, shape, 8192, GB).lines[1].note


def test_a_cache_grows_in_steps() -> None:
    assert kv_bytes(SHAPE, 1) == kv_bytes(SHAPE, 256) < kv_bytes(SHAPE, 257)


def test_what_is_not_known_is_said() -> None:
    assert "does not tell" in fit(GB, None, 4096, 16 * GB).lines[1].note
    assert "state" in fit(GB, Shape((), plain=False), 4096, 16 * GB).lines[1].note
