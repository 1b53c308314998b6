"""The folders that the user added: each once, by absolute path, with a signal for changes."""

from pathlib import Path

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.bridge.model_folders import ModelFolders


def test_model_folders_add_a_folder_once_by_absolute_path(qtbot: QtBot, tmp_path: Path) -> None:
    parent = QObject()
    folders = ModelFolders(("/a",), parent)
    with qtbot.waitSignal(folders.changed):
        folders.add(tmp_path)
    assert folders.names == ("/a", str(tmp_path))
    with qtbot.assertNotEmitted(folders.changed):
        folders.add(tmp_path)
        folders.take(folders.names)
        folders.remove("/b")
    folders.add(Path("models"))
    assert folders.names[-1] == str(Path("models").absolute())


def test_model_folders_remove_several_with_one_signal(qapp: QObject) -> None:
    parent = QObject()
    folders = ModelFolders(("/a", "/b", "/c"), parent)
    told: list[tuple[str, ...]] = []
    folders.changed.connect(lambda: told.append(folders.names))
    folders.remove("/a", "/c")
    assert told == [("/b",)]
