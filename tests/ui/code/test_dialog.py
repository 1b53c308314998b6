"""The dialog of a run's code, with texts fed by hand."""

from typing import TypeVar

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.ui.code.dialog import COPIED, COPY, CodeDialog
from app.ui.look.theme import Theme

PYTHON = "import mlx.core as mx  # a comment\nprint(1)\n"

Widget = TypeVar("Widget", bound=QWidget)


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme) -> CodeDialog:
    made = CodeDialog(theme)
    qtbot.addWidget(made)
    made.show_text("Code of the Run", PYTHON, "This run again.")
    made.show()
    return made


def named(dialog: CodeDialog, kind: type[Widget], name: str) -> Widget:
    found = dialog.findChild(kind, name)
    assert found is not None, name
    return found


def test_copy_puts_the_script_on_the_clipboard_and_says_so(dialog: CodeDialog) -> None:
    copy = named(dialog, QPushButton, "code_copy")
    copy.click()
    assert QGuiApplication.clipboard().text() == PYTHON
    assert copy.text() == COPIED
    dialog.show_text("Code of the Next Run", "pass\n")
    assert copy.text() == COPY
    assert not named(dialog, QLabel, "code_about").isVisible()
