"""The sanity lights: sentences, buttons, nothing where nothing is lit."""

from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from app.ui.prompt.warnings_row import WarningLine, WarningsRow
from tests.ui.conftest import go_dark

LINES = (
    WarningLine("The prompt is too long.", "Leave out the oldest turn", "Out!"),
    WarningLine("Two <b>beginnings</b>."),
)


def sentences(row: WarningsRow) -> list[str]:
    return [each.text() for each in row.findChildren(QLabel, "light") if not each.isHidden()]


def test_warnings_are_announced_and_offered(qtbot: QtBot, theme: Theme) -> None:
    row = WarningsRow(theme)
    qtbot.addWidget(row)
    assert row.isHidden()
    row.show_lines(LINES)
    assert not row.isHidden()
    assert sentences(row) == ["The prompt is too long.", "Two <b>beginnings</b>."]
    assert row.accessibleName() == "Prompt warnings: The prompt is too long. Two <b>beginnings</b>."
    (button,) = row.findChildren(QAbstractButton)
    assert button.objectName() == "light_leave_out_the_oldest_turn"
    assert (button.text(), button.accessibleName()) == ("Out!", "Out!")
    with qtbot.waitSignal(row.fix_wanted) as taken:
        button.click()
    assert taken.args == ["Leave out the oldest turn"]


def test_gone_warnings_are_removed(qtbot: QtBot, theme: Theme) -> None:
    row = WarningsRow(theme)
    qtbot.addWidget(row)
    row.show_lines(LINES)
    go_dark(theme)
    assert row.lines == LINES
    row.show_lines(LINES[1:])
    qtbot.waitUntil(lambda: sentences(row) == ["Two <b>beginnings</b>."])
    row.show_lines(())
    assert row.isHidden()
    assert row.accessibleName() == "Prompt warnings: none"
