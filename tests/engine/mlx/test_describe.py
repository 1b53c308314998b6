"""What a loaded model tells of itself for the controls."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from app.engine.types import KVShape, Limits, RawPrompt, Request
from tests.engine.mlx.conftest import Open

STEP = 256
"""mlx-lm's plain cache grows by so many tokens."""


def test_the_cache_s_shape_is_what_a_run_takes(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    shape = player.model.kv
    assert (shape.values, shape.head_sizes) == (2 * 2 * 2 * 16, (16,))
    player.play(Request(RawPrompt("The old mill"), limits=Limits(4)))
    assert player.engine.memory().kv == STEP * shape.values * shape.bytes_per_value


def test_other_caches_have_no_shape(open_model: Open, recurrent: Path) -> None:
    assert open_model(recurrent).model.kv == KVShape()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"do_sample": true, "top_p": 0.9, "eos_token_id": [1, 2]}', (("do_sample", True), ("top_p", 0.9))),
        ("no JSON", ()),
        (None, ()),
    ],
)
def test_generation_config(
    open_model: Open, tiny_llama: Path, tmp_path: Path, content: str | None, told: tuple[object, ...]
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny_llama, folder)
    config = folder / "generation_config.json"
    config.unlink(missing_ok=True)
    if content is not None:
        config.write_text(content, "utf-8")
    assert open_model(folder).model.generation == told
