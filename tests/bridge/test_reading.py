"""A session that is being read, while something happens to it."""

from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.controls import Controls
from app.engine.types import Role
from app.records.journal import open_journal
from tests.bridge.playing import keeping, playing, read_late, reading
from tests.late import held_back


def test_one_that_is_deleted_meanwhile_is_not_shown(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with keeping(qtbot, tmp_path) as player:
        may_come = read_late(monkeypatch)
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


def test_one_that_is_read_while_the_journal_opens_goes_on_under_its_number_there(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with reading(tmp_path) as journal:
        old = journal.sessions.new(Controls())
        journal.sessions.add_turn(old, Role.USER, "Long ago")
    may_open, opener = held_back(partial(open_journal, tmp_path))
    with playing(qtbot, opener=opener) as player:
        player.load()
        player.send("Early")
        early = player.state.session
        assert early == old, "the number of another one there"
        player.playground.new_session()
        may_come = read_late(monkeypatch)
        assert player.playground.open_session(early)
        may_open.set()
        player.until(lambda: not player.playground.book.is_early)
        may_come.set()
        player.until(lambda: not player.state.opening)
        session = player.state.session
        player.send("Late")
        assert session not in (0, old) and player.state.session == session
    with reading(tmp_path) as journal:
        asked = [each.text for each in journal.sessions.turns(session) if each.role is Role.USER]
        assert asked == ["Early", "Late"]
        assert [each.text for each in journal.sessions.turns(old)] == ["Long ago"]
