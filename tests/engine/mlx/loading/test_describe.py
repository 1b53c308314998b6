"""What a loaded model tells of itself for the controls."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.protocol import StopFlag
from app.engine.types import KV, Event, Failure, KVShape, Limits, LoadRequest, RawPrompt, Request, Token
from tests import models
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


def test_what_a_plain_cache_can_not_be_used_for_is_said_beforehand(open_model: Open, tmp_path: Path) -> None:
    """An AFM's last layers look into the cache of another one; with a plain run there is nothing wrong."""
    folder = models.shared_layers(tmp_path / "afm")
    player = open_model(folder)
    can, reasons = player.model.can, dict(player.model.can.refusals)
    assert (can.kv_bits, can.batch, can.draft, can.trim) == (False, False, False, True)
    assert {"kv_bits", "batch", "draft"} <= reasons.keys()
    request = Request(RawPrompt("The old mill"), limits=Limits(4))
    assert player.play(request).finish.failure is None
    packed = player.play(replace(request, kv=KV(bits=8))).finish.failure
    assert packed is not None and packed.what == reasons["kv_bits"]
    (together,) = player.engine.generate_together([request], [lambda event: None], StopFlag())
    assert together.failure is not None and together.failure.what == reasons["batch"]
    drafted = player.engine.load(LoadRequest(str(folder), str(folder)), lambda event: None, StopFlag())
    assert isinstance(drafted, Failure) and drafted.what == reasons["draft"]


@pytest.mark.parametrize("make", [models.tiny_llama, models.llama3_rope, models.table_of_positions])
def test_what_works_is_not_refused(open_model: Open, tmp_path: Path, make: Callable[..., Path]) -> None:
    """What is tried on a few tokens is what runs then do; heads that no group suits are told by their size."""
    player = open_model(make(tmp_path / "model", **({} if make is models.table_of_positions else {"head_dim": 32})))
    assert player.model.can.kv_bits and player.model.can.batch
    assert "draft" not in dict(player.model.can.refusals)
    request = Request(RawPrompt("The old mill"), limits=Limits(4))
    alone = [player.play(request).text, player.play(replace(request, prompt=RawPrompt("Once upon a time"))).text]
    heard: list[list[Event]] = [[], []]
    both = [request, replace(request, prompt=RawPrompt("Once upon a time"))]
    player.engine.generate_together(both, [each.append for each in heard], StopFlag())
    assert ["".join(event.text for event in each if isinstance(event, Token)) for each in heard] == alone
