"""The model of last time, on a server: what else goes wrong meanwhile is not the server's."""

import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from app.engine.remote.address import reference
from app.engine.types import Failure, ReachedServer
from app.files.settings import Settings
from app.state import Phase
from app.ui.shell import last_server_model
from app.ui.shell.features import DataPaths
from tests.patience import WAIT_S
from tests.ui.desk import QUICK, Desk, named


def test_a_failure_of_something_else_does_not_stand_in_for_the_server(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    demo = tmp_path / "models" / "demo"
    demo.mkdir(parents=True)
    (demo / "config.json").write_text("{}")
    may_answer = threading.Event()

    def ask(*_: object) -> ReachedServer | None:
        may_answer.wait(WAIT_S)
        return None

    async def broken() -> None:
        raise OSError("the last session can't be read")

    monkeypatch.setattr(last_server_model, "_ask", ask)
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    desk.places = DataPaths(data=tmp_path, bundled=tmp_path / "models")
    wanted = reference("http://localhost:9", "m")
    window = desk.open(Settings(model=wanted), start=wanted)
    playground = window.playground
    desk.qtbot.waitUntil(lambda: window._features.reopening._waiting)
    playground.book.tasks.start(broken())
    desk.qtbot.waitUntil(lambda: playground.state.failure is not None)
    assert playground.state.wanted == ""
    may_answer.set()
    desk.qtbot.waitUntil(lambda: playground.state.wanted == wanted)


@pytest.mark.slow
def test_where_another_model_stands_in_the_way_to_others_is_beside_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    demo = tmp_path / "models" / "demo"
    demo.mkdir(parents=True)
    (demo / "config.json").write_text("{}")
    monkeypatch.setattr(
        last_server_model, "_ask", lambda *_: Failure("It doesn't answer.", "Start it.", kind="unreachable")
    )
    desk.places = DataPaths(data=tmp_path, bundled=tmp_path / "models")
    wanted = reference("http://localhost:9", "m")
    window = desk.open(Settings(model=wanted), start=wanted)
    offer = named(window, QAbstractButton, "notice_offer")
    desk.qtbot.waitUntil(offer.isVisible)
    assert named(window, QLabel, "notice_what").text().startswith("It doesn't answer.")
    offer.click()
    desk.qtbot.waitUntil(lambda: named(window, QWidget, "model_picker").isVisible())
    desk.until(window, Phase.READY)


def test_what_stood_beside_the_model_is_kept_where_that_was_not_open_yet(desk: Desk) -> None:
    wanted = Settings(model="echo", draft="/draft", adapter="/adapter")
    window = desk.open(wanted, replace(QUICK, load_seconds=WAIT_S))
    desk.until(window, Phase.LOADING)
    window.close()
    kept = desk.kept[-1]
    assert (kept.model, kept.draft, kept.adapter) == (wanted.model, wanted.draft, wanted.adapter)
