"""Tools among the controls: no text is lost, what is no tool is told, and a model without them says why."""

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.controls import Controls
from app.engine.tools import EXAMPLE
from app.ui.controls import ControlsPanel
from app.ui.look.theme import Theme
from tests.ui.desk import named


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> ControlsPanel:
    made = ControlsPanel(theme)
    qtbot.addWidget(made)
    return made


def test_an_example_to_begin_with_and_what_is_wrong(panel: ControlsPanel, qtbot: QtBot) -> None:
    editor, example = named(panel, QPlainTextEdit, "tools"), named(panel, QAbstractButton, "tools_example")
    with qtbot.waitSignal(panel.edited) as edited:
        example.click()
    assert edited.args is not None and edited.args[0].tools == EXAMPLE == editor.toPlainText()
    assert example.isHidden() and named(panel, QLabel, "tools_wrong").text() == ""
    editor.setPlainText("\ufeff[{")
    assert panel.values.tools == "\ufeff[{"
    assert named(panel, QLabel, "tools_wrong").text().startswith("The tools are no JSON")
    with qtbot.assertNotEmitted(panel.edited):
        panel.show_values(Controls(tools='{"name": "a"}'))
    assert editor.toPlainText() == '{"name": "a"}' and named(panel, QLabel, "tools_wrong").text() == ""


def test_a_model_without_tools_says_why_and_keeps_the_text(panel: ControlsPanel) -> None:
    panel.rare.tools.show_value(EXAMPLE, "A server.")
    editor, wrong = named(panel, QPlainTextEdit, "tools"), named(panel, QLabel, "tools_wrong")
    assert (editor.isEnabled(), editor.toPlainText(), wrong.text()) == (False, EXAMPLE, "A server.")
    assert editor.toolTip().endswith("A server.")
    panel.rare.tools.show_value("", "A server.")
    assert wrong.text() == "", "nothing was asked of it"
    panel.rare.tools.show_value(EXAMPLE, "")
    assert editor.isEnabled() and wrong.text() == ""
