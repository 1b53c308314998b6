"""SmolLM2-135M-Instruct in an engine, opened once. `make real-model` makes it; without it these tests are skipped."""

from collections.abc import Iterator
from pathlib import Path

import mlx.core as mx
import pytest

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import LoadRequest, Model
from tests.conftest import REAL_MODEL
from tests.engine.mlx.conftest import Player


@pytest.fixture(scope="session")
def real_model() -> Path:
    if not (REAL_MODEL / "config.json").is_file():
        pytest.skip("the real model isn't here: run make real-model")
    return REAL_MODEL


@pytest.fixture(scope="module")
def smol(real_model: Path) -> Iterator[Player]:
    engine = MlxEngine()
    model = engine.load(LoadRequest(str(real_model)), lambda event: None, StopFlag())
    assert isinstance(model, Model), model
    yield Player(engine, model)
    engine.unload()
    mx.clear_cache()
