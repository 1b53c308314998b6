"""A session that is being read, while something happens to it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.bridge import reading
from app.records.journal import Journal
from app.records.types import Session, SessionId
from app.state import Past
from tests.bridge.playing import keeping
from tests.late import held_back


@pytest.fixture
def may_come(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Sessions are read at once, and come when it is set."""
    read = reading.session_of
    may_come, wait = held_back(lambda: None)

    def late(journal: Journal, session: SessionId) -> tuple[Session | None, Past]:
        found = read(journal, session)
        wait()
        return found

    monkeypatch.setattr(reading, "session_of", late)
    return may_come


def test_one_that_is_deleted_meanwhile_is_not_shown(qtbot: QtBot, tmp_path: Path, may_come: threading.Event) -> None:
    with keeping(qtbot, tmp_path) as player:
        player.send("One")
        deleted = player.state.session
        player.playground.new_session()
        player.send("Two")
        kept, turns = player.state.session, player.state.turns
        assert player.playground.open_session(deleted)
        player.playground.forget(deleted)
        may_come.set()
        player.until(lambda: not player.state.opening and not player.playground.book.tasks.going_on)
        assert player.state.session == kept and player.state.turns == turns
