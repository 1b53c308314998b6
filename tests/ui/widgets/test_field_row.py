"""A control with its name: what is wrong is in the colour of warnings, what is only told is not."""

from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.ui.look.theme import MUTED_ROLE, Theme
from app.ui.widgets import named
from app.ui.widgets.field_row import FieldRow


def test_why_it_is_grey_warns_of_nothing(qtbot: QtBot, theme: Theme) -> None:
    row = FieldRow(theme, "System prompt", "What it is", named(QLineEdit(), "system"))
    qtbot.addWidget(row)
    row.refuse("no number")
    said = row.findChild(QLabel, "system_reason")
    assert said is not None
    assert said.text() == "no number" and said.foregroundRole() != MUTED_ROLE
    row.grey("not in Raw")
    row.refuse("not in Raw")
    assert said.text() == "not in Raw" and said.foregroundRole() == MUTED_ROLE
