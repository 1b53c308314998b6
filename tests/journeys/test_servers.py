from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.engine.remote.address import reference
from app.engine.types import LoadRequest, Server
from app.files import settings
from app.files.settings import Settings
from app.state import Phase
from app.ui.picker.dialog import ModelPicker
from app.ui.picker.models_table import ModelTable
from tests.engine.remote.faults import Asked, Faults, Line, serving
from tests.journeys.journey import Journey, journey

pytestmark = pytest.mark.slow


def kept(folder: Path, faults: Faults, model: str = "") -> list[str]:
    """The switches of a start with one server on the list."""
    settings.save(Settings(model=model, servers=(Server(faults.address, "Studio"),)), folder)
    return ["--engine", "echo", "--data-dir", str(folder)]


def runs_on_server(user: Journey) -> bool:
    model = user.state.model
    return user.state.phase is Phase.READY and model is not None and bool(model.server)


def test_server_model_is_opened_used_and_reopened_at_the_next_start(qtbot: QtBot, tmp_path: Path) -> None:
    with serving() as faults:
        with journey(qtbot, kept(tmp_path, faults)) as user:
            user.until_ready()
            user.act("open_model")
            picker = user.find(ModelPicker, "model_picker")
            user.until(picker.isActiveWindow)
            QTest.keyClick(picker, Qt.Key.Key_S, Qt.KeyboardModifier.AltModifier)
            user.until(lambda: user.find(ModelTable, "server_models").model().rowCount() == 2)
            for _ in range(2):
                QTest.keyClick(picker.focusWidget(), Qt.Key.Key_Return)
            user.until(lambda: runs_on_server(user))
            assert not picker.isVisible()
            user.send("Hello")
            assert "Hello you" in user.page
        assert "#one" in settings.load(tmp_path)[0].model
        with journey(qtbot, ["--engine", "echo", "--data-dir", str(tmp_path)]) as user:
            user.until(lambda: runs_on_server(user))
            assert not user.find(QWidget, "notice").isVisible()


def test_server_gone_at_start_opens_the_bundled_model_with_a_notice(qtbot: QtBot, tmp_path: Path) -> None:
    with serving() as faults:
        name = reference(faults.address, "one")
    with journey(qtbot, kept(tmp_path, faults, name)) as user:
        user.until_ready()
        assert user.state.model is not None and not user.state.model.server
        host = faults.address.split("/")[2]
        expected = f"{host} refused the connection. The bundled model is open instead."
        assert user.find(QLabel, "notice_what").text() == expected
    assert settings.load(tmp_path)[0].model == name, "next time it may answer"


def test_model_opened_while_a_server_is_awaited_is_kept(qtbot: QtBot, tmp_path: Path) -> None:
    def silent(asked: Asked, line: Line) -> None:
        line.silence()

    with serving(silent) as faults, journey(qtbot, kept(tmp_path, faults, reference(faults.address, "one"))) as user:
        heading = user.find(QLabel, "welcome_heading")
        user.until(lambda: bool(faults.asked) and "one on Studio" in heading.text())
        user.window.playground.load(LoadRequest("/models/mine"))
        user.until_ready()
        assert not user.find(QWidget, "notice").isVisible()
    assert settings.load(tmp_path)[0].model == "/models/mine"
