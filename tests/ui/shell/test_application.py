"""A double click on a file, as macOS tells a running program of it."""

from __future__ import annotations

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
