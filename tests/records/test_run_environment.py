import ctypes
import sys
from pathlib import Path
from typing import Any

import pytest

from app.records import run_environment
from app.records.run_environment import model_ref, versions


def test_model_ref_of_a_cached_model_has_its_commit(tmp_path: Path) -> None:
    folder = tmp_path / "snapshots" / "0123abcd"
    folder.mkdir(parents=True)
    ref = model_ref("demo", folder)
    assert (ref.name, ref.folder, ref.revision, ref.digest) == ("demo", str(folder), "0123abcd", "")


def test_model_ref_of_a_folder_has_a_digest(tmp_path: Path) -> None:
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(bytes(3_000_000))
    (tmp_path / "config.json").write_text("{}")
    before = model_ref("demo", tmp_path).digest
    assert len(before) == 64
    assert model_ref("other name", tmp_path).digest == before
    with weights.open("r+b") as file:
        file.seek(2_999_999)
        file.write(b"x")
    assert model_ref("demo", tmp_path).digest != before


def test_model_ref_of_a_server_has_its_host() -> None:
    ref = model_ref("demo", Path("http://127.0.0.1:8080/v1#demo"))
    assert (ref.name, ref.revision, ref.digest) == ("demo · 127.0.0.1:8080", "", "")


def test_model_ref_of_an_absent_folder_has_no_digest(tmp_path: Path) -> None:
    assert model_ref("demo", tmp_path / "nowhere").digest == ""


def test_versions_are_all_known() -> None:
    known = versions()
    assert all((known.app, known.mlx, known.mlx_lm, known.python, known.system, known.chip))


class MacLibrary:
    """What a Mac's C library says of its processor."""

    def __init__(self, chip: bytes) -> None:
        self._chip = chip

    def sysctlbyname(self, name: bytes, into: Any, size: Any, new: None, new_size: ctypes.c_size_t) -> int:
        assert (name, new, new_size.value) == (b"machdep.cpu.brand_string", None, 0)
        if not self._chip:
            return -1
        into.value = self._chip
        return 0


@pytest.mark.parametrize(("told", "chip"), [(b"Apple M3 Max", "Apple M3 Max"), (b"", "arm64")])
def test_mac_chip_has_a_name(monkeypatch: pytest.MonkeyPatch, told: bytes, chip: str) -> None:
    """Python itself calls each of them "arm", and the machine "arm64"."""
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr("app.records.run_environment.ctypes.CDLL", lambda name: MacLibrary(told))
    monkeypatch.setattr("app.records.run_environment.platform.processor", lambda: "arm")
    monkeypatch.setattr("app.records.run_environment.platform.machine", lambda: "arm64")
    assert run_environment._chip() == chip
