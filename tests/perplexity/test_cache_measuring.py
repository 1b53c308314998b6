"""KV caches on one text: where one breaks, planted facts, and the result."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine.cache_variants import parse_variants
from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import LoadRequest, RawPrompt
from app.perplexity.cache_measuring import CacheJob, CacheMeasurement, planted_text
from app.perplexity.cache_result import break_position
from tests.models import shortened

TEXT = "Once upon a time there was a fox. It lived by the sea. It had a boat. It counted 1, 2, 3 waves. "


@pytest.fixture
def engine() -> Iterator[MlxEngine]:
    made = MlxEngine()
    yield made
    made.unload()


def test_break_position_skips_single_tokens() -> None:
    quiet, loud = [0.01] * 20, [0.6, 0.0] * 4
    assert break_position([*quiet, 5.0, *quiet]) is None
    assert break_position([*quiet, 5.0, *quiet, *loud, *quiet]) == 41
    assert break_position([0.0, 0.5, 0.5, 0.5, 0.5]) == 1
    assert break_position([]) is None


@pytest.mark.parametrize("depth", [0, 40, 100])
def test_planted_text_has_the_code_in_the_text_and_at_the_end(depth: int) -> None:
    text, (first, second) = planted_text(TEXT, depth)
    code = text[second.start : second.stop]
    assert code.isdigit() and text.endswith(code) and text[first.start : first.stop] == code
    assert text.count(code) == 2
    assert text.split("\n\n")[0].replace(f"The secret code of the harbor is {code}. ", "").strip() == TEXT.strip()
    assert abs(first.start / len(TEXT) - depth / 100) < 0.5


@pytest.mark.slow
def test_cache_measurement_cuts_the_text_to_the_context(engine: MlxEngine, demo_model: Path, tmp_path: Path) -> None:
    model = LoadRequest(str(shortened(demo_model, tmp_path, 128)))
    job = CacheJob(RawPrompt(TEXT * 5), model, parse_variants("8,window:16"), (50,))
    measurement = CacheMeasurement(job)
    assert measurement.go(engine, None, lambda event: None, StopFlag()) is None
    found = measurement.result()
    assert found is not None and found.is_cut and found.tokens == 128
    eight, window = found.variants
    assert eight.compared.positions == window.compared.positions == tuple(range(1, 128))
    assert 0 < window.bytes < found.full_bytes and 0 < eight.bytes < found.full_bytes
    assert len(found.needles) == 1 and len(found.needles[0].found) == 3
