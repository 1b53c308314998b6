import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from app.engine.remote.address import reference
from app.engine.types import Failure
from app.files.settings import Settings
from app.state import Phase
from app.ui.shell import last_server_model
from app.ui.shell.features import DataPaths
from tests.late import held_back
from tests.patience import WAIT_S
from tests.ui.desk import QUICK, Desk, named

WANTED = reference("http://localhost:9", "m")


@pytest.fixture
def desk(desk: Desk, tmp_path: Path) -> Desk:
    """With a bundled model."""
    demo = tmp_path / "models" / "demo"
    demo.mkdir(parents=True)
    (demo / "config.json").write_text("{}")
    desk.paths = DataPaths(data=tmp_path, bundled=tmp_path / "models")
    return desk


def test_last_server_model_ignores_failures_of_other_tasks(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    may_answer, ask = held_back(lambda *_: None)

    async def broken() -> None:
        raise OSError("the last session can't be read")

    monkeypatch.setattr(last_server_model, "_ask", ask)
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    window = desk.open(Settings(model=WANTED), start=WANTED)
    playground = window.playground
    desk.qtbot.waitUntil(lambda: window._features.reopening._waiting)
    playground.book.tasks.start(broken())
    desk.qtbot.waitUntil(lambda: playground.state.failure is not None)
    assert playground.state.wanted == ""
    may_answer.set()
    desk.qtbot.waitUntil(lambda: playground.state.wanted == WANTED)


@pytest.mark.slow
def test_last_server_model_without_an_answer_offers_the_picker(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        last_server_model, "_ask", lambda *_: Failure("It doesn't answer.", "Start it.", kind="unreachable")
    )
    window = desk.open(Settings(model=WANTED), start=WANTED)
    offer = named(window, QAbstractButton, "notice_offer")
    desk.qtbot.waitUntil(offer.isVisible)
    assert named(window, QLabel, "notice_what").text().startswith("It doesn't answer.")
    offer.click()
    desk.qtbot.waitUntil(lambda: named(window, QWidget, "model_picker").isVisible())
    desk.until(window, Phase.READY)


def test_last_model_closed_while_loading_keeps_draft_and_adapter(desk: Desk) -> None:
    wanted = Settings(model="echo", draft="/draft", adapter="/adapter")
    window = desk.open(wanted, replace(QUICK, load_seconds=WAIT_S))
    desk.until(window, Phase.LOADING)
    window.close()
    kept = desk.kept[-1]
    assert (kept.model, kept.draft, kept.adapter) == (wanted.model, wanted.draft, wanted.adapter)
