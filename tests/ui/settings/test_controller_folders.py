from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QAbstractButton, QLabel, QListWidget

from app.files.settings import Settings
from app.library import cached
from tests.ui.desk import named
from tests.ui.file_dialogs import answer
from tests.ui.settings.conftest import FOLDERS, Setting, Start


def listed(made: Setting) -> list[str]:
    models = named(made.window, QListWidget, "settings_model_folders")
    return [models.item(row).text() for row in range(models.count())]


def test_folders_of_models_are_those_of_the_picker(setting: Start, tmp_path: Path) -> None:
    made = setting(Settings(folders=("/a",)))
    made.open(FOLDERS)
    made.press("settings_add_folder")
    answer(made.window, tmp_path)
    assert listed(made) == ["/a", str(tmp_path)]
    assert (made.folders.names, made.kept[-1].folders) == (("/a", str(tmp_path)),) * 2
    named(made.window, QListWidget, "settings_model_folders").setCurrentRow(0)
    made.press("settings_remove_folder")
    assert listed(made) == [str(tmp_path)]
    assert list(made.kept[-1].folders) == [str(tmp_path)]
    made.folders.add(tmp_path / "model")
    assert listed(made) == [str(tmp_path), str(tmp_path / "model")], "the picker added it"
    assert list(made.kept[-1].folders) == listed(made)


def test_download_folder_changed_needs_a_restart(
    setting: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    (tmp_path / "hub").mkdir()
    (tmp_path / "hub" / "blob").write_bytes(bytes(4_000))
    made = setting(Settings())
    made.open(FOLDERS)
    text = named(made.window, QLabel, "settings_show_cache_line_sentence")
    made.until(lambda: text.text().startswith(f"{tmp_path / 'hub'}: 4.00 kB"))
    restart = named(made.window, QAbstractButton, "settings_restart_cache")
    assert not restart.isVisible()
    made.press("settings_change_cache")
    answer(made.window, tmp_path / "big")
    assert made.kept[-1].cache == str(tmp_path / "big")
    assert f"The next start uses {tmp_path / 'big'}" in text.text()
    made.press("settings_usual_cache")
    assert made.kept[-1].cache == ""
    assert not restart.isVisible()
    restarts: list[bool] = []
    made.controller.restart_wanted.connect(lambda: restarts.append(True))
    made.controller.edit("cache", str(tmp_path / "big"))
    restart.click()
    assert restarts and restart.isVisible()


def test_show_opens_the_nearest_folder_that_exists(
    setting: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", shown.append)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "not" / "yet"))
    made = setting(Settings())
    made.open(FOLDERS)
    for name in ("cache", "data", "logs"):
        made.press(f"settings_show_{name}")
    assert [url.toLocalFile() for url in shown] == [str(tmp_path)] * 3
    assert str(tmp_path) in named(made.window, QLabel, "settings_show_data_sentence").text()


def test_download_folder_of_the_shell_can_be_used(
    setting: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(cached, "of_shell", lambda: tmp_path / "shell")
    made = setting(Settings())
    made.open(FOLDERS)
    button = named(made.window, QAbstractButton, "settings_shell_cache")
    made.until(button.isVisible)
    text = named(made.window, QLabel, "settings_show_cache_line_sentence")
    assert text.text().endswith(f"Your shell is set to {tmp_path / 'shell'}.")
    button.click()
    assert made.kept[-1].cache == str(tmp_path / "shell")
    assert not button.isVisible()
