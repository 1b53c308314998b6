from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.commands.palette import PAGE, CommandPalette
from app.ui.commands.ranking import Command
from app.ui.look.theme import Theme
from app.ui.widgets.naming import Announcer
from tests.ui.desk import named

Key = Qt.Key
COMMANDS = (
    Command("stop", "Stop", "Run", "Stop the run.", "Esc", enabled=False, needs="Needs a run"),
    *(Command(f"go_{number}", f"Go {number}", "View", f"Go to {number}.") for number in range(20)),
)


@pytest.fixture
def field(qtbot: QtBot) -> Iterator[QLineEdit]:
    """The field that has the focus before the palette opens."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 600)
    column = QVBoxLayout(window)
    line = QLineEdit()
    column.addWidget(line)
    column.addStretch(1)
    window.show()
    line.setFocus()
    yield line


@pytest.fixture
def chosen() -> list[str]:
    return []


@pytest.fixture
def palette(qtbot: QtBot, theme: Theme, field: QLineEdit, chosen: list[str]) -> CommandPalette:
    made = CommandPalette(theme, field.window(), chosen.append)
    made.open_with(COMMANDS, ("go_3",))
    qtbot.waitUntil(made.line.hasFocus)
    return made


def current(palette: CommandPalette) -> str:
    return palette.current.name if palette.current is not None else ""


def test_palette_keys_move_in_the_list_while_the_field_keeps_the_focus(palette: CommandPalette) -> None:
    positions = []
    for key in (Key.Key_Down, Key.Key_Up, Key.Key_Up, Key.Key_Down, Key.Key_PageDown, Key.Key_PageUp, Key.Key_PageUp):
        QTest.keyClick(palette.line, key)
        positions.append(palette.list.currentIndex().row())
    assert positions == [1, 0, 20, 0, PAGE, 0, 0]
    QTest.keyClick(palette.line, Key.Key_Tab)
    assert palette.line.hasFocus()


def test_palette_enter_runs_the_best_match(palette: CommandPalette, field: QLineEdit, chosen: list[str]) -> None:
    assert current(palette) == "go_3", "the last command that was run"
    QTest.keyClicks(palette.line, "go 12")
    assert current(palette) == "go_12"
    QTest.keyClick(palette.line, Key.Key_Return)
    assert chosen == ["go_12"]
    assert palette.isHidden()
    assert field.hasFocus()


def test_palette_disabled_command_gives_the_reason_and_is_not_run(palette: CommandPalette, chosen: list[str]) -> None:
    QTest.keyClicks(palette.line, "stop")
    assert current(palette) == "stop"
    assert palette.line.accessibleDescription() == "Stop, Run, Esc, not available, Needs a run"
    QTest.keyClick(palette.line, Key.Key_Return)
    assert palette.isVisible() and chosen == []


def test_palette_without_a_match_says_so(palette: CommandPalette) -> None:
    before = palette.line.height()
    QTest.keyClicks(palette.line, "nowhere")
    tip = named(palette, QLabel, "command_tip")
    assert tip.text() == palette.line.accessibleDescription() == "No action has these words."
    assert palette.list.isHidden()
    assert palette.line.height() == before
    QTest.keyClick(palette.line, Key.Key_Down)
    QTest.keyClick(palette.line, Key.Key_Return)
    assert palette.isVisible()


def test_palette_closes_on_esc_a_click_outside_and_a_change_of_focus(palette: CommandPalette, field: QLineEdit) -> None:
    QTest.keyClick(palette.line, Key.Key_Escape)
    assert palette.isHidden()
    assert field.hasFocus()
    palette.open_with(COMMANDS, ())
    QTest.mouseClick(palette, Qt.MouseButton.LeftButton, pos=QPoint(5, 590))
    assert palette.isHidden()
    palette.open_with(COMMANDS, ())
    field.setFocus()
    assert palette.isHidden()
    palette.leave()
    assert field.hasFocus()


def test_palette_click_runs_the_command(palette: CommandPalette, chosen: list[str]) -> None:
    palette.line.setText("go 7")
    position = palette.list.visualRect(palette.list.model().index(0, 0)).center()
    QTest.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=position)
    assert chosen == ["go_7"]


def test_palette_has_accessible_names(palette: CommandPalette) -> None:
    rows = QAccessible.queryAccessibleInterface(palette.list)
    field = QAccessible.queryAccessibleInterface(palette.line)
    assert (rows.role(), rows.text(QAccessible.Text.Name)) == (QAccessible.Role.List, "Actions")
    assert (field.role(), field.text(QAccessible.Text.Name)) == (QAccessible.Role.EditableText, "Find an action")
    assert rows.child(0).text(QAccessible.Text.Name) == "Go 3, View"
    assert field.text(QAccessible.Text.Description) == "Go 3, View"


def test_palette_announces_the_current_command(palette: CommandPalette, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(Announcer, "say", lambda _self, words, urgent: said.append(words))
    palette.leave()
    palette.open_with(COMMANDS, ())
    assert said[-1] == "Go 0, View"
    palette.line.setText("go 11")
    assert said[-1] == "Go 11, View"
    palette.leave()
    number = len(said)
    palette.line.clear()
    assert len(said) == number, "a closed palette announces nothing"


def test_palette_stays_inside_the_window_and_grows_with_the_text(
    qtbot: QtBot, theme: Theme, palette: CommandPalette
) -> None:
    def row() -> int:
        return palette.list.visualRect(palette.list.model().index(0, 0)).height()

    window, usual = palette.window(), row()
    for size, percent in (((500, 300), 100), ((1600, 1000), 100), ((900, 600), 200)):
        window.resize(*size)
        theme.resize(percent)
        qtbot.waitUntil(lambda: palette.size() == window.size() and row() == usual * theme.percent // 100)
        box = palette.childrenRect()
        assert window.rect().contains(box)
        assert abs(box.center().x() - window.rect().center().x()) <= 1


def test_palette_draws_matched_letters_bold(palette: CommandPalette) -> None:
    palette.line.setText("go 7")
    found = palette.list.grab(palette.list.visualRect(palette.list.model().index(0, 0))).toImage()
    palette.open_with(COMMANDS[8:9], ())
    plain = palette.list.grab(palette.list.visualRect(palette.list.model().index(0, 0))).toImage()
    assert current(palette) == "go_7"
    assert found.size() == plain.size()
    assert found != plain
