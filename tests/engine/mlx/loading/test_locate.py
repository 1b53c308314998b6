from pathlib import Path

import pytest

from app.engine.errors import UserError
from app.engine.mlx.loading.locate import locate
from app.engine.model_files.folder import model_name


def test_locate_of_a_folder_returns_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model").mkdir()
    assert locate("model") == tmp_path / "model"
    assert locate(str(tmp_path)) == tmp_path


@pytest.mark.parametrize(
    "name",
    ["", "  ", "\0", "/nowhere/at/all", "~/no such folder", "~no-such-user/model", "./absent", "a/b/c", "x" * 5000],
)
def test_locate_of_an_absent_folder_is_refused(name: str) -> None:
    with pytest.raises(UserError) as refused:
        locate(name)
    assert refused.value.failure.todo


def test_locate_of_a_file_a_path_or_an_unknown_id_says_why(tmp_path: Path) -> None:
    (file := tmp_path / "model.safetensors").touch()
    with pytest.raises(UserError, match="is a file"):
        locate(str(file))
    with pytest.raises(UserError, match="There is no folder"):
        locate("a/b/c")
    with pytest.raises(UserError, match="neither a folder nor a model in the Hugging Face cache"):
        locate("nobody/Nothing-0.6B-4bit")


def test_locate_of_a_cached_id_returns_its_snapshot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    snapshot = tmp_path / "models--some--model" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}")
    refs = tmp_path / "models--some--model" / "refs"
    refs.mkdir()
    (refs / "main").write_text("abc")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.file_download.HF_HUB_CACHE", str(tmp_path), raising=False)
    assert locate("some/model") == snapshot
    assert (model_name(snapshot), model_name(Path("/models/demo"))) == ("some/model", "demo")
