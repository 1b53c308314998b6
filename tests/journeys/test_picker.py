from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.library.suggested_models import COURSE_MODEL
from app.ui.picker.dialog import ModelPicker
from app.ui.picker.model_suggestions import ModelSuggestions
from app.ui.picker.models_table import ModelTable
from tests.hub import DEMO, Hub
from tests.journeys.journey import Journey, journey
from tests.ui.cells import cells

pytestmark = pytest.mark.slow


@pytest.fixture
def scripted(qtbot: QtBot, cache: Path, tmp_path: Path) -> Iterator[Journey]:
    """The window on the scripted engine, the bundled models on the list."""
    with journey(qtbot, ["--engine", "echo", "--data-dir", str(tmp_path / "data")]) as made:
        made.until_ready()
        yield made


def press(user: Journey, *pressed: Qt.Key | str) -> None:
    """Keys, to whatever has the keyboard in the picker."""
    picker = user.find(ModelPicker, "model_picker")
    for each in pressed:
        onto = picker.focusWidget()
        if isinstance(each, str):
            QTest.keyClicks(onto, each)
        else:
            QTest.keyClick(onto, each)


def rows(user: Journey, table: str) -> list[str]:
    return [row[0] for row in cells(user.find(ModelTable, table))]


def open_picker(user: Journey) -> ModelPicker:
    user.act("open_model")
    user.until(lambda: "demo" in rows(user, "local_models"))
    return user.find(ModelPicker, "model_picker")


def to_the_hub(user: Journey) -> None:
    picker = user.find(ModelPicker, "model_picker")
    QTest.keyClick(picker, Qt.Key.Key_H, Qt.KeyboardModifier.AltModifier)
    user.until(lambda: picker.hub.isVisible())
    picker.hub.search.setFocus()


def test_model_found_on_the_hub_is_downloaded_and_opened(
    qtbot: QtBot, hub: Hub, child_settings: None, demo_model: Path, cache: Path, tmp_path: Path
) -> None:
    with journey(qtbot, ["--data-dir", str(tmp_path / "data")]) as user:
        user.until_ready()
        open_picker(user)
        to_the_hub(user)
        assert hub.asked == [], "nothing is asked before a search"
        press(user, "demo", Qt.Key.Key_Return)
        user.until(lambda: rows(user, "hub_models") == [DEMO])
        press(user, Qt.Key.Key_Return)
        user.until(lambda: "is ready" in user.find(QLabel, "strip_words").text())
        user.find(ModelPicker, "model_picker").close()
        user.press("strip_open")
        user.until(lambda: user.state.model is not None and user.state.model.name == DEMO)
        snapshot = next((cache / "models--mlx-community--demo" / "snapshots").iterdir())
        assert (snapshot / "model.safetensors").read_bytes() == (demo_model / "model.safetensors").read_bytes()
        assert user.send("Count 1 to 5").text


def test_hub_token_is_used_and_never_written(scripted: Journey, hub: Hub, tmp_path: Path) -> None:
    hub.models[DEMO].gated = True
    open_picker(scripted)
    to_the_hub(scripted)
    press(scripted, "demo", Qt.Key.Key_Return)
    reason = scripted.find(QLabel, "hub_details_reason")
    scripted.until(lambda: "gated" in reason.text())
    scripted.find(QLineEdit, "hub_token").setText(hub.token)
    scripted.press("use_token")
    scripted.until(lambda: not reason.isVisible() and bool(scripted.find(QLabel, "fit_verdict")))
    assert ("api", hub.token) in hub.tokens
    scripted.window.close()
    QApplication.processEvents()
    kept = [file for file in (tmp_path / "data").rglob("*") if file.is_file()]
    assert kept and all(hub.token.encode() not in file.read_bytes() for file in kept)


@pytest.fixture
def child_settings(hub: Hub, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A child process asks the same hub."""
    for name, value in {"HF_ENDPOINT": hub.address, "HF_HUB_CACHE": str(cache), "HF_HUB_OFFLINE": "0"}.items():
        monkeypatch.setenv(name, value)


def test_first_model_interrupted_by_quitting_is_resumed_and_opened(
    qtbot: QtBot, hub: Hub, child_settings: None, cache: Path, tmp_path: Path
) -> None:
    switches = ["--data-dir", str(tmp_path / "data")]
    hub.models[COURSE_MODEL.id] = hub.models[DEMO]
    hub.faults.hold_after = 200_000
    with journey(qtbot, switches) as user:
        user.until_ready()
        user.until(user.find(ModelSuggestions, "model_suggestions").isVisible)
        assert hub.asked == [], "nothing is asked before the click"
        buttons = user.find(ModelSuggestions, "model_suggestions").findChildren(QPushButton)
        next(each for each in buttons if each.accessibleName() == f"Download {COURSE_MODEL.name}").click()
        user.until(hub.held.is_set)
    hub.go_on.set()
    hub.faults.hold_after = None
    with journey(qtbot, switches) as user:
        user.until_ready()
        user.until(lambda: user.window.findChild(QLabel, "download_words") is not None)
        assert user.find(QLabel, "download_words").text().startswith("paused")
        user.press("download_go")
        user.until(lambda: user.state.model is not None and user.state.model.name == COURSE_MODEL.id)
        assert not user.find(ModelSuggestions, "model_suggestions").isVisible()
        assert user.send("Count 1 to 5").text
