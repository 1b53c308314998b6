"""Sessions into files and out of them: every form, and files that are none."""

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel

from app.controls import Controls
from app.engine.types import ENDLESS, Limits, Role
from app.records.export import SPEAKERS
from app.settings import Settings
from app.state import Phase
from app.ui.sessions import SessionsColumn, controller_files
from app.ui.sessions.controller_files import KEPT, NOTHING, TOO_LARGE
from app.ui.shell.main_window import MainWindow
from app.ui.widgets.file_saving import file_name
from app.words import tr
from tests.bridge.playing import ENDLESS_TEXT
from tests.ui.desk import Desk, act, named
from tests.ui.file_dialogs import file_dialog, saved

YOU, MODEL = SPEAKERS[Role.USER], SPEAKERS[Role.ASSISTANT]


def notice(desk: Desk, window: MainWindow) -> str:
    label = named(window, QLabel, "notice_what")
    desk.qtbot.waitUntil(label.isVisible)
    return label.text()


def export(desk: Desk, window: MainWindow, path: Path) -> str:
    act(window, "export_session").trigger()
    return saved(desk, window, path)


def drop(window: MainWindow, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, button, keys))


@pytest.mark.in_korean
def test_each_form_and_back_again_by_a_drop(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    desk.send(window, "Hello there")
    session, turns = window.playground.state.session, window.playground.state.turns
    assert export(desk, window, tmp_path / "a.md").startswith(f"# Hello there\n\n## {YOU}\n\nHello there\n")
    assert export(desk, window, tmp_path / "a.txt").startswith("Hello there\n")
    assert '<h1 dir="auto">Hello there</h1>' in export(desk, window, tmp_path / "a.html")
    text = export(desk, window, tmp_path / "a.sluice")
    assert export(desk, window, tmp_path / "a.json") == text
    drop(window, tmp_path / "a.sluice")
    desk.qtbot.waitUntil(lambda: window.playground.state.session not in (0, session))
    assert [turn.text for turn in window.playground.state.turns] == [turn.text for turn in turns]
    assert export(desk, window, tmp_path / "b.sluice") == text


@pytest.mark.in_korean
def test_the_conversation_is_copied_as_markdown(desk: Desk) -> None:
    window = desk.ready()
    act(window, "copy_markdown").trigger()
    assert notice(desk, window) == NOTHING.what
    desk.send(window, "Hello there")
    QGuiApplication.clipboard().clear()
    act(window, "copy_markdown").trigger()
    desk.qtbot.waitUntil(lambda: bool(QGuiApplication.clipboard().text()))
    assert QGuiApplication.clipboard().text().startswith(f"# Hello there\n\n## {YOU}\n\nHello there\n\n## {MODEL}\n\n")


def test_a_file_that_can_t_be_imported_again_is_told_when_it_is_written(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(controller_files, "LARGEST_BYTES", 100)
    window = desk.ready()
    desk.send(window, "Hello there")
    export(desk, window, tmp_path / "a.sluice")
    assert notice(desk, window) == TOO_LARGE
    named(window, QAbstractButton, "dismiss").click()
    export(desk, window, tmp_path / "a.md")
    assert not named(window, QLabel, "notice_what").isVisible(), "it is not read again anyway"


def test_the_name_follows_the_kind_of_file(desk: Desk) -> None:
    window = desk.ready()
    desk.send(window, "Count 1/5")
    desk.flush(window)
    act(window, "export_session").trigger()
    dialog = file_dialog(window)
    assert Path(dialog.selectedFiles()[0]).name == "Count 1 5.sluice"
    dialog.filterSelected.emit("Markdown (*.md)")
    assert Path(dialog.selectedFiles()[0]).name == "Count 1 5.md"
    dialog.done(0)


@pytest.mark.in_korean
def test_several_go_into_a_folder_and_none_takes_another_s_place(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = desk.ready()
    sessions = []
    for words in ("Same words", "Same words", "Other words"):
        desk.send(window, words)
        sessions.append(window.playground.state.session)
        act(window, "new_session").trigger()
    desk.flush(window)
    (tmp_path / "Other words.sluice").write_text("mine")
    looked: list[threading.Thread] = []
    lexists = os.path.lexists

    def look(path: Path) -> bool:
        looked.append(threading.current_thread())
        return lexists(path)

    monkeypatch.setattr(os.path, "lexists", look)
    named(window, SessionsColumn, "sessions").exported.emit(tuple(sessions))
    dialog = file_dialog(window)
    dialog.fileSelected.emit(str(tmp_path))
    dialog.done(0)
    names = ["Other words 2.sluice", "Other words.sluice", "Same words 2.sluice", "Same words.sluice"]
    desk.qtbot.waitUntil(lambda: sorted(path.name for path in tmp_path.glob("*.sluice")) == names)
    assert (tmp_path / "Other words.sluice").read_text() == "mine"
    assert looked and threading.main_thread() not in looked, "the folder may be far away, and the window waits for none"


def test_without_a_session_there_is_nothing_to_export(desk: Desk) -> None:
    window = desk.ready()
    act(window, "export_session").trigger()
    assert notice(desk, window) == tr("There is no session to export yet.")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\xff\xfe\x00", "“a.sluice” can't be opened: it is no UTF-8 text."),
        (b'{"format": "sluice session"', "“a.sluice” can't be opened: it is no JSON at line 1."),
        (b"[" * 100_000, "“a.sluice” can't be opened: it is nested too deeply."),
        (b'{"format": "sluice run", "version": 1}', "“a.sluice” can't be opened: it is no sluice session."),
    ],
)
def test_what_is_no_session_is_refused_in_a_sentence(desk: Desk, tmp_path: Path, content: bytes, sentence: str) -> None:
    window = desk.ready()
    path = tmp_path / "a.sluice"
    path.write_bytes(content)
    act(window, "import_session").trigger()
    dialog = file_dialog(window)
    dialog.filesSelected.emit([str(path)])
    dialog.done(0)
    assert notice(desk, window) == sentence
    assert window.playground.state.session == 0


def test_a_file_named_at_the_start_waits_for_the_journal(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    desk.send(window, "Hello there")
    export(desk, window, tmp_path / "a.sluice")
    other = desk.open()
    other.open_path(str(tmp_path / "a.sluice"))
    desk.qtbot.waitUntil(lambda: bool(other.playground.state.session))
    assert other.playground.state.turns[0].text == "Hello there"


def test_during_a_run_an_imported_session_only_joins_the_list(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready(
        Settings(controls=Controls(limits=Limits(ENDLESS), seed=0)), knobs=replace(ENDLESS_TEXT, tokens_per_second=300)
    )
    window.playground.send("Go")
    desk.until(window, Phase.GENERATING)
    path = tmp_path / "a.sluice"
    export(desk, window, path)
    drop(window, path)
    assert notice(desk, window) == KEPT
    act(window, "stop").trigger()
    desk.until(window, Phase.READY)


@pytest.mark.in_korean
def test_several_are_imported_at_once_and_it_is_said_how_many(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    desk.send(window, "Hello there")
    session = window.playground.state.session
    text = export(desk, window, tmp_path / "a.sluice")
    (tmp_path / "b.sluice").write_text(text)
    (tmp_path / "odd.sluice").write_text("{}")
    drop(window, tmp_path / "a.sluice", tmp_path / "b.sluice")
    assert notice(desk, window) == tr("Imported %n sessions.", "Imported %n session.", 2)
    desk.qtbot.waitUntil(lambda: window.playground.state.session != session)
    named(window, QAbstractButton, "dismiss").click()
    drop(window, tmp_path / "a.sluice", tmp_path / "odd.sluice")
    said = notice(desk, window)
    assert said.startswith(tr("Imported %n sessions.", "Imported %n session.", 1)) and "“odd.sluice”" in said
    journal = window.playground.book.journal
    assert journal is not None
    assert journal.flush() and journal.sessions.count() == 4


def test_a_title_becomes_a_file_s_name() -> None:
    assert file_name("Count 1/5: “yes”?\n") == "Count 1 5 yes"
    assert file_name("../..") == "Session"
    assert len(file_name("long " * 40)) <= 60
