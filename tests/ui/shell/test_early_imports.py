"""What windows are made of is imported before they are asked for, a piece at a time, and only while nothing goes on."""

import subprocess
import sys
from pathlib import Path

import pytest

from app.engine.echo.engine import Knobs
from app.settings import Settings
from app.state import Phase
from app.ui.shell import early_imports
from app.ui.shell.early_imports import EarlyImports, take_step
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, act

OPENED = """
import sys
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QMenu, QWhatsThis
from app.__main__ import build
from app.ui.shell import early_imports

def wait(until):
    loop, timer = QEventLoop(), QTimer(interval=10)
    timer.timeout.connect(lambda: loop.quit() if until() else None)
    timer.start()
    loop.exec()

def own():
    # What the library does is imported aside, where it is done.
    return {name for name in list(sys.modules) if name.startswith("app.") and not name.startswith("app.library.")}

def take_step(waiting):
    before, name = own(), waiting[-1]
    whole(waiting)
    print("piece", name, *sorted(own() - before))

whole, early_imports.take_step, early_imports.SLICE_S = early_imports.take_step, take_step, 10.0
window = build(["--data-dir", sys.argv[1], "--engine", "echo"])
window.show()
wait(lambda: window.playground.state.phase.name == "READY")
assert window.findChild(early_imports.EarlyImports) is None, "at rest nothing is brought that nobody asks for"
window.menuBar().findChildren(QMenu)[0].aboutToShow.emit()
wait(lambda: (found := window.findChild(early_imports.EarlyImports)) is not None and not found.going_on)
here = own()
for name in sys.argv[2:]:
    assert window._actions[name].isEnabled(), name
    window._actions[name].trigger()
    wait(lambda: True)
    print("opened", name, *sorted(own() - here))
QWhatsThis.leaveWhatsThisMode()
window.close()
assert not [each for each in sys.meta_path if type(each).__module__ == early_imports.__name__]
"""
WINDOWS = (
    *("settings", "open_model", "experiment_cache", "show_runs", "gallery", "help", "licences", "show_tables"),
    *("change_shortcuts", "command_palette", "stop_steps", "serve_model", "view_code", "whats_this"),
)
ENOUGH = 3


def test_a_window_that_opens_has_nothing_to_import_and_each_piece_came_alone(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OPENED, str(tmp_path), *WINDOWS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [words[1:] for words in lines if words[0] == "opened"] == [[name] for name in WINDOWS]
    pieces = {words[1]: words[2:] for words in lines if words[0] == "piece"}
    assert pieces
    beside = {name: [each for each in came if not is_of(each, name)] for name, came in pieces.items()}
    assert {name: came for name, came in beside.items() if came} == {}


def is_of(module: str, piece: str) -> bool:
    """Whether it is the piece itself, a package that this lies in, or a part of that package."""
    return f"{piece}.".startswith(f"{module}.") or module.startswith(f"{piece}.")


def test_what_two_modules_need_of_each_other_comes_all_the_same(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    import app

    folder = tmp_path_factory.mktemp("app")
    (folder / "one_of_two.py").write_text("import app.two_of_two\nVALUE = 1\n")
    (folder / "two_of_two.py").write_text("import app.one_of_two\nVALUE = 2\n")
    monkeypatch.setattr(app, "__path__", [*app.__path__, str(folder)])
    waiting = ["app.one_of_two"]
    steps = []
    try:
        while waiting:
            take_step(waiting)
            steps.append(list(waiting))
        assert sys.modules["app.one_of_two"].VALUE + sys.modules["app.two_of_two"].VALUE == 3
        assert steps[0] == ["app.one_of_two", "app.two_of_two"], "the one that is needed comes first"
    finally:
        for name in ("one_of_two", "two_of_two"):
            sys.modules.pop(f"app.{name}", None)
            vars(app).pop(name, None)


def test_finders_that_another_thread_goes_through_are_left_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once pyqtgraph's import on its own thread missed the finder behind one that was taken out: no curve was drawn."""
    import app

    (tmp_path / "looks_around.py").write_text("import sys\nFINDERS = sys.meta_path\n")
    monkeypatch.setattr(app, "__path__", [*app.__path__, str(tmp_path)])
    before = sys.meta_path
    kept = list(before)
    try:
        take_step(["app.looks_around"])
        seen = sys.modules["app.looks_around"].FINDERS
        assert seen is not before and seen is not sys.meta_path
        assert before == sys.meta_path == kept and len(seen) == len(kept) + 1
    finally:
        sys.modules.pop("app.looks_around", None)
        vars(app).pop("looks_around", None)
        sys.meta_path = before


def test_it_waits_while_a_run_goes_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[Phase] = []
    windows: list[MainWindow] = []

    def count(waiting: list[str]) -> None:
        taken.extend(window.playground.state.phase for window in windows)
        if len(taken) > ENOUGH:
            waiting.clear()

    monkeypatch.setattr(early_imports, "SLICE_S", 0.0)
    monkeypatch.setattr(early_imports, "take_step", count)
    knobs = Knobs(tokens_per_second=100, prefill_per_second=0, load_seconds=0, replies=("a " * 40,))
    window = desk.ready(Settings(), knobs)
    windows.append(window)
    desk.send(window, "before")
    found = window.findChild(EarlyImports)
    assert found is not None
    desk.send(window, "go on")
    desk.qtbot.waitUntil(lambda: not found.going_on)
    assert set(taken) <= {Phase.EMPTY, Phase.READY} and len(taken) > ENOUGH
    assert act(window, "settings").isEnabled()


def test_what_can_not_be_imported_is_told_once(desk: Desk) -> None:
    window = desk.ready()
    early = EarlyImports(window.playground, ["app.nowhere_to_be_found"], window)
    with desk.qtbot.captureExceptions() as told:
        desk.qtbot.waitUntil(lambda: bool(told))
        assert not early.going_on
        desk.send(window, "go on")
    assert [kind for kind, *_ in told] == [ModuleNotFoundError]
