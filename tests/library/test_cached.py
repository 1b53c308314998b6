from pathlib import Path

import pytest
from huggingface_hub import constants

from app.library import cached

COMMIT = "d" * 40


@pytest.mark.parametrize(
    ("kept", "model_id"),
    [
        ("mlx-community/small", "mlx-community/small"),
        ("/cache/hub/models--mlx-community--small/snapshots/abc", "mlx-community/small"),
        ("/models/small", ""),
        ("echo", ""),
        ("", ""),
    ],
)
def test_id_of_cached_folder_is_its_id(kept: str, model_id: str) -> None:
    assert cached.id_of(kept) == model_id


def test_has_model_with_main_branch_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    repository = tmp_path / "models--author--name"
    assert not cached.has("author/name")
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(COMMIT)
    assert not cached.has("author/name")
    (repository / "snapshots" / COMMIT).mkdir(parents=True)
    (repository / "snapshots" / COMMIT / "config.json").touch()
    assert cached.has("author/name")


def test_folder_of_cache_equals_huggingface_hub() -> None:
    assert cached.folder_of_cache() == Path(constants.HF_HUB_CACHE)


@pytest.mark.parametrize(
    ("variable", "value", "folder"),
    [("HF_HUB_CACHE", "/a", "/a"), ("HF_HOME", "/b", "/b/hub"), ("XDG_CACHE_HOME", "/c", "/c/huggingface/hub")],
)
def test_folder_of_cache_follows_the_environment(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, folder: str
) -> None:
    for each in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv(variable, value)
    assert cached.folder_of_cache() == Path(folder)


def test_use_changes_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", "/as/it/was")
    cached.use("")
    assert cached.folder_of_cache() == Path("/as/it/was")
    cached.use(str(tmp_path))
    assert cached.folder_of_cache() == tmp_path


def test_size_of_counts_files_once(tmp_path: Path) -> None:
    (tmp_path / "models--a--b" / "blobs").mkdir(parents=True)
    (tmp_path / "models--a--b" / "blobs" / "1").write_bytes(bytes(1000))
    (tmp_path / "models--a--b" / "link").symlink_to(tmp_path / "models--a--b" / "blobs" / "1")
    (tmp_path / "version.txt").write_bytes(bytes(24))
    assert cached.size_of(tmp_path) == 1024
    assert cached.size_of(tmp_path / "absent") == 0


SHELL = """#!/bin/sh
echo "Last login: today, with A=B"
{variables}
test "$1" = -lic && eval "$2"
"""


@pytest.mark.parametrize(
    ("variables", "folder"),
    [("export HF_HOME=/big/models", "/big/models/hub"), ("export HF_HUB_CACHE=/hub", "/hub"), ("exit 1", "")],
)
def test_of_shell_on_a_mac_reads_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variables: str, folder: str
) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    for name in ("HF_HOME", "HF_HUB_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    shell = tmp_path / "shell"
    shell.write_text(SHELL.format(variables=variables))
    shell.chmod(0o755)
    assert cached.of_shell({"SHELL": str(shell)}) == (Path(folder) if folder else None)
    assert cached.of_shell({"SHELL": str(shell), "TERM": "xterm"}) is None, "who came from there knows it all"
    assert cached.of_shell({"SHELL": str(tmp_path / "none")}) is None
