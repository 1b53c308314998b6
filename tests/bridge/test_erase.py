"""Everything deleted for good: both pages are empty, the file has nothing left, and the program goes on."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from app.controls import Controls, Mode
from app.records.types import Outcome
from tests.bridge.playing import ENDLESS_TEXT, keeping, reading

SECRET = "zanzibar"


def found(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if SECRET.encode() in path.read_bytes()]


def test_both_modes_are_empty_and_what_comes_next_is_kept(qtbot: QtBot, tmp_path: Path) -> None:
    with keeping(qtbot, tmp_path) as player:
        play = player.playground
        player.send(f"Where is {SECRET}?")
        play.set_controls(Controls(mode=Mode.RAW))
        player.send(f"Once in {SECRET}")
        journal = play.book.journal
        assert journal is not None
        assert journal.flush()
        assert found(tmp_path)
        told: list[Outcome] = []
        assert play.erase(told.append)
        assert (player.state.turns, player.state.session, player.state.shelf.turns) == ((), 0, ())
        # Said before the disk has done it: it is no part of what goes.
        player.send("Something new")
        player.until(lambda: told == [None])
        assert found(tmp_path) == []
        play.set_controls(Controls())
        assert player.state.turns == ()
    with reading(tmp_path) as kept:
        assert [row.title for row in kept.sessions.rows()] == ["Something new"]
        assert kept.failure is None


def test_in_the_middle_of_a_run_it_is_refused(qtbot: QtBot, tmp_path: Path) -> None:
    with keeping(qtbot, tmp_path, ENDLESS_TEXT) as player:
        assert player.playground.send("Go on")
        player.until(lambda: len(player.frames) > 1)
        assert not player.playground.erase(lambda outcome: None)
        assert player.state.turns
        player.playground.stop()
        player.last()
