"""A double click on a file, as macOS tells a running program of it."""

import subprocess
import sys

CLICK = """
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent
from app.ui.shell.application import Application

application = Application([])
application.file_opened.connect(print)
Application.sendEvent(application, QFileOpenEvent(QUrl.fromLocalFile("/nowhere/a session.sluice")))
"""


def test_a_file_that_was_double_clicked_is_told() -> None:
    """In a process of its own: there is an application here already."""
    done = subprocess.run([sys.executable, "-c", CLICK], capture_output=True, text=True, check=True)
    assert done.stdout == "/nowhere/a session.sluice\n"


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


def test_what_qt_says_is_in_the_log_where_the_terminal_is_gone() -> None:
    done = subprocess.run([sys.executable, "-c", WARNED], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "Qt: a word of Qt's\n")
