"""The modules of windows are imported before they are opened, one at a time, and only while nothing else runs."""

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from app.engine.echo.engine import EchoOptions
from app.state import Phase
from app.ui.feature import Feature
from app.ui.shell import startup_sequence
from app.ui.shell.startup_sequence import EarlyImports
from tests.ui.desk import Desk

OPENED = """
import sys
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QMenu, QWhatsThis
from app.__main__ import build
from app.ui.feature import Feature
from app.ui.shell.startup_sequence import EarlyImports

def wait(until):
    loop, timer = QEventLoop(), QTimer(interval=10)
    timer.timeout.connect(lambda: loop.quit() if until() else None)
    timer.start()
    loop.exec()

def own():
    # What the library does is imported aside, where it is done.
    return {name for name in list(sys.modules) if name.startswith("app.") and not name.startswith("app.library.")}

window = build(["--data-dir", sys.argv[1], "--engine", "echo"])
window.show()
wait(lambda: window.playground.state.phase.name == "READY")
assert window.findChild(EarlyImports) is None, "nothing is imported before the first answer or menu"
window.menuBar().findChildren(QMenu)[0].aboutToShow.emit()
wait(lambda: (found := window.findChild(EarlyImports)) is not None and found.is_complete)
here = own()
for name in sys.argv[2:]:
    assert window._actions[name].isEnabled(), name
    window._actions[name].trigger()
    wait(lambda: True)
    print(name, *sorted(own() - here))
QWhatsThis.leaveWhatsThisMode()
window.close()
"""
WINDOWS = (
    *("settings", "open_model", "experiment_cache", "show_runs", "gallery", "help", "licences", "show_tables"),
    *("change_shortcuts", "command_palette", "stop_steps", "serve_model", "view_code", "whats_this"),
)


@pytest.mark.slow
def test_windows_opened_after_early_imports_import_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OPENED, str(tmp_path), *WINDOWS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert [line.split() for line in done.stdout.splitlines()] == [[name] for name in WINDOWS]


@pytest.mark.slow
def test_early_imports_pause_during_a_run(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    imported: list[tuple[str, Phase]] = []
    knobs = EchoOptions(tokens_per_second=100, prefill_per_second=0, load_seconds=0, replies=("a " * 8,))
    window = desk.ready(knobs=knobs)
    monkeypatch.setattr(
        startup_sequence, "import_module", lambda name: imported.append((name, window.playground.state.phase))
    )
    desk.send(window, "before")
    found = window.findChild(EarlyImports)
    assert found is not None and not found.is_complete
    desk.send(window, "next")
    desk.qtbot.waitUntil(lambda: found.is_complete)
    assert {phase for _, phase in imported} == {Phase.READY}
    names = [name for name, _ in imported]
    assert len(names) == len(set(names)) and "app.ui.settings.window" in names


def test_early_import_that_fails_is_reported_once_and_holds_up_no_other(desk: Desk) -> None:
    window = desk.ready()
    sys.modules.pop("app.records.problem_report", None)
    early = EarlyImports(window.playground, ["app.nowhere_to_be_found", "app.records.problem_report"], window)
    with desk.qtbot.captureExceptions() as told:
        desk.qtbot.waitUntil(lambda: early.is_complete)
    assert [kind for kind, *_ in told] == [ModuleNotFoundError]
    assert "app.records.problem_report" in sys.modules


def test_modules_to_import_ahead_exist() -> None:
    import_module("app.ui.shell.features")
    names = {name for feature in Feature.__subclasses__() for name in feature.ahead}
    assert "app.ui.settings.window" in names
    assert {name for name in names if find_spec(name) is None} == set()
