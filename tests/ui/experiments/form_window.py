"""What is pressed and read in the window of an experiment."""

from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from app.state import Phase
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, named


def conclusion(desk: Desk, window: MainWindow) -> str:
    label = named(window, QLabel, "experiment_conclusion")
    desk.qtbot.waitUntil(lambda: bool(label.text()))
    desk.until(window, Phase.READY)
    return label.text()


def start(window: QWidget) -> None:
    named(window, QAbstractButton, "experiment_start").click()
