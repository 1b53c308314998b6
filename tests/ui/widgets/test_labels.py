"""Labels: words as they stand, broken into lines where people would."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.ui.widgets import plain_label
from app.ui.widgets.labels import Prose


def test_no_line_ends_between_a_number_and_its_unit(qtbot: QtBot) -> None:
    words = "Cut at 23 % of it"
    label, other = plain_label("", words, wraps=True), plain_label("", words)
    for each in (label, other):
        qtbot.addWidget(each)
    assert isinstance(label, Prose) and label.text() == other.text() == words
    label.setText(f"{words}, 676 tok/s")
    told = QLabel.text(label).split(" ")
    assert told[:3] == ["Cut", "at", "23\u00a0%"] and told[-1] == "676\u00a0tok/\u2060s"
    assert label.text() == f"{words}, 676 tok/s"
