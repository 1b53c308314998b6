"""Export and import of sessions."""

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from app.controls import Controls
from app.engine.types import ENDLESS, Limits, Role
from app.files.settings import Settings
from app.i18n import tr
from app.records.export import SPEAKERS
from app.ui.sessions import controller_files
from app.ui.sessions.controller_files import KEPT, NOTHING, TOO_LARGE
from app.ui.widgets import files
from app.ui.widgets.files import file_name
from tests.bridge.playing import ENDLESS_TEXT
from tests.ui.chat_room import ChatRoom
from tests.ui.file_dialogs import answer, file_dialog, saved
from tests.ui.room import Rooms

YOU, MODEL = SPEAKERS[Role.USER], SPEAKERS[Role.ASSISTANT]


@pytest.fixture
def room(rooms: Rooms) -> ChatRoom:
    made = ChatRoom(rooms)
    made.enter()
    return made


def notice(room: ChatRoom) -> str:
    label = room.part(QLabel, "notice_what")
    room.until(label.isVisible)
    return label.text()


def export(room: ChatRoom, path: Path) -> str:
    room.act("export_session").trigger()
    return saved(room, path)


@pytest.mark.in_korean
def test_export_in_each_format_and_import_keep_the_session(room: ChatRoom, tmp_path: Path) -> None:
    room.send("Hello there")
    session, turns = room.state.session, room.state.turns
    assert export(room, tmp_path / "a.md").startswith(f"# Hello there\n\n## {YOU}\n\nHello there\n")
    assert export(room, tmp_path / "a.txt").startswith("Hello there\n")
    assert '<h1 dir="auto">Hello there</h1>' in export(room, tmp_path / "a.html")
    text = export(room, tmp_path / "a.sluice")
    assert export(room, tmp_path / "a.json") == text
    room.files.take((tmp_path / "a.sluice",))
    room.until(lambda: room.state.session not in (0, session))
    assert [turn.text for turn in room.state.turns] == [turn.text for turn in turns]
    assert export(room, tmp_path / "b.sluice") == text


@pytest.mark.in_korean
def test_copy_markdown_copies_the_conversation(room: ChatRoom) -> None:
    room.act("copy_markdown").trigger()
    assert notice(room) == NOTHING.what
    room.send("Hello there")
    QGuiApplication.clipboard().clear()
    room.act("copy_markdown").trigger()
    room.until(lambda: bool(QGuiApplication.clipboard().text()))
    expected = f"# Hello there\n\n## {YOU}\n\nHello there\n\n## {MODEL} (echo)\n\n"
    assert QGuiApplication.clipboard().text().startswith(expected)


def test_export_too_large_to_import_says_so(room: ChatRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller_files, "LARGEST_BYTES", 100)
    room.send("Hello there")
    export(room, tmp_path / "a.sluice")
    assert notice(room) == TOO_LARGE
    room.press("dismiss")
    export(room, tmp_path / "a.md")
    assert notice(room) == files.saved(tmp_path / "a.md"), "it is not read again anyway"


def test_export_dialog_changes_the_suffix_with_the_format(room: ChatRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_used", {})
    room.act("export_session").trigger()
    assert notice(room) == tr("There is no session to export yet.")
    room.send("Count 1/5")
    assert room.journal.flush()
    room.act("export_session").trigger()
    dialog = file_dialog(room)
    assert Path(dialog.selectedFiles()[0]).name == "Count 1 5.sluice"
    dialog.filterSelected.emit("Markdown (*.md)")
    assert Path(dialog.selectedFiles()[0]).name == "Count 1 5.md"
    dialog.done(0)


@pytest.mark.in_korean
def test_export_of_several_sessions_overwrites_no_file(
    room: ChatRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = []
    for words in ("Same words", "Same words", "Other words"):
        room.send(words)
        sessions.append(room.state.session)
        room.sessions.begin()
    assert room.journal.flush()
    (tmp_path / "Other words.sluice").write_text("mine")
    looked: list[threading.Thread] = []
    lexists = os.path.lexists

    def look(path: Path) -> bool:
        looked.append(threading.current_thread())
        return lexists(path)

    monkeypatch.setattr(os.path, "lexists", look)
    room.files.export_these(tuple(sessions))
    answer(room, tmp_path)
    names = ["Other words 2.sluice", "Other words.sluice", "Same words 2.sluice", "Same words.sluice"]
    room.until(lambda: sorted(path.name for path in tmp_path.glob("*.sluice")) == names)
    assert (tmp_path / "Other words.sluice").read_text() == "mine"
    assert looked and threading.main_thread() not in looked, "the folder may be far away, and the window waits for none"


def test_import_of_another_file_is_refused(room: ChatRoom, tmp_path: Path) -> None:
    path = tmp_path / "a.sluice"
    path.write_bytes(b'{"format": "sluice run", "version": 1}')
    room.act("import_session").trigger()
    dialog = file_dialog(room)
    dialog.filesSelected.emit([str(path)])
    dialog.done(0)
    assert notice(room) == "“a.sluice” can't be opened: it is not a sluice session."
    assert room.state.session == 0


def test_import_before_the_journal_opens_waits(room: ChatRoom, rooms: Rooms, tmp_path: Path) -> None:
    room.send("Hello there")
    export(room, tmp_path / "a.sluice")
    other = ChatRoom(rooms)
    other.files.take((tmp_path / "a.sluice",))
    other.enter()
    other.until(lambda: bool(other.state.session))
    assert other.state.turns[0].text == "Hello there"


def test_import_during_a_rerun_opens_nothing(rooms: Rooms, tmp_path: Path) -> None:
    room = ChatRoom(rooms, ENDLESS_TEXT, Settings(controls=Controls(limits=Limits(5))))
    room.enter()
    room.send("Go")
    run = room.state.last_run
    assert run is not None and room.playground.replay(replace(run.request, limits=Limits(ENDLESS)))
    path = tmp_path / "a.sluice"
    export(room, path)
    notice(room)
    room.press("dismiss")
    room.files.take((path,))
    assert notice(room) == KEPT


@pytest.mark.slow
@pytest.mark.in_korean
def test_import_of_several_files_says_how_many(room: ChatRoom, tmp_path: Path) -> None:
    room.send("Hello there")
    session = room.state.session
    text = export(room, tmp_path / "a.sluice")
    notice(room)
    room.press("dismiss")
    (tmp_path / "b.sluice").write_text(text)
    (tmp_path / "odd.sluice").write_text("{}")
    room.files.take((tmp_path / "a.sluice", tmp_path / "b.sluice"))
    assert notice(room) == tr("Imported %n sessions.", "Imported %n session.", 2)
    room.until(lambda: room.state.session != session)
    room.press("dismiss")
    room.files.take((tmp_path / "a.sluice", tmp_path / "odd.sluice"))
    said = notice(room)
    assert said.startswith(tr("Imported %n sessions.", "Imported %n session.", 1)) and "“odd.sluice”" in said
    assert room.journal.sessions.count() == 4


def test_file_name_of_a_title_is_portable() -> None:
    assert file_name("Count 1/5: “yes”?\n") == "Count 1 5 yes"
    assert file_name("../..") == "Session"
    assert len(file_name("long " * 40)) <= 60
