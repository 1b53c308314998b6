"""Folders in the settings: the picker's own list, the place for downloads, and what the file manager shows."""

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QLabel, QListWidget

from app.library import cached
from app.settings import Settings
from app.ui.shell.main_window import MainWindow
from app.ui.shell.places import Places
from tests.ui.desk import Desk, act, named


def opened(desk: Desk, settings: Settings | None = None) -> MainWindow:
    window = desk.ready(settings)
    act(window, "settings").trigger()
    named(window, QListWidget, "settings_pages").setCurrentRow(2)
    return window


def listed(window: MainWindow) -> list[str]:
    models = named(window, QListWidget, "settings_model_folders")
    return [models.item(row).text() for row in range(models.count())]


def press(window: MainWindow, name: str) -> None:
    named(window, QAbstractButton, name).click()


def test_folders_of_models_are_the_picker_s(desk: Desk, tmp_path: Path) -> None:
    window = opened(desk, Settings(folders=("/a",)))
    press(window, "settings_add_folder")
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path))
    dialog.reject()
    assert listed(window) == ["/a", str(tmp_path)]
    assert (window._features.folders.kept, desk.kept[-1].folders) == (("/a", str(tmp_path)),) * 2
    named(window, QListWidget, "settings_model_folders").setCurrentRow(0)
    press(window, "settings_remove_folder")
    assert listed(window) == [str(tmp_path)]
    assert list(desk.kept[-1].folders) == [str(tmp_path)]
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").touch()
    window._features.picker.take_folder(tmp_path / "model")
    dropped = [str(tmp_path), str(tmp_path / "model")]
    desk.qtbot.waitUntil(lambda: listed(window) == dropped)  # what is dropped on the window is listed too
    assert list(desk.kept[-1].folders) == listed(window)


def test_another_place_for_downloads_counts_from_the_next_start(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    (tmp_path / "hub").mkdir()
    (tmp_path / "hub" / "blob").write_bytes(bytes(4_000))
    window = opened(desk)
    said = named(window, QLabel, "settings_show_cache_line_sentence")
    desk.qtbot.waitUntil(lambda: said.text().startswith(f"{tmp_path / 'hub'}: 4.00 kB"))
    restart = named(window, QAbstractButton, "settings_restart_cache")
    assert not restart.isVisible()
    press(window, "settings_change_cache")
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "big"))
    dialog.reject()
    assert desk.kept[-1].cache == str(tmp_path / "big")
    assert f"until Sluice is started next; then {tmp_path / 'big'}" in said.text()
    press(window, "settings_usual_cache")
    assert desk.kept[-1].cache == ""
    assert not restart.isVisible()
    window._features.settings._folders.take_cache(tmp_path / "big")
    assert restart.isVisible()
    restart.click()
    assert window.starts_again


def test_the_file_manager_opens_what_is_there(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", shown.append)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "not" / "yet"))
    desk.places = Places(tmp_path)
    window = opened(desk)
    for name in ("cache", "data", "logs"):
        press(window, f"settings_show_{name}")
    assert [url.toLocalFile() for url in shown] == [str(tmp_path)] * 3
    assert str(tmp_path) in named(window, QLabel, "settings_show_data_sentence").text()


def test_the_shell_s_place_for_downloads_is_offered(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(cached, "of_shell", lambda: tmp_path / "shell")
    window = opened(desk)
    button = named(window, QAbstractButton, "settings_shell_cache")
    desk.qtbot.waitUntil(button.isVisible)
    said = named(window, QLabel, "settings_show_cache_line_sentence")
    assert said.text().endswith(f"Your shell has them in {tmp_path / 'shell'}.")
    button.click()
    assert desk.kept[-1].cache == str(tmp_path / "shell")
    assert not button.isVisible()
