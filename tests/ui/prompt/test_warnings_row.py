"""The prompt warnings: sentences, buttons, nothing without a warning."""

from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from app.engine.prompt_warnings import PromptWarning, QuickFix, WarningKind
from app.ui.look.theme import Theme
from app.ui.prompt.editor import WarningsRow
from tests.ui.conftest import go_dark

WARNINGS = (
    PromptWarning(WarningKind.TOO_LONG, "The prompt is too long.", QuickFix.DROP_OLDEST),
    PromptWarning(WarningKind.DOUBLE_BOS, "Two <b>beginnings</b>."),
)


def sentences(row: WarningsRow) -> list[str]:
    return [each.text() for each in row.findChildren(QLabel, "light") if not each.isHidden()]


def test_warnings_are_announced_and_offered(qtbot: QtBot, theme: Theme) -> None:
    row = WarningsRow(theme)
    qtbot.addWidget(row)
    assert row.isHidden()
    row.show_warnings(WARNINGS)
    assert not row.isHidden()
    assert sentences(row) == ["The prompt is too long.", "Two <b>beginnings</b>."]
    assert row.accessibleName() == "Prompt warnings: The prompt is too long. Two <b>beginnings</b>."
    (button,) = row.findChildren(QAbstractButton)
    assert button.objectName() == "light_leave_out_the_oldest_turn"
    assert button.text() == button.accessibleName() == QuickFix.DROP_OLDEST.words
    with qtbot.waitSignal(row.fix_wanted) as emitted:
        button.click()
    assert emitted.args == [QuickFix.DROP_OLDEST]


def test_gone_warnings_are_removed(qtbot: QtBot, theme: Theme) -> None:
    row = WarningsRow(theme)
    qtbot.addWidget(row)
    row.show_warnings(WARNINGS)
    go_dark(theme)
    assert row.warnings == WARNINGS
    row.show_warnings(WARNINGS[1:])
    qtbot.waitUntil(lambda: sentences(row) == ["Two <b>beginnings</b>."])
    row.show_warnings(())
    assert row.isHidden()
    assert row.accessibleName() == "Prompt warnings: none"
