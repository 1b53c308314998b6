import os
import stat
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from app.engine.types import Failure
from app.ui.widgets import files


def test_write_replaces_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("old", "utf-8")
    assert files.write(path, "new\r\nlines\n") is None
    assert path.read_bytes() == b"new\r\nlines\n"
    assert list(tmp_path.iterdir()) == [path]
    other = tmp_path / "b.md"
    other.touch()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(other.stat().st_mode)


def test_write_without_space_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.md"
    path.write_text("old", "utf-8")

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("app.ui.widgets.files.os.fsync", full)
    failure = files.write(path, "new")
    assert failure is not None
    assert failure.what == f"“a.md” could not be saved in {tmp_path}: No space left on device."
    assert path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_write_into_a_missing_folder_returns_a_failure(tmp_path: Path) -> None:
    failure = files.write(tmp_path / "gone" / "a.md", "new")
    assert failure is not None
    assert "No such file or directory" in failure.what


def test_read_takes_regular_files_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.sluice"
    path.write_bytes(b"12345")
    os.mkfifo(tmp_path / "pipe")
    tried = ((path, 5), (path, 4), (tmp_path, 5), (tmp_path / "gone", 5), (tmp_path / "pipe", 5))
    found = [files.read(*each, lambda file: file.read()) for each in tried]
    assert [each.what if isinstance(each, Failure) else each for each in found] == [
        b"12345",
        "“a.sluice” is too large to be a session.",
        f"“{tmp_path.name}” is not a file.",
        "“gone” is not a file.",
        "“pipe” is not a file.",
    ]


def test_save_dialog_reopens_in_the_folder_and_with_the_type_used_last(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_used", {})
    monkeypatch.setenv("HOME", str(tmp_path))
    window, kinds = QWidget(), {".sluice": "Session", ".md": "Markdown"}
    qtbot.addWidget(window)
    folders, names = [], []
    for _ in range(2):
        files.ask_save(window, "Export", "Foxes", kinds, lambda path: None)
        dialog = window.findChildren(QFileDialog)[-1]
        folders.append(dialog.directory().absolutePath())
        names.append(Path(dialog.selectedFiles()[0]).name)
        (tmp_path / "notes").mkdir(exist_ok=True)
        dialog.fileSelected.emit(str(tmp_path / "notes" / "Foxes.md"))
        dialog.reject()
    assert folders == [str(tmp_path), str(tmp_path / "notes")], "first the home, which has no documents"
    assert names == ["Foxes.sluice", "Foxes.md"]
    assert files.saved(tmp_path / "notes" / "Foxes.md") == "Saved as ~/notes/Foxes.md."
