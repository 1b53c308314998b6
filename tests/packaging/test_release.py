import shutil
import subprocess
from pathlib import Path

import pytest

import release
from app import __version__

PROJECT = Path(__file__).parents[2]
CHANGELOG = (
    "# Changelog\n\n## Unreleased\n\n## 0.1.0 – 2026-12-24\n\nThe first one.\n\n- Add it.\n\n## 0.0.9 – 2026-01-01\n"
)


@pytest.fixture
def ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that can be released."""
    for name in ("app/__init__.py", release.CASK, *release.COPIES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG.replace("0.1.0", __version__), "utf-8")
    commit = ("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--message", "First")
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    for command in (("init", "--quiet"), ("add", "."), commit):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    return tmp_path


def test_copies_of_the_version_are_current() -> None:
    assert release.version_of(PROJECT) == __version__
    assert list(release.stale_copies(PROJECT, __version__)) == []


def test_release_is_refused_with_each_reason(
    ready: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert release.main([], ready) == 0
    subprocess.run(["git", "tag", f"v{__version__}"], cwd=ready, check=True)
    monkeypatch.setattr("shutil.which", lambda name: None)
    (ready / "CITATION.cff").write_text("version: 0\n")
    (ready / "CHANGELOG.md").write_text("## Unreleased\n")
    assert release.main([], ready) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 5
    assert all(
        word in said
        for word in ("CITATION.cff", "uv is missing", "CHANGELOG.md", "committed", f"v{__version__} exists")
    )


def test_release_writes_its_notes_and_prints_what_to_do(ready: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (ready / ".git" / "info" / "exclude").write_text("dist/\n")
    (ready / "dist").mkdir()
    assert release.main(["--done"], ready) == 0
    assert (ready / "dist" / "release-notes.md").read_text("utf-8") == "The first one.\n\n- Add it.\n"
    assert f"git tag --sign v{__version__}" in capsys.readouterr().out


def test_cask_has_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main(["--cask"]) == 0
    assert f'version "{__version__}"\n  sha256 "CHECKSUM"' in capsys.readouterr().out
