"""Adapters are found where people keep them, and told by their shapes which model they are for."""

import os
import shutil
from pathlib import Path

import pytest

from app.library.drafts_and_adapters import adapters_for
from tests import models
from tests.adapters import adapter


@pytest.fixture
def model(tmp_path: Path, tiny_llama: Path) -> Path:
    return Path(shutil.copytree(tiny_llama, tmp_path / "models" / "tiny"))


def test_adapters_for_finds_all_places(model: Path, cache: Path) -> None:
    snapshot = cache / "models--some--fox" / "snapshots" / ("c" * 40)
    kept = [model / "own", model / "adapters" / "inner", model.parent / "beside", model.parent / "adapters", snapshot]
    for folder in kept:
        adapter(folder, model)
    assert [(choice.name, choice.folder, choice.why_not) for choice in adapters_for(model)] == [
        ("adapters", model.parent / "adapters", ""),
        ("beside", model.parent / "beside", ""),
        ("inner", model / "adapters" / "inner", ""),
        ("own", model / "own", ""),
        ("some/fox", snapshot, ""),
    ]


def test_adapters_for_misfits_come_last(model: Path, cache: Path, tmp_path: Path) -> None:
    other = models.tiny_llama(tmp_path / "elsewhere" / "wide", hidden_size=32)
    adapter(model.parent / "a-stranger", other)
    adapter(model.parent / "fits", model)
    first, second = adapters_for(model)
    assert (first.name, first.why_not) == ("fits", "")
    assert second.name == "a-stranger" and second.why_not.startswith("The adapter is for another model: its ")


def test_adapters_for_chosen_folder_is_included(model: Path, cache: Path, tmp_path: Path) -> None:
    chosen = adapter(tmp_path / "far" / "away", model)
    assert adapters_for(model) == ()
    assert [(choice.folder, choice.why_not) for choice in adapters_for(model, chosen)] == [(chosen, "")]
    (nothing,) = adapters_for(model, tmp_path / "far")
    assert nothing.why_not == "The folder “far” is not an adapter: it has no adapter_config.json."


def test_adapters_for_unreadable_folder_is_skipped(model: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    adapter(model.parent / "fits", model)
    (model.parent / ".Spotlight-V100").mkdir()
    stat = Path.stat

    def refuse(path: Path, **how: bool) -> os.stat_result:
        if path.parent.name == ".Spotlight-V100":
            raise PermissionError(13, "not yours")
        return stat(path, **how)

    monkeypatch.setattr(Path, "stat", refuse)
    assert [choice.name for choice in adapters_for(model)] == ["fits"]


def test_adapters_for_pipe_is_skipped(model: Path, cache: Path) -> None:
    folder = adapter(model.parent / "pipe", model)
    (folder / "adapters.safetensors").unlink()
    os.mkfifo(folder / "adapters.safetensors")
    (choice,) = adapters_for(model)
    assert choice.why_not == "adapters.safetensors is not a regular file, so it isn't read."
