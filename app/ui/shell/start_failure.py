"""The message box that shows why the window can't open."""

import sys

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from app.i18n import tr
from app.ui.widgets import named


def tell(why: str) -> None:
    """Show the box until it is closed; its text is never markup."""
    running = QApplication.instance() or QApplication(sys.argv[:1])
    box = named(QMessageBox(), "start_failure")
    box.setIcon(QMessageBox.Icon.Critical)
    box.setWindowTitle(running.applicationName() or "Sluice")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(tr("Sluice can't start."))
    box.setInformativeText(why)
    box.exec()
