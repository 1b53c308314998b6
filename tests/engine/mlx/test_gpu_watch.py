"""Conditions of a simulated NVIDIA GPU."""

import os
import time
from pathlib import Path

import mlx.core as mx
import pytest

from app.engine.mlx import gpu_watch
from app.engine.mlx.gpu_watch import GpuWatch, compile_seconds, loops_over_tokens
from app.engine.nvml import NvidiaGpu
from app.engine.types import GpuConditions
from tests.engine.mlx import asking
from tests.engine.mlx.architectures import built
from tests.engine.mlx.conftest import Player


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The kernel cache of a simulated GPU without NVML."""
    monkeypatch.setattr(mx, "device_info", lambda: {"device_name": "NVIDIA H200", "pci_bus_id": "0000:19:00.0"})
    monkeypatch.setattr(gpu_watch, "find_gpu", lambda _id: None)
    monkeypatch.setenv("MLX_PTX_CACHE_DIR", str(tmp_path))
    return tmp_path


def store(folder: Path, name: str, at: float) -> None:
    (folder / name).write_text("")
    os.utime(folder / name, (at, at))


def test_conditions_count_the_kernels_compiled_since_the_start(kernels: Path, player: Player) -> None:
    now, clock = time.time(), time.monotonic()
    store(kernels, "old.ptx", now - 5)
    watch = GpuWatch(player.main.module)
    for name, after in (("a.ptx", 3.0), ("a.txt", 4.0), ("b.ptx", 4.5), ("late.ptx", 90.0)):
        store(kernels, name, now + after)
    found = watch.conditions((clock + 1.0, clock + 4.0, clock + 6.0))
    assert found is not None and found.compiled == 3
    assert found.compile_s == pytest.approx(2.5, abs=0.1)
    assert watch.conditions() == GpuConditions(compiled=3)


def test_compile_seconds_count_from_the_kernel_or_phase_before() -> None:
    assert compile_seconds([3.0, 4.5], [1.0, 4.0, 6.0]) == 2.5
    assert compile_seconds([], [1.0]) == compile_seconds([2.0], []) == 0.0


def test_conditions_without_an_nvidia_gpu_are_none(player: Player) -> None:
    assert player.play(asking.ask((5, 6, 7), None, 2)).conditions.gpu is None


def test_conditions_of_a_run_have_those_of_the_gpu(
    kernels: Path, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_watch, "find_gpu", lambda _id: NvidiaGpu)
    for name, value in (("others_share", 0.25), ("clock", 0.5), ("is_slowed", True)):
        monkeypatch.setattr(NvidiaGpu, name, lambda *_, value=value: value)
    conditions = player.play(asking.ask((5, 6, 7), None, 2)).conditions
    assert conditions.gpu == GpuConditions(0.25, 0.5, is_slowed=True)


@pytest.mark.parametrize(
    ("name", "loops"), [("llama", False), ("granitemoehybrid", False), ("qwen3_5", True), ("rwkv7", True)]
)
def test_loops_over_tokens_names_layers_with_a_metal_kernel_only(name: str, loops: bool) -> None:
    assert loops_over_tokens(built(name)) is loops
