"""The memory of an NVIDIA GPU, simulated on the CPU."""

from pathlib import Path

import mlx.core as mx
import pytest

from app.engine.errors import UserError
from app.engine.mlx import memory
from app.engine.mlx.loading import load
from app.engine.model_files.folder import look

TOTAL = 80 * 10**9


@pytest.fixture(autouse=True)
def gpu(monkeypatch: pytest.MonkeyPatch) -> dict[str, str | int]:
    info: dict[str, str | int] = {"device_name": "NVIDIA H100", "total_memory": TOTAL, "free_memory": TOTAL}
    monkeypatch.setattr(mx, "device_info", lambda: info)
    monkeypatch.setattr(mx, "get_active_memory", lambda: 10**9)
    monkeypatch.setattr(mx, "get_cache_memory", lambda: 2 * 10**9)
    monkeypatch.setattr(memory, "on_cpu", lambda: False)
    return info


def test_memory_of_a_cuda_device_is_its_own_without_the_margin(gpu: dict[str, str | int]) -> None:
    read = memory.read(0, 0)
    assert (read.limit, read.device) == (72 * 10**9, "NVIDIA H100")
    assert memory.available_bytes() == 71 * 10**9
    gpu["free_memory"] = 20 * 10**9
    assert memory.available_bytes() == (20 + 2 - 8) * 10**9
    gpu["free_memory"] = 10**9
    assert memory.available_bytes() == 0


def test_load_of_more_than_a_cuda_device_has_free_is_refused(gpu: dict[str, str | int], tiny_llama: Path) -> None:
    folder = look(tiny_llama)
    load.check_room(folder)
    gpu["free_memory"] = 6 * 10**9 + folder.weight_bytes
    with pytest.raises(UserError, match="GB are free"):
        load.check_room(folder)
