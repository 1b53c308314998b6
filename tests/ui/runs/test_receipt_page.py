from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from app.ui.runs.receipt_page import ReceiptPage
from tests.ui.desk import named


def test_receipt_is_copied_with_the_outcome_of_a_rerun(qtbot: QtBot, theme: Theme) -> None:
    page = ReceiptPage(theme, *[lambda: None] * 5)
    qtbot.addWidget(page)
    page.show_lines((("Run", "2, at noon"), ("Settings", "temperature 0.7, <b>seed</b> 7")))
    words = [label.text() for label in named(page, QWidget, "run_receipt").findChildren(QLabel)]
    assert words == ["Run", "2, at noon", "Settings", "temperature 0.7, <b>seed</b> 7"]
    page.show_outcome("identical, 14 of 14 tokens")
    named(page, QAbstractButton, "copy_receipt").click()
    copied = QGuiApplication.clipboard().text()
    assert copied == "Run: 2, at noon\nSettings: temperature 0.7, <b>seed</b> 7\nRerun: identical, 14 of 14 tokens\n"
