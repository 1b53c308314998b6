"""The check of a GPU: its comparison, its table, its steps with simulated processes, and its models on the CPU."""

import json
import subprocess
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest

from app.engine.mlx.engine import MlxEngine
from tests import models
from tests.gpu_check import part
from tests.gpu_check.__main__ import Check
from tests.gpu_check.report import difference, markdown, rows

MEMORY = {"active": 2_000_000, "cache": 1_000_000, "peak": 4_000_000}
PROFILE = {
    "bandwidth_bytes_per_s": 3.9e12,
    "tokens_per_s": 300.0,
    "ceiling_tokens_per_s": 1_200.0,
    "share": 0.25,
    "bound": "overhead",
    "prompt_tokens_per_s": 50_000.0,
    "causes": [{"name": "launches", "sentence": "The model is small."}],
}


def answer(*ids: int) -> dict[str, Any]:
    return {"ids": list(ids), "top": [{"7": 0.41, "8": 0.39}] * len(ids)}


def measured(*ids: int, driver: int | None = None) -> dict[str, Any]:
    runs = [answer(*ids), answer(*ids)]
    speeds = {"prefill_tokens_per_s": 9_000.0, "decode_tokens_per_s": 200.0}
    return {"precision": "float32", "tf32": False, "runs": runs, "memory": MEMORY, "driver_bytes": driver} | speeds


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (answer(7, 7, 7), "same 3 tokens"),
        (answer(7, 7), "same 2 tokens, then one ends"),
        (answer(7, 8, 7), "token 2 of 3 differs, probability gap 0.02"),
        (answer(9, 7, 7), "token 1 of 3 differs, probability gap over 20 alternatives"),
    ],
)
def test_difference_names_the_first_token_and_its_gap(other: dict[str, Any], words: str) -> None:
    assert difference(answer(7, 7, 7), other) == words


class Processes:
    """Simulated child processes, which print what belongs to their arguments."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def run(self, command: tuple[str, ...], **named: Any) -> subprocess.CompletedProcess[str]:
        words = " ".join(command[1:])
        self.asked.append((words, named.get("env", {}).get("MLX_ENABLE_TF32", "")))
        if "real-float32" in words and "--tokens" in words and "--device=cpu" in words:
            raise subprocess.TimeoutExpired(command, 1.0)
        if "hybrid" in words:
            return subprocess.CompletedProcess(command, 1, "", "Traceback\nRuntimeError: No kernel image")
        return subprocess.CompletedProcess(command, 0, "[INFO] loading\n" + json.dumps(self._printed(words)), "")

    def _printed(self, words: str) -> object:
        if "device_info" in words:
            return {"device_name": "NVIDIA H200", "architecture": "sm_90", "free_memory": "1"}
        if "gpu_check.part models" in words:
            names = ("real", "real-float32", "dense", "mixture", "hybrid", "large")
            return {name: f"/made/{name}" for name in names}
        if "gpu_check.part window" in words:
            return {"ratio": 0.97, "pairs": 10}
        if "gpu_check.part tokens" in words:
            return measured(7, 8, driver=5_000_000)
        if "experiment" in words:
            return {"conclusion": "The same tokens: once more; TF32 off."}
        return PROFILE


def test_check_writes_a_row_for_each_step_and_a_reason_without_a_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    processes = Processes()
    monkeypatch.setattr(subprocess, "run", processes.run)
    check = Check(tmp_path, 8, tmp_path, on_cpu=False)
    check.run()
    table = dict(rows(check.results))
    assert table["machine"].startswith("device_name NVIDIA H200, architecture sm_90, driver")
    assert table["self-test"].startswith("no result: [Errno 2]")
    assert table["tokens real-float32"] == "no result: the time was over"
    assert table["tokens hybrid"] == "no result: Traceback / RuntimeError: No kernel image"
    assert table["dense: GPU against CPU, both in float32, long prompt"] == "same 2 tokens"
    assert table["dense: memory by nvidia-smi"] == "5 MB (+2 MB)"
    assert table["large, TF32 off: share of the limit"] == "25% (300.0 of 1,200.0 tok/s), limited by overhead"
    assert table["profile real-4-bit"] == "no result: there is no model real-4-bit"
    assert table["window ÷ bare loop"] == "0.970 (10 pairs)"
    assert "| determinism, TF32 on | The same tokens" in markdown(rows(check.results))
    asked = [tf32 for words, tf32 in processes.asked if "/made/dense" in words]
    assert asked == ["0", "0", "0", "1"], "on the GPU, on the CPU, again, with TF32"


def test_check_after_its_time_starts_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Check, "_machine", lambda _self: None)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("a process was started"))
    check = Check(tmp_path, 0, tmp_path, on_cpu=True)
    check.run()
    assert all(step["missing"] for step in check.results["steps"]) and len(check.results["steps"]) > 10


@pytest.mark.slow
def test_part_measures_tokens_of_a_converted_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part, "driver_bytes", lambda: None)
    source = models.tiny_llama(tmp_path / "source")
    half = part.converted(source, tmp_path / "half", mx.float16)
    weights: Any = mx.load(str(half / "model.safetensors"))
    assert {array.dtype for array in weights.values()} == {mx.float16}
    monkeypatch.setattr(MlxEngine, "close", MlxEngine.unload)
    found = part.tokens(source, 4)
    assert [len(run["ids"]) for run in found["runs"]] == [4, 4] and found["precision"] == "float32"
    assert all(len(top) == part.ALTERNATIVES for run in found["runs"] for top in run["top"])
    assert difference(found["runs"][0], found["runs"][0]) == "same 4 tokens"
    assert found["prefill_tokens_per_s"] > 0 and found["memory"]["peak"] > 0
