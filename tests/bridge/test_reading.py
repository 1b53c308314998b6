"""A session that is being read, while something happens to it."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.bridge.playing import keeping, read_late


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
