import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from app.bridge.tasks import Tasks
from app.engine.echo.engine import EchoEngine
from app.files.settings import Settings
from app.library import hub
from app.platform import shutdown
from app.platform.shutdown import deadline
from app.presets import BALANCED, PresetStore
from app.records.journal import Journal
from app.ui.picker.dialog import ModelPicker
from app.ui.shell import main_window
from app.ui.shell.main_window import MainWindow
from app.ui.widgets import files
from tests.late import held_back
from tests.patience import WAIT_S
from tests.ui.desk import Desk, act, named
from tests.ui.program import Program


class Hanging:
    """A call that returns only when `may_go_on` is set, or after a long time."""

    def __init__(self) -> None:
        self.begun, self.may_go_on, self.gone = threading.Event(), threading.Event(), threading.Event()

    def __call__(self, *_: object) -> None:
        self.begun.set()
        self.may_go_on.wait(WAIT_S)
        self.gone.set()


def _held_up() -> Iterator[Hanging]:
    made = Hanging()
    yield made
    made.may_go_on.set()
    assert made.gone.wait(WAIT_S)


hanging = pytest.fixture(_held_up, name="hanging")
hanging_engine = pytest.fixture(_held_up, name="hanging_engine")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a close wait until a hanging call has given up, however slow this machine is."""
    monkeypatch.setattr(shutdown, "WAITS_S", 2 * WAIT_S)


def close(window: MainWindow) -> None:
    window.close()
    assert [each.count for each in window.findChildren(Tasks) if each.count] == []


def test_main_window_closed_hides_other_windows_before_it_waits(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    window = desk.ready()
    for name in ("help", "change_shortcuts"):
        act(window, name).trigger()
    assert len(_shown()) == 3
    seen, end = list[list[str]](), window.playground.close

    def note_and_end(until: float) -> bool:
        seen.append(_shown())
        return end(until)

    monkeypatch.setattr(window.playground, "close", note_and_end)
    window.close()
    assert seen == [[]]


def _shown() -> list[str]:
    return [each.objectName() for each in QApplication.topLevelWidgets() if each.isVisible()]


@pytest.mark.slow
def test_main_window_closed_while_a_read_hangs_does_not_wait(
    desk: Desk, hanging: Hanging, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "search", hanging)
    window = desk.ready()
    act(window, "open_model").trigger()
    named(window, ModelPicker, "model_picker").hub._search_for("small")
    desk.qtbot.waitUntil(hanging.begun.is_set)
    close(window)
    assert not hanging.gone.is_set()
    assert not window.is_hanging


@pytest.mark.parametrize("room", ["session_files", pytest.param("runs", marks=pytest.mark.slow)])
def test_export_started_just_before_closing_is_whole(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: str
) -> None:
    """The disk continues once the export is waited for, or once the journal is closed."""
    path, close_journal, written = tmp_path / "export.json", Journal.close, list[bool]()
    may_go_on, save_late = held_back(files.save)

    def note(journal: Journal, seconds: float | None = None) -> bool:
        closed = close_journal(journal, seconds)
        written.append(path.exists())
        may_go_on.set()
        return closed

    monkeypatch.setattr(files, "save", save_late)
    monkeypatch.setattr(files, "ask_save", lambda parent, title, name, kinds, save: save(path))
    monkeypatch.setattr(Journal, "close", note)
    window = desk.ready()
    desk.send(window, "Hello")
    features = window._features
    export = {"session_files": features.session_files.export, "runs": features.runs.export_last_tokens}[room]
    tasks: Tasks = getattr(features, room)._tasks
    monkeypatch.setattr(tasks, "wait", partial(_then, may_go_on.set, tasks.wait))
    export()
    close(window)
    assert written == [True] and not window.is_hanging
    assert json.loads(path.read_text("utf-8"))


def test_presets_exported_just_before_closing_are_written(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, (may_go_on, write_late) = tmp_path / "presets.json", held_back(files.write)
    window = desk.ready(Settings(presets=PresetStore((replace(BALANCED, name="Bold"),))))
    monkeypatch.setattr(files, "write", write_late)
    window._features.controls._presets.export_file(path)
    discard = window._features.weigh.discard
    monkeypatch.setattr(window._features.weigh, "discard", partial(_then, may_go_on.set, discard))
    close(window)
    assert path.exists() and not window.is_hanging


@pytest.mark.slow
def test_journal_is_written_where_a_disk_and_an_engine_hang(
    program: Program, hanging: Hanging, hanging_engine: Hanging, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program.start()
    program.send("Hello")
    had, close_journal = list[float | None](), Journal.close

    def close_and_go_on(journal: Journal, seconds: float | None = None) -> bool:
        had.append(seconds)
        closed = close_journal(journal, WAIT_S)
        hanging.may_go_on.set()
        return closed

    with monkeypatch.context() as patch:
        patch.setattr(shutdown, "JOURNAL_S", WAIT_S)
        patch.setattr(shutdown, "WAITS_S", WAIT_S + 0.2)
        patch.setattr(Journal, "close", close_and_go_on)
        patch.setattr(files, "save", hanging)
        patch.setattr(EchoEngine, "render", hanging_engine)
        program.window._features.session_files.save(program.state.session, tmp_path / "session.md")
        program.prompt.setPlainText("Not sent")
        program.until(lambda: hanging.begun.is_set() and hanging_engine.begun.is_set())
        close(program.window)
    assert had[0] is not None and had[0] > WAIT_S / 2
    assert program.window.is_hanging and program.window.playground.stalled
    hanging_engine.may_go_on.set()
    program.until(lambda: not program.windows[0].playground.stalled)
    program.start()
    assert "Hello" in program.page and program.prompt.toPlainText() == "Not sent"


def test_settings_are_written_where_all_time_has_passed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    window, saved = desk.ready(), list[Settings]()

    def save(settings: Settings) -> None:
        threading.Event().wait(0.05)
        saved.append(settings)

    monkeypatch.setattr(window._saving, "_save", save)
    monkeypatch.setattr(shutdown, "WAITS_S", 0.0)
    monkeypatch.setattr(main_window, "SETTINGS_S", WAIT_S)
    close(window)
    assert saved
    desk.qtbot.waitUntil(lambda: not window.playground.stalled)


@pytest.mark.parametrize(
    "part",
    [
        "close",
        pytest.param("updated_settings", marks=pytest.mark.slow),
        pytest.param("discard", marks=pytest.mark.slow),
    ],
)
def test_feature_that_fails_on_closing_holds_up_no_other(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    window = desk.ready()
    named(window, QPlainTextEdit, "prompt").setPlainText("Not sent")
    features = tuple(window._features)
    closed: list[object] = []
    for feature in features:
        monkeypatch.setattr(feature, "close", partial(_then, feature.close, partial(closed.append, feature)))
    broken = window._features.controls
    monkeypatch.setattr(broken, part, Mock(side_effect=LookupError))
    with desk.qtbot.captureExceptions() as raised:
        close(window)
    assert {kind for kind, _, _ in raised} == {LookupError}
    assert set(features) - set(closed) == ({broken} if part == "close" else set())
    assert window.playground.book.journal is None
    assert desk.kept[-1].session == window.playground.state.session != 0


def test_playground_whose_engine_fails_on_closing_closes_its_journal(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = desk.ready()
    runner = window.playground._runner
    with monkeypatch.context() as patch, desk.qtbot.captureExceptions() as raised:
        patch.setattr(runner.collector, "close", Mock(side_effect=RuntimeError))
        close(window)
    assert len(raised) == 1
    assert window.playground.book.journal is None
    runner.close(deadline())


def _then(first: Callable[[], object], second: Callable[..., bool | None], *given: object) -> bool | None:
    first()
    return second(*given)
