"""pyqtgraph is imported on a thread; a window that closes meanwhile waits for it.

In child processes, since this one has imported it already.
"""

import subprocess
import sys

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.ui.widgets.plots.overlay import PlotLibrary

BEGINNING = """
import sys, threading
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication
from app.engine.meter.frame import Point
from app.ui.look.theme import Theme
from app.ui.widgets.plots.speed_curve import Compared
from app.ui.widgets.plots.overlay import SpeedOverlay

application = QApplication([])
graph = SpeedOverlay(Theme(application))
graph.show()
application.processEvents()
assert "pyqtgraph" not in sys.modules, "loaded before the first paint"
library = graph._library
"""
POINTS_WAIT = """
graph.show_runs([Compared(1, (Point(0.1, 1, 50.0), Point(0.2, 2, 60.0)))], ["one"])
assert "pyqtgraph" not in sys.modules, "the window waited for it"
loop = QEventLoop()
library.ready.connect(loop.quit)
loop.exec()
assert len(graph._plot._lines[0].getData()[0]) == 2, "points that came meanwhile are missing"
assert threading.active_count() == 1
"""
LEAVES_IN_THE_MIDDLE = """
library.bring()
while library._thread.ident is None:
    application.processEvents()
graph.leave()
assert threading.active_count() == 1
application.processEvents()
assert graph._plot is None
"""
LEAVES_BEFORE = """
library.bring()
graph.leave()
library.bring()
assert not library._timer.isActive()
assert "pyqtgraph" not in sys.modules
"""


@pytest.mark.slow
@pytest.mark.parametrize("story", [POINTS_WAIT, LEAVES_IN_THE_MIDDLE, LEAVES_BEFORE])
def test_library_import_in_a_child_process(story: str) -> None:
    done = subprocess.run([sys.executable, "-c", BEGINNING + story], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Error" not in done.stderr


def test_library_already_imported_is_ready_at_once(qtbot: QtBot) -> None:
    import pyqtgraph  # noqa: F401

    owner = QObject()
    library = PlotLibrary(owner)
    with qtbot.waitSignal(library.ready, timeout=0, raising=False) as told:
        library.bring()
    assert told.signal_triggered
