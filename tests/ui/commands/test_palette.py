"""The palette: typing finds, the arrows move, Enter chooses, Esc leaves, and each step is told."""

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
    """What has the keyboard before the palette comes up."""
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
def palette(qtbot: QtBot, theme: Theme, field: QLineEdit) -> CommandPalette:
    made = CommandPalette(theme, field.window())
    made.open_with(COMMANDS, ("go_3",))
    qtbot.waitUntil(made.line.hasFocus)
    return made


def current(palette: CommandPalette) -> str:
    return palette.current.name if palette.current is not None else ""


def test_the_keys_move_in_the_list_while_the_field_keeps_the_keyboard(qtbot: QtBot, palette: CommandPalette) -> None:
    places = []
    for key in (Key.Key_Down, Key.Key_Up, Key.Key_Up, Key.Key_Down, Key.Key_PageDown, Key.Key_PageUp, Key.Key_PageUp):
        QTest.keyClick(palette.line, key)
        places.append(palette.list.currentIndex().row())
    assert places == [1, 0, 20, 0, PAGE, 0, 0]
    QTest.keyClick(palette.line, Key.Key_Tab)
    assert palette.line.hasFocus()


def test_typing_finds_and_enter_chooses(qtbot: QtBot, palette: CommandPalette, field: QLineEdit) -> None:
    assert current(palette) == "go_3", "what was used last"
    QTest.keyClicks(palette.line, "go 12")
    assert current(palette) == "go_12"
    with qtbot.waitSignal(palette.chosen) as chosen:
        QTest.keyClick(palette.line, Key.Key_Return)
    assert chosen.args == ["go_12"]
    assert palette.isHidden()
    assert field.hasFocus()


def test_what_can_t_be_used_says_why_and_is_not_chosen(qtbot: QtBot, palette: CommandPalette) -> None:
    QTest.keyClicks(palette.line, "stop")
    assert current(palette) == "stop"
    assert palette.line.accessibleDescription() == "Stop, Run, Esc, not available, Needs a run"
    with qtbot.assertNotEmitted(palette.chosen):
        QTest.keyClick(palette.line, Key.Key_Return)
    assert palette.isVisible()


def test_nothing_found_is_said(qtbot: QtBot, palette: CommandPalette) -> None:
    before = palette.line.height()
    QTest.keyClicks(palette.line, "nowhere")
    tip = named(palette, QLabel, "command_tip")
    assert tip.text() == palette.line.accessibleDescription() == "No action has these words."
    assert palette.list.isHidden()
    assert palette.line.height() == before
    QTest.keyClick(palette.line, Key.Key_Down)
    QTest.keyClick(palette.line, Key.Key_Return)
    assert palette.isVisible()


def test_esc_a_click_beside_it_and_another_field_close_it(
    qtbot: QtBot, palette: CommandPalette, field: QLineEdit
) -> None:
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


def test_a_click_chooses(qtbot: QtBot, palette: CommandPalette) -> None:
    palette.line.setText("go 7")
    place = palette.list.visualRect(palette.list.model().index(0, 0)).center()
    with qtbot.waitSignal(palette.chosen) as chosen:
        QTest.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == ["go_7"]


def test_it_is_told_to_whoever_hears_it(palette: CommandPalette) -> None:
    rows = QAccessible.queryAccessibleInterface(palette.list)
    field = QAccessible.queryAccessibleInterface(palette.line)
    assert (rows.role(), rows.text(QAccessible.Text.Name)) == (QAccessible.Role.List, "Actions")
    assert (field.role(), field.text(QAccessible.Text.Name)) == (QAccessible.Role.EditableText, "Find an action")
    assert rows.child(0).text(QAccessible.Text.Name) == "Go 3, View"
    assert field.text(QAccessible.Text.Description) == "Go 3, View"


def test_what_enter_would_run_is_said_at_once_and_whenever_it_changes(
    palette: CommandPalette, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    assert len(said) == number, "nobody hears of what is closed"


def test_it_follows_the_window_and_never_stands_out_of_it(qtbot: QtBot, palette: CommandPalette) -> None:
    window = palette.window()
    for size in ((500, 300), (1600, 1000)):
        window.resize(*size)
        qtbot.waitUntil(lambda: palette.size() == window.size())
        box = palette.childrenRect()
        assert window.rect().contains(box)
        assert abs(box.center().x() - window.rect().center().x()) <= 1


def test_its_rows_grow_with_the_text(qtbot: QtBot, theme: Theme, palette: CommandPalette) -> None:
    def row() -> int:
        return palette.list.visualRect(palette.list.model().index(0, 0)).height()

    usual = row()
    theme.resize(200)
    qtbot.waitUntil(lambda: row() == 2 * usual)
    assert palette.rect().contains(palette.childrenRect())


def test_the_letters_that_were_typed_are_drawn_bold(qtbot: QtBot, palette: CommandPalette) -> None:
    """Nothing else shows why a row was found: the picture differs from that of the same row not searched for."""
    palette.line.setText("go 7")
    found = palette.list.grab(palette.list.visualRect(palette.list.model().index(0, 0))).toImage()
    palette.open_with(COMMANDS[8:9], ())
    plain = palette.list.grab(palette.list.visualRect(palette.list.model().index(0, 0))).toImage()
    assert current(palette) == "go_7"
    assert found.size() == plain.size()
    assert found != plain
