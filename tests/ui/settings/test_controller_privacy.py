"""Privacy in the real window, on a journal of its own: what is kept is told, goes in time, and goes for good."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QListWidget

from app import settings
from app.records.database import Write
from app.records.types import SessionId
from app.settings import Settings
from app.state import Phase
from tests.ui.sessions.test_controller import ENDLESS_TEXT, Desk, desk

__all__ = ["desk"]

SECRET = "zanzibar"
DAY_S = 86_400.0


def open_privacy(desk: Desk) -> None:
    desk.act("settings")
    desk.find(QListWidget, "settings_pages").setCurrentRow(3)


def said(desk: Desk, name: str) -> str:
    return desk.find(QLabel, name).text()


def press(desk: Desk, name: str) -> None:
    button = desk.find(QAbstractButton, name)
    assert button.isEnabled(), name
    button.click()


def keep_for(desk: Desk, days: int) -> None:
    box = desk.find(QComboBox, "settings_keep")
    box.setCurrentIndex(box.findData(days))
    box.activated.emit(box.currentIndex())


def found(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if SECRET.encode() in path.read_bytes()]


def age(desk: Desk, session: SessionId, days: float) -> None:
    """As if nobody had touched it for so long."""
    change = Write("UPDATE session SET changed = ? WHERE id = ?", [(time.time() - days * DAY_S, session)])
    desk.journal._writer.post([change])
    assert desk.journal.flush()


def kept(desk: Desk) -> Settings:
    return settings.load(desk.folder)[0]


def test_delete_all_leaves_no_byte_and_a_program_that_goes_on(desk: Desk, tmp_path: Path) -> None:
    desk.start()
    desk.send(f"Where is {SECRET}?")
    desk.act("new_session")
    desk.send(f"Tell me of {SECRET}")
    gone = desk.journal.sessions.rows()[-1].id
    desk.select(gone)
    desk.column.list._delete()
    desk.prompt.setPlainText(f"{SECRET} again")
    open_privacy(desk)
    desk.until(lambda: "1 session and 2 runs" in said(desk, "settings_held_sessions"))
    assert "brought back (1 session)" in said(desk, "settings_held_sessions")
    assert desk.journal.flush()
    assert found(tmp_path)
    press(desk, "settings_erase")
    assert "2 sessions and 2 runs for good" in said(desk, "settings_question_words")
    assert found(tmp_path), "it was only asked"
    press(desk, "settings_question_yes")
    assert (desk.state.turns, desk.state.session, desk.prompt.toPlainText()) == ((), 0, "")
    desk.until(lambda: said(desk, "settings_question_words") == "All sessions and runs are deleted.")
    assert found(tmp_path) == []
    desk.until(lambda: said(desk, "settings_held_sessions").startswith("0 sessions and 0 runs"))
    assert not desk.find(QAbstractButton, "settings_erase").isEnabled()
    assert not desk.column.undo.isVisible(), "there is nothing to bring back"
    assert desk.journal.sessions.count() == desk.journal.runs.count() == 0
    desk.send("A new beginning")
    assert desk.journal.sessions.count() == 1
    desk.quit()
    assert found(tmp_path) == []
    desk.start()
    desk.until(lambda: "A new beginning" in desk.page)


def test_nothing_is_deleted_while_something_goes_on(desk: Desk) -> None:
    desk.start(ENDLESS_TEXT)
    desk.prompt.setPlainText("Go on")
    press(desk, "send")
    desk.until(lambda: desk.state.phase is Phase.GENERATING)
    open_privacy(desk)
    erase = desk.find(QAbstractButton, "settings_erase")
    assert not erase.isEnabled()
    assert "Stop it first" in said(desk, "settings_erase_sentence")
    desk.act("stop")
    desk.until(erase.isEnabled)


def test_old_sessions_go_at_the_next_start_and_that_is_told_before(desk: Desk, tmp_path: Path) -> None:
    desk.start()
    sessions = []
    for words in (f"Old {SECRET}", "Pinned", "Young", "Open"):
        if desk.state.turns:
            desk.act("new_session")
        desk.send(words)
        sessions.append(desk.state.session)
    old, pinned, young, last = sessions
    for session in (old, pinned, last):
        age(desk, session, 40)
    desk.journal.sessions.pin(pinned, True)
    desk.journal.flush()
    open_privacy(desk)
    keep_for(desk, 30)
    assert said(desk, "settings_keep_sentence").endswith("that will be 1 session.")
    assert kept(desk).keep_days == 30
    desk.quit()
    assert found(tmp_path)
    desk.start()
    assert {row.id for row in desk.journal.sessions.rows()} == {pinned, young, last}
    assert found(tmp_path) == []
    assert desk.state.session == last


def test_what_has_become_old_is_told_at_one_start_and_goes_at_the_next(desk: Desk) -> None:
    settings.save(Settings(keep_days=90), desk.folder)
    desk.start()
    desk.send("Soon old")
    old = desk.state.session
    desk.act("new_session")
    desk.send("Fresh")
    age(desk, old, 91)
    desk.quit()
    desk.start()
    assert desk.journal.sessions.count() == 2, "nobody was told of it yet"
    desk.until(lambda: "1 session was not changed for 90 days" in said(desk, "notice_what"))
    assert kept(desk).told_before > 0
    desk.quit()
    desk.start()
    assert desk.journal.sessions.count() == 1
    assert not desk.find(QLabel, "notice_what").isVisible()


def test_for_ever_takes_back_what_was_told(desk: Desk) -> None:
    desk.start()
    desk.send("Old")
    old = desk.state.session
    desk.act("new_session")
    desk.send("Fresh")
    age(desk, old, 400)
    open_privacy(desk)
    keep_for(desk, 365)
    assert kept(desk).told_before > 0
    keep_for(desk, 0)
    assert kept(desk).told_before == 0
    desk.quit()
    desk.start()
    assert desk.journal.sessions.count() == 2
