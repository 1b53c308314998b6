"""The dialog of a run's code, with texts fed by hand."""

from typing import TypeVar

import pytest
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from app.ui.code.dialog import COPIED, COPY, CodeDialog
from app.ui.look.theme import Theme

PYTHON = "import mlx.core as mx  # a comment\nprint(1)\n"
COMMAND = "mlx_lm.generate --max-tokens 5"
NONE = "mlx_lm.generate has no switch for stop strings."

Widget = TypeVar("Widget", bound=QWidget)


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme) -> CodeDialog:
    made = CodeDialog(theme)
    qtbot.addWidget(made)
    made.show_code("Code of the Run", "This run again.", PYTHON, COMMAND, ("It leaves out a space.",))
    made.show()
    return made


def named(dialog: CodeDialog, kind: type[Widget], name: str) -> Widget:
    found = dialog.findChild(kind, name)
    assert found is not None, name
    return found


def test_each_tab_is_copied(dialog: CodeDialog) -> None:
    copy = named(dialog, QPushButton, "code_copy")
    copy.click()
    assert QGuiApplication.clipboard().text() == PYTHON
    assert copy.text() == COPIED
    named(dialog, QTabWidget, "code_tabs").setCurrentIndex(1)
    assert copy.text() == COPY
    copy.click()
    assert QGuiApplication.clipboard().text() == COMMAND


def test_where_there_is_no_command_the_reason_stands_in_its_place(dialog: CodeDialog) -> None:
    dialog.show_code("Code of the Run", "", PYTHON, "", (NONE,))
    named(dialog, QTabWidget, "code_tabs").setCurrentIndex(1)
    assert not named(dialog, QPushButton, "code_copy").isEnabled()
    assert not named(dialog, QPlainTextEdit, "code_command").isVisible()
    assert named(dialog, QLabel, "code_command_remarks").text() == NONE
    named(dialog, QTabWidget, "code_tabs").setCurrentIndex(0)
    assert named(dialog, QPushButton, "code_copy").isEnabled()
    assert not named(dialog, QLabel, "code_python_remarks").isVisible()


def looks(dialog: CodeDialog) -> set[str]:
    block = named(dialog, QPlainTextEdit, "code_python").document().firstBlock()
    return {QColor(each.format.foreground().color()).name() for each in block.layout().formats()}
