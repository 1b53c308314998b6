import time
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QListWidget

from app.controls import Controls, Mode
from app.engine.echo.engine import EchoEngine
from app.engine.types import ENDLESS, Limits
from app.files import settings
from app.files.settings import Settings
from app.platform.shutdown import deadline
from app.records.database import SqlWrite
from app.records.types import SessionId
from app.state import Phase
from app.ui.widgets import SegmentedChoice
from tests.bridge.playing import ENDLESS_TEXT
from tests.ui.desk import named, words
from tests.ui.program import Program
from tests.ui.settings.conftest import PRIVACY, Start

SECRET = "zanzibar"
DAY_S = 86_400.0


def open_privacy(program: Program) -> None:
    program.act("settings")
    program.find(QListWidget, "settings_pages").setCurrentRow(3)


def press(program: Program, name: str) -> None:
    button = program.find(QAbstractButton, name)
    assert button.isEnabled(), name
    button.click()


def keep_for(program: Program, days: int) -> None:
    box = program.find(QComboBox, "settings_keep")
    box.setCurrentIndex(box.findData(days))
    box.activated.emit(box.currentIndex())


def found(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if SECRET.encode() in content(path)]


def content(path: Path) -> bytes:
    """Return nothing if the settings have just been renamed into place."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def age(program: Program, session: SessionId, days: float) -> None:
    change = SqlWrite("UPDATE session SET changed = ? WHERE id = ?", [(time.time() - days * DAY_S, session)])
    program.journal._writer.post([change])
    assert program.journal.flush()


def kept(program: Program) -> Settings:
    assert program.window._saving.wait(deadline())
    return settings.load(program.folder)[0]


@pytest.mark.slow
def test_delete_all_leaves_no_byte_on_the_disk(program: Program, tmp_path: Path) -> None:
    program.start()
    program.send(f"Where is {SECRET}?")
    program.act("new_session")
    program.send(f"Tell me of {SECRET}")
    gone = program.listed()[-1].id
    program.select(gone)
    program.column.list._delete()
    program.prompt.setPlainText(f"{SECRET} again")
    open_privacy(program)
    program.until(lambda: "1 session and 2 runs" in words(program.window, "settings_held_sessions"))
    assert "restored (1 session)" in words(program.window, "settings_held_sessions")
    assert program.journal.flush()
    assert found(tmp_path)
    press(program, "settings_erase")
    assert "2 sessions and 2 runs for good" in words(program.window, "settings_question_words")
    assert found(tmp_path), "not confirmed yet"
    press(program, "settings_question_yes")
    assert (program.state.turns, program.state.session, program.prompt.toPlainText()) == ((), 0, "")
    program.until(lambda: words(program.window, "settings_question_words") == "All sessions and runs are deleted.")
    assert found(tmp_path) == []
    program.until(lambda: words(program.window, "settings_held_sessions").startswith("0 sessions and 0 runs"))
    assert not program.find(QAbstractButton, "settings_erase").isEnabled()
    assert not program.column.undo.isVisible()
    assert program.journal.sessions.count() == program.journal.runs.count() == 0
    program.send("A new beginning")
    assert program.journal.sessions.count() == 1
    program.quit()
    assert found(tmp_path) == []
    program.start()
    program.until(lambda: "A new beginning" in program.page)


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(Mode))
def test_delete_all_leaves_nothing_typed_in_either_mode(program: Program, tmp_path: Path, mode: Mode) -> None:
    program.start()
    for each in (Mode.CHAT, Mode.RAW):
        turn_to(program, each)
        program.send(f"Sent of {SECRET}")
        program.prompt.insertPlainText(f"Typed of {SECRET}")
    turn_to(program, mode)
    open_privacy(program)
    program.until(program.find(QAbstractButton, "settings_erase").isEnabled)
    press(program, "settings_erase")
    press(program, "settings_question_yes")
    program.until(lambda: words(program.window, "settings_question_words") == "All sessions and runs are deleted.")
    for each in (Mode.CHAT, Mode.RAW):
        turn_to(program, each)
        assert (program.prompt.toPlainText(), program.prompt.document().isUndoAvailable()) == ("", False)
    program.quit()
    assert found(tmp_path) == []


def turn_to(program: Program, mode: Mode) -> None:
    program.find(SegmentedChoice, "mode").chosen.emit(mode.value)
    assert program.state.controls.mode is mode


@pytest.mark.parametrize("engine", [partial(EchoEngine, ENDLESS_TEXT)])
def test_delete_all_is_disabled_during_a_run(setting: Start) -> None:
    made = setting(Settings())
    made.playground.book.ready.emit()  # the journal was open before the settings were made
    made.playground.set_controls(Controls(limits=Limits(ENDLESS)))
    made.playground.send("Go on")
    made.window.until_phase(Phase.GENERATING)
    made.open(PRIVACY)
    erase = named(made.window, QAbstractButton, "settings_erase")
    made.until(lambda: "Stop it first" in made.words("settings_erase_sentence"))
    assert not erase.isEnabled()
    made.playground.stop()
    made.until(erase.isEnabled)


@pytest.mark.slow
def test_expired_sessions_are_deleted_at_the_next_start(program: Program, tmp_path: Path) -> None:
    program.start()
    sessions = []
    for text in (f"Old {SECRET}", "Pinned", "Young", "Open"):
        if program.state.turns:
            program.act("new_session")
        program.send(text)
        sessions.append(program.state.session)
    old, pinned, young, last = sessions
    for session in (old, pinned, last):
        age(program, session, 40)
    program.journal.sessions.pin(pinned, True)
    program.journal.flush()
    open_privacy(program)
    keep_for(program, 30)
    assert words(program.window, "settings_keep_sentence").endswith("deletes 1 session.")
    assert kept(program).keep_days == 30
    program.quit()
    assert found(tmp_path)
    program.start()
    assert {row.id for row in program.listed()} == {pinned, young, last}
    assert found(tmp_path) == []
    assert program.state.session == last


@pytest.mark.slow
def test_expired_sessions_are_announced_one_start_before(program: Program) -> None:
    settings.save(Settings(keep_days=90), program.folder)
    program.start()
    program.send("Soon old")
    old = program.state.session
    program.act("new_session")
    program.send("Fresh")
    age(program, old, 91)
    program.quit()
    program.start()
    assert program.journal.sessions.count() == 2, "not announced yet"
    program.until(lambda: "1 session wasn't changed for 90 days" in words(program.window, "notice_what"))
    program.until(lambda: kept(program).told_before > 0)
    open_privacy(program)
    keep_for(program, 0)
    assert kept(program).told_before == 0
    keep_for(program, 90)
    assert kept(program).told_before > 0
    program.quit()
    program.start()
    assert program.journal.sessions.count() == 1
    assert not program.find(QLabel, "notice_what").isVisible()
