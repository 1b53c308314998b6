"""After a Metal error nothing stays wired, and the next run works; simulated on the CPU."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.mlx import memory
from app.engine.types import KV, Limits, Reason, Request, Sampling, TokenPrompt
from tests.engine.mlx.conftest import Open
from tests.engine.mlx.metal import WORKING_SET, Metal

REQUEST = Request(TokenPrompt(tuple(range(5, 29))), Sampling(temperature=0), Limits(8))


@pytest.fixture
def metal(monkeypatch: pytest.MonkeyPatch) -> Metal:
    return Metal(monkeypatch)


def test_limit_reads_the_device_info_keys(metal: Metal) -> None:
    assert memory.limit_bytes() == WORKING_SET


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, 4])
def test_run_after_a_metal_error_works_and_nothing_stays_wired(
    open_model: Open, tiny_llama: Path, metal: Metal, step: int
) -> None:
    player = open_model(tiny_llama)
    usual = player.play(REQUEST)
    before = player.engine._main
    assert metal.wired == 0
    metal.fail(step)
    failed = player.play(replace(REQUEST, kv=KV(reuse=False)))
    assert (failed.finish.reason, metal.wired) == (Reason.ERROR, 0)
    assert failed.finish.failure is not None and failed.finish.failure.kind == "memory"
    again = player.play(REQUEST)
    assert (again.ids, again.finish.reused, again.finish.failure) == (usual.ids, 0, None)
    assert player.engine._main is not before, "it was opened anew"
    assert metal.wired == 0
