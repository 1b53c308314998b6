"""A window closes at once whatever hangs: the network, the disk, the engine. What is being written is waited for."""

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPlainTextEdit

from app import leaving, unkept
from app.bridge.tasks import Tasks
from app.engine.echo.engine import EchoEngine
from app.engine.types import Failure
from app.leaving import moment
from app.library import hub, keychain, local
from app.library.types import Sort
from app.records.journal import Journal
from app.settings import Settings
from app.ui.picker import controller
from app.ui.picker.dialog import ModelPicker
from app.ui.sessions.controller_files import SessionFilesController
from app.ui.shell import main_window
from app.ui.shell.main_window import MainWindow
from app.ui.widgets import file_opening, file_saving
from tests.patience import WAIT_S
from tests.ui.desk import Desk, act, named
from tests.ui.program import Program

SOON_S = WAIT_S / 2
Value = TypeVar("Value")


class Hanging:
    """Stands for anything that does not come back until it may."""

    def __init__(self) -> None:
        self.begun, self.may_go_on, self.gone = threading.Event(), threading.Event(), threading.Event()

    def __call__(self, *_: object) -> None:
        self.begun.set()
        assert self.may_go_on.wait(WAIT_S)
        self.gone.set()


def _held_up() -> Iterator[Hanging]:
    made = Hanging()
    yield made
    made.may_go_on.set()
    assert made.gone.wait(WAIT_S)


hanging = pytest.fixture(_held_up, name="hanging")
hanging_engine = pytest.fixture(_held_up, name="hanging_engine")


def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits in vain for long; journal and settings, which may be late by then, are waited for to their end."""
    close_journal = Journal.close
    monkeypatch.setattr(leaving, "WAITS_S", 0.4)
    monkeypatch.setattr(leaving, "JOURNAL_S", 0.2)
    monkeypatch.setattr(main_window, "SETTINGS_S", WAIT_S)
    monkeypatch.setattr(Journal, "close", lambda journal, _: close_journal(journal))


def close(window: MainWindow) -> float:
    """How long it takes, and that nobody waits for anything any more."""
    began = time.monotonic()
    window.close()
    assert [each.going_on for each in window.findChildren(Tasks) if each.going_on] == []
    return time.monotonic() - began


def test_what_stands_beside_the_window_goes_with_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is waited for: nobody could do anything with it any more."""
    window = desk.ready()
    for name in ("help", "gallery", "stop_steps", "view_code", "show_runs", "change_shortcuts"):
        act(window, name).trigger()
    assert len(_shown()) == 7
    seen, end = list[list[str]](), window.playground.close

    def note_and_end(until: float) -> str:
        seen.append(_shown())
        return end(until)

    monkeypatch.setattr(window.playground, "close", note_and_end)
    window.close()
    assert seen == [[]]


def _shown() -> list[str]:
    return [each.objectName() for each in QApplication.topLevelWidgets() if each.isVisible()]


def test_a_network_that_hangs(desk: Desk, hanging: Hanging, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "search", hanging)
    window = desk.ready()
    act(window, "open_model").trigger()
    named(window, ModelPicker, "model_picker").hub.page.search_wanted.emit("small", Sort.DOWNLOADS)
    desk.qtbot.waitUntil(hanging.begun.is_set)
    assert close(window) < SOON_S
    assert not hanging.gone.is_set()


def test_a_disk_that_hangs(desk: Desk, hanging: Hanging, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "models", hanging)
    window = desk.ready()
    act(window, "open_model").trigger()
    desk.qtbot.waitUntil(hanging.begun.is_set)
    assert close(window) < SOON_S
    assert not hanging.gone.is_set()


