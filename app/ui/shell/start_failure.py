"""The box that says why there is no window."""

import sys

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from app.i18n import tr
from app.ui.widgets import named


def tell(why: str) -> None:
    """Until it has been read; the words are nobody's markup."""
    running = QApplication.instance() or QApplication(sys.argv[:1])
    box = named(QMessageBox(), "start_failure")
    box.setIcon(QMessageBox.Icon.Critical)
    box.setWindowTitle(running.applicationName() or "Sluice")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(tr("Sluice can't start."))
    box.setInformativeText(why)
    box.exec()
