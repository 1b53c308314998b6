"""A name becomes a folder on this disk, or one sentence; never a look at the network."""

import json
from pathlib import Path

import pytest

from app.engine.errors import UserError
from app.engine.mlx.loading.locate import locate, looks_like_a_path
from app.engine.model_files.folder import model_name


def test_a_folder_is_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model").mkdir()
    assert locate("model") == tmp_path / "model"
    assert locate(str(tmp_path)) == tmp_path


@pytest.mark.parametrize(
    "name",
    ["", "  ", "\0", "/nowhere/at/all", "~/no such folder", "~no-such-user/model", "./absent", "a/b/c", "x" * 5000],
)
def test_what_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(UserError) as refused:
        locate(name)
    assert refused.value.failure.todo


def test_a_file_is_no_model(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    file.touch()
    with pytest.raises(UserError, match="is a file"):
        locate(str(file))


def test_an_id_that_was_never_downloaded() -> None:
    with pytest.raises(UserError, match="neither a folder nor a model in the Hugging Face cache"):
        locate("nobody/nothing")


def test_an_id_in_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    snapshot = tmp_path / "models--some--model" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text(json.dumps({}))
    refs = tmp_path / "models--some--model" / "refs"
    refs.mkdir()
    (refs / "main").write_text("abc")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.file_download.HF_HUB_CACHE", str(tmp_path), raising=False)
    assert locate("some/model") == snapshot
    assert model_name(snapshot) == "some/model"


def test_names() -> None:
    assert model_name(Path("/models/demo")) == "demo"
    assert looks_like_a_path("a/b/c")
    assert not looks_like_a_path("mlx-community/Qwen3-0.6B-4bit")