def test_a_dropped_folder_that_hangs(
    desk: Desk, hanging: Hanging, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(controller, "_look_into", hanging)
    window = desk.ready()
    window.open_path(str(tmp_path))
    desk.qtbot.waitUntil(hanging.begun.is_set)
    assert close(window) < SOON_S
    assert not hanging.gone.is_set()


def test_a_disk_that_hangs_while_a_session_is_being_written(
    desk: Desk, hanging: Hanging, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hurry(monkeypatch)
    monkeypatch.setattr(file_saving, "save", hanging)
    window = desk.ready()
    desk.send(window, "Hello")
    files = window.findChild(SessionFilesController)
    assert files is not None
    files.save(window.playground.state.session, tmp_path / "session.md")
    assert hanging.begun.wait(WAIT_S)
    assert 0.4 <= close(window) < SOON_S
    assert window.unkept == {unkept.FILES}
    assert not hanging.gone.is_set()


def test_what_is_being_written_is_written(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaving, "WAITS_S", WAIT_S)
    window = desk.ready()
    desk.send(window, "Hello")
    files = window.findChild(SessionFilesController)
    assert files is not None
    files.save(window.playground.state.session, tmp_path / "session.md")
    close(window)
    assert "Hello" in (tmp_path / "session.md").read_text("utf-8")


@pytest.mark.parametrize("room", ["session_files", "runs"])
def test_an_export_that_is_begun_in_the_instant_of_closing_is_whole(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: str
) -> None:
    """The disk is late: it goes on once the export is waited for, or once the journal is closed."""
    path, may_go_on, save, close_journal = tmp_path / "export.json", threading.Event(), file_saving.save, Journal.close
    written: list[bool] = []

    def save_late(path: Path, texts: file_saving.Texts) -> Failure | None:
        assert may_go_on.wait(WAIT_S)
        return save(path, texts)

    def note(journal: Journal, seconds: float | None = None) -> bool:
        closed = close_journal(journal, seconds)
        written.append(path.exists())
        may_go_on.set()
        return closed

    monkeypatch.setattr(leaving, "WAITS_S", WAIT_S)
    monkeypatch.setattr(file_saving, "save", save_late)
    monkeypatch.setattr(file_saving, "ask", lambda parent, title, name, kinds, save: save(path))
    monkeypatch.setattr(Journal, "close", note)
    window = desk.ready()
    desk.send(window, "Hello")
    features = window._features
    export = {"session_files": features.session_files.export, "runs": features.runs.export_last_tokens}[room]
    tasks: Tasks = getattr(features, room)._tasks
    monkeypatch.setattr(tasks, "wait", partial(_then, may_go_on.set, tasks.wait))
    export()
    close(window)
    assert written == [True] and window.unkept == set()
    assert json.loads(path.read_text("utf-8"))


def test_several_sessions_are_written_where_the_window_goes_while_their_names_are_looked_for(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, may_go_on, lexists = threading.Event(), threading.Event(), os.path.lexists

    def look(path: Path) -> bool:
        looked.set()
        assert may_go_on.wait(WAIT_S)
        return lexists(path)

    monkeypatch.setattr(leaving, "WAITS_S", WAIT_S)
    monkeypatch.setattr(file_opening, "ask_folder", lambda parent, title, save: save(tmp_path))
    window = desk.ready()
    sessions = []
    for words in ("Some words", "Other words"):
        desk.send(window, words)
        sessions.append(window.playground.state.session)
        act(window, "new_session").trigger()
    desk.flush(window)
    monkeypatch.setattr(os.path, "lexists", look)
    files = window._features.session_files
    monkeypatch.setattr(files._tasks, "wait", partial(_then, may_go_on.set, files._tasks.wait))
    files.export_these(tuple(sessions))
    assert looked.wait(WAIT_S)
    close(window)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Other words.sluice", "Some words.sluice"]


def test_sessions_that_were_not_read_out_in_time_are_told(
    program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The folder is far away: while the first is written the journal is closed, and the second is in no file."""
    begun, may_go_on, save, close_journal = threading.Event(), threading.Event(), file_saving.save, Journal.close

    def save_late(path: Path, texts: file_saving.Texts) -> Failure | None:
        done = save(path, texts)
        begun.set()
        assert may_go_on.wait(WAIT_S)
        return done

    def close_and_go_on(journal: Journal, seconds: float | None = None) -> bool:
        closed = close_journal(journal, WAIT_S)
        may_go_on.set()
        return closed

    program.start()
    sessions = []
    for words in ("Some words", "Other words"):
        program.send(words)
        sessions.append(program.state.session)
        program.act("new_session")
    assert program.journal.flush()
    files = program.window._features.session_files
    with monkeypatch.context() as patch:
        patch.setattr(leaving, "WAITS_S", leaving.JOURNAL_S + 0.2)
        patch.setattr(file_saving, "save", save_late)
        patch.setattr(file_opening, "ask_folder", lambda parent, title, save: save(tmp_path))
        patch.setattr(Journal, "close", close_and_go_on)
        patch.setattr(files, "wait", partial(_patiently, files.wait))
        files.export_these(tuple(sessions))
        assert begun.wait(WAIT_S)
        close(program.window)
    assert len(list(tmp_path.glob("*.sluice"))) == 1
    assert program.window.unkept == {unkept.FILES}


def test_a_disk_and_an_engine_that_hang_leave_the_journal_its_share(
    program: Program, hanging: Hanging, hanging_engine: Hanging, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program.start()
    program.send("Hello")
    with monkeypatch.context() as patch:
        patch.setattr(leaving, "JOURNAL_S", 3.0)  # all of it passes, since the file is waited for to the end
        patch.setattr(leaving, "WAITS_S", leaving.JOURNAL_S + 0.2)
        patch.setattr(file_saving, "save", hanging)
        patch.setattr(EchoEngine, "render", hanging_engine)
        program.window._features.session_files.save(program.state.session, tmp_path / "session.md")
        program.prompt.setPlainText("Not sent")
        program.until(lambda: hanging.begun.is_set() and hanging_engine.begun.is_set())
        assert close(program.window) < SOON_S
    assert program.window.unkept == {unkept.FILES}
    assert program.window.playground.stalled and not hanging.gone.is_set()
    hanging_engine.may_go_on.set()
    program.until(lambda: not program.windows[0].playground.stalled)
    program.start()
    assert "Hello" in program.page and program.prompt.toPlainText() == "Not sent"


@pytest.mark.parametrize("answers", [False, True])
def test_a_keychain_that_is_given_a_key(
    desk: Desk, hanging: Hanging, monkeypatch: pytest.MonkeyPatch, answers: bool
) -> None:
    if answers:
        monkeypatch.setattr(leaving, "WAITS_S", WAIT_S)
    else:
        hurry(monkeypatch)
    monkeypatch.setattr(keychain, "unavailable", str)
    monkeypatch.setattr(keychain, "keep", hanging)
    window = desk.ready()
    act(window, "open_model").trigger()
    picker = named(window, ModelPicker, "model_picker")
    picker.open_at(picker.servers)
    named(window, QAbstractButton, "add_server").click()
    box = named(window, QAbstractButton, "keep_server_key")
    desk.qtbot.waitUntil(box.isEnabled)
    named(window, QLineEdit, "server_address").setText("http://127.0.0.1:9/v1")
    named(window, QLineEdit, "server_key").setText("hush")
    named(window, QAbstractButton, "save_server").click()
    assert hanging.begun.wait(WAIT_S)
    window.leaving.connect(hanging.may_go_on.set if answers else lambda: None)
    close(window)
    assert window.unkept == (set() if answers else {unkept.KEYS})
    assert hanging.gone.is_set() is answers


def test_an_engine_that_hangs(desk: Desk, hanging: Hanging, monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)
    window = desk.ready()
    monkeypatch.setattr(EchoEngine, "render", hanging)
    named(window, QPlainTextEdit, "prompt").setPlainText("Hello")
    desk.qtbot.waitUntil(hanging.begun.is_set)
    assert close(window) < SOON_S
    assert window.playground.stalled
    hanging.may_go_on.set()
    desk.qtbot.waitUntil(lambda: not window.playground.stalled)


def test_settings_have_a_moment_of_their_own(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came before has used up all the time; their disk takes as long as disks do."""
    window, saved = desk.ready(), list[Settings]()

    def save(settings: Settings) -> None:
        threading.Event().wait(0.05)
        saved.append(settings)

    monkeypatch.setattr(window._saving, "_save", save)
    monkeypatch.setattr(leaving, "WAITS_S", 0.0)
    monkeypatch.setattr(main_window, "SETTINGS_S", WAIT_S)
    close(window)
    assert saved and unkept.SETTINGS not in window.unkept
    desk.qtbot.waitUntil(lambda: not window.playground.stalled)


@pytest.mark.parametrize("part", ["close", "kept", "wait"])
def test_a_feature_that_fails_on_the_way_holds_up_no_other(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    class BrokenError(Exception):
        pass

    def fail(*_: object) -> None:
        raise BrokenError

    window = desk.ready()
    named(window, QPlainTextEdit, "prompt").setPlainText("Not sent")
    features = tuple(window._features)
    closed: list[object] = []
    for feature in features:
        monkeypatch.setattr(feature, "close", partial(_then, feature.close, partial(closed.append, feature)))
    broken = window._features.controls
    monkeypatch.setattr(broken, part, fail)
    with desk.qtbot.captureExceptions() as told:
        assert close(window) < SOON_S
    assert {kind for kind, _, _ in told} == {BrokenError}
    assert set(features) - set(closed) == ({broken} if part == "close" else set())
    assert window.playground.book.journal is None
    assert desk.kept[-1].session == window.playground.state.session != 0


def test_a_playground_whose_engine_fails_on_the_way_closes_its_journal(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    window = desk.ready()
    runner = window.playground._runner
    with monkeypatch.context() as patch, desk.qtbot.captureExceptions() as told:
        patch.setattr(runner.collector, "close", fail)
        close(window)
    assert len(told) == 1
    assert window.playground.book.journal is None
    runner.close(moment())


def _then(first: Callable[[], object], second: Callable[..., Value], *given: object) -> Value:
    first()
    return second(*given)


def _patiently(wait: Callable[[float], bool], until: float) -> bool:
    return wait(moment(WAIT_S))
