import subprocess
import sys
from dataclasses import replace
from unittest.mock import Mock

import pytest

from app.library.types import DownloadJob, DownloadState
from app.state import Phase
from app.ui.shell.application import IN_THE_DOCK, SleepPrevention, dock_menu
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, act

CLICK = """
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent
from app.ui.shell.application import Application

application = Application([])
application.file_opened.connect(print)
Application.sendEvent(application, QFileOpenEvent(QUrl.fromLocalFile("/nowhere/a session.sluice")))
"""
WARNED = """
import os, sys
from PySide6.QtCore import qWarning
from app.platform import log_file
from app.ui.shell.application import log_qt

log_file.warn = print
reading, writing = os.pipe()
os.close(reading)
sys.stderr = open(writing, "w", buffering=1)
log_qt()
qWarning("a word of Qt's")
sys.stdout.flush()
os._exit(0)
"""


@pytest.mark.parametrize(
    ("program", "printed"), [(CLICK, "/nowhere/a session.sluice\n"), (WARNED, "Qt: a word of Qt's\n")]
)
def test_application_reports_opened_files_and_logs_qt_without_a_terminal(program: str, printed: str) -> None:
    """In a child process: there is an application here already."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, printed), done.stderr


def awake_of(window: MainWindow) -> Mock:
    """Return what stands for the system; its last call is `begin` while sleep is prevented."""
    blocker = Mock()
    SleepPrevention(window.playground, window.downloading, blocker, window)
    return blocker


def is_awake(blocker: Mock) -> bool:
    return bool(blocker.mock_calls) and str(blocker.mock_calls[-1]).startswith("call.begin")


@pytest.mark.slow
def test_awake_prevents_sleep_during_load_and_run_and_between_the_runs_of_an_experiment(desk: Desk) -> None:
    window = desk.open()
    blocker, playground, seen = awake_of(window), window.playground, dict[Phase, bool]()
    playground.changed.connect(lambda old, new: seen.setdefault(new.phase, is_awake(blocker)))
    desk.until(window, Phase.READY)
    desk.send(window, "Hello")
    assert seen[Phase.LOADING] and seen[Phase.GENERATING]
    assert not is_awake(blocker)
    before = playground.state
    playground._state = replace(before, experiment="Which sampling?")
    playground.changed.emit(before, playground.state)
    assert playground.state.phase is Phase.READY and is_awake(blocker)
    playground._state = replace(playground.state, experiment="")


def test_awake_prevents_sleep_during_a_download(desk: Desk) -> None:
    window = desk.ready()
    blocker = awake_of(window)
    for state, awake in ((DownloadState.DOWNLOADING, True), (DownloadState.PAUSED, False)):
        window.downloading.jobs = (DownloadJob("a/b", state),)
        window.downloading.changed.emit()
        assert is_awake(blocker) is awake


def test_dock_menu_has_actions_of_the_menus(desk: Desk) -> None:
    window = desk.ready()
    assert dock_menu(window).actions() == [act(window, name) for name in IN_THE_DOCK]
