"""pyqtgraph comes in while the window goes on, and a window that leaves in the middle of it waits for it.

In processes of their own: in this one it has long been imported.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.ui.widgets.plots.library import PlotLibrary

BEGINNING = """
import sys, threading
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication
from app.engine.frame import Figures, Point
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.look.theme import Theme

application = QApplication([])
graph = SpeedGraph(Theme(application))
graph.show()
application.processEvents()
assert "pyqtgraph" not in sys.modules, "loaded before the first paint"
library = graph._place._library
"""
POINTS_WAIT = """
graph.begin_run()
assert "pyqtgraph" not in sys.modules, "the run waited for it"
graph.advance((Point(0.1, 1, 50.0), Point(0.2, 2, 60.0)), Figures(first_token=0.1, tokens=2), 0.2)
loop = QEventLoop()
library.ready.connect(loop.quit)
loop.exec()
assert len(graph._place.plot._line.getData()[0]) == 2, "points that came meanwhile are missing"
assert threading.active_count() == 1
"""
LEAVES_IN_THE_MIDDLE = """
graph.prepare()
while library._thread.ident is None:
    application.processEvents()
graph.leave()
assert threading.active_count() == 1
application.processEvents()
assert graph._place.plot is None
"""
LEAVES_BEFORE = """
graph.prepare()
graph.leave()
graph.prepare()
assert not library._timer.isActive()
assert "pyqtgraph" not in sys.modules
"""


@pytest.mark.parametrize("story", [POINTS_WAIT, LEAVES_IN_THE_MIDDLE, LEAVES_BEFORE])
def test_in_a_process_of_its_own(story: str) -> None:
    done = subprocess.run([sys.executable, "-c", BEGINNING + story], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Error" not in done.stderr


def test_what_is_there_already_is_ready_at_once(qtbot: QtBot) -> None:
    import pyqtgraph  # noqa: F401

    owner = QObject()
    library = PlotLibrary(owner)
    with qtbot.waitSignal(library.ready, timeout=0, raising=False) as told:
        library.bring()
    assert told.signal_triggered
