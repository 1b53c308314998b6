"""The column of sessions: its list, search, keys and menu."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest
from PySide6.QtCore import QModelIndex, QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.i18n import tr
from app.records.types import SearchHit, SessionInfo
from app.ui.look.theme import Theme
from app.ui.sessions import SessionsColumn
from app.ui.sessions.list_model import PAGE, ROW, SessionRow, SessionsModel, day_name, rows_of
from tests.ui.desk import button, named

TODAY = date(2026, 11, 21)
NOON = datetime(2026, 11, 21, 12).timestamp()
DAY_S = 86_400
DRAGGED = Qt.ItemFlag.ItemIsDragEnabled


def info(
    number: int, days: int = 0, pinned: bool = False, interrupted: bool = False, unsent: bool = False
) -> SessionInfo:
    changed = NOON - days * DAY_S
    return SessionInfo(number, f"Session {number}", pinned, 0.0, changed, 2, interrupted, unsent)


class Shelf:
    """A list of sessions in place of a session database."""

    def __init__(self, sessions: list[SessionInfo], studies: Sequence[SessionInfo] = ()) -> None:
        self.sessions = sessions
        self.studies = studies
        self.asked: list[tuple[int, int]] = []

    def chats(self, start: int, count: int) -> tuple[SessionInfo, ...]:
        self.asked.append((start, count))
        return tuple(self.sessions[start : start + count])

    def experiments(self, start: int, count: int) -> tuple[SessionInfo, ...]:
        return tuple(self.studies[start : start + count])

    def search(self, words: str, start: int, count: int) -> tuple[SearchHit, ...]:
        found = [each for each in self.sessions if words.lower() in each.title.lower()]
        return tuple(
            SearchHit(each, 1, f"… {words} …", ((2, 2 + len(words)),)) for each in found[start : start + count]
        )


@pytest.fixture
def shelf() -> Shelf:
    return Shelf([info(1), info(2), info(3, 1, interrupted=True), info(4, 30, unsent=True)])


@pytest.fixture
def column(qtbot: QtBot, theme: Theme, shelf: Shelf) -> Iterator[SessionsColumn]:
    yield from shown(qtbot, theme, shelf)


@pytest.fixture
def pinned(qtbot: QtBot, theme: Theme) -> Iterator[SessionsColumn]:
    yield from shown(qtbot, theme, Shelf([*(info(number, pinned=True) for number in (1, 2, 3)), info(4)]))


def shown(qtbot: QtBot, theme: Theme, shelf: Shelf) -> Iterator[SessionsColumn]:
    made = SessionsColumn(theme)
    qtbot.addWidget(made)
    made.set_source(shelf.chats, shelf.search, shelf.experiments)
    made.resize(240, 400)
    made.show()
    yield made
    made.close()


def press(column: SessionsColumn, key: Qt.Key, control: bool = False) -> None:
    modifier = Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(column.list, key, modifier)


def rows(column: SessionsColumn) -> list[SessionRow]:
    model = column.list.model()
    found = [model.data(model.index(at, 0), ROW) for at in range(model.rowCount())]
    return [row for row in found if isinstance(row, SessionRow)]


def listed(column: SessionsColumn) -> list[int]:
    return [row.session.id for row in rows(column)]


@pytest.mark.parametrize(
    ("days", "name"),
    [
        *((-1, "Today"), (0, "Today"), (1, "Yesterday"), (2, "Thursday"), (6, "Sunday")),
        *((7, "14 November"), (365, "21 November 2025")),
    ],
)
def test_day_name_is_the_usual_one(days: int, name: str) -> None:
    assert day_name(TODAY - timedelta(days=days), TODAY) == name


def test_rows_of_sessions_have_a_heading_for_each_day() -> None:
    made = rows_of([info(9, 3, pinned=True), info(1), info(2), info(3, 1)], TODAY)
    assert [row.session.id if isinstance(row, SessionRow) else row.text for row in made] == [
        "Pinned",
        9,
        "Today",
        1,
        2,
        "Yesterday",
        3,
    ]
    assert rows_of([info(4, 1)], TODAY, "Yesterday") == (SessionRow(info(4, 1)),)


def test_model_reads_pages_as_they_are_scrolled_to(qtbot: QtBot) -> None:
    shelf = Shelf([info(number) for number in range(1, 10_001)])
    model = SessionsModel()
    model.set_source(shelf.chats, shelf.search, shelf.experiments)
    assert shelf.asked == [(0, PAGE)]
    assert model.canFetchMore(QModelIndex())
    model.fetchMore(QModelIndex())
    assert shelf.asked[1:] == [(PAGE, PAGE)]
    assert model.sessions == 2 * PAGE
    assert model.row_of(150) > 0
    assert model.row_of(9_999) == -1
    shelf.sessions = shelf.sessions[: PAGE + 1]
    model.read_again()
    assert model.sessions == PAGE + 1 and not model.canFetchMore(QModelIndex())


def test_experiments_are_at_the_end_and_hidden_until_their_heading_is_opened(qtbot: QtBot, theme: Theme) -> None:
    made = shown(qtbot, theme, Shelf([info(number) for number in range(PAGE + 1)], [info(901), info(902)]))
    column = next(made)
    model = column.list.model()
    model.fetchMore(QModelIndex())
    heading = model.index(model.rowCount() - 1, 0)
    assert listed(column) == [*range(PAGE + 1)] and heading.data().startswith("Experiments")
    column.list.setCurrentIndex(heading)
    press(column, Qt.Key.Key_Delete)
    press(column, Qt.Key.Key_Return)
    assert listed(column)[-2:] == [901, 902]
    assert column.list.currentIndex().data().startswith("Experiments")
    press(column, Qt.Key.Key_Return)
    assert listed(column)[-1] == PAGE
    next(made, None)


@pytest.mark.in_korean
@pytest.mark.parametrize(
    ("key", "control", "signal", "told"),
    [
        (Qt.Key.Key_P, True, "pinned", [2, True]),
        (Qt.Key.Key_D, True, "duplicated", [2]),
        (Qt.Key.Key_Delete, False, "deleted", [2]),
    ],
)
def test_keys_emit_their_commands(
    column: SessionsColumn, qtbot: QtBot, key: Qt.Key, control: bool, signal: str, told: list[object]
) -> None:
    column.list.select(2)
    with qtbot.waitSignal(getattr(column, signal)) as heard:
        press(column, key, control)
    assert heard.args == told


@pytest.mark.in_korean
def test_title_is_edited_in_place(column: SessionsColumn, qtbot: QtBot, shelf: Shelf) -> None:
    column.list.select(1)
    press(column, Qt.Key.Key_F2)
    editor = named(column, QLineEdit, "session_title")
    assert editor.text() == "Session 1"
    editor.setText("Half a ti")
    shelf.sessions.insert(0, info(5))
    column.refresh()
    assert editor.text() == "Half a ti", "what comes meanwhile waits"
    editor.setText("A title")
    with qtbot.waitSignal(column.renamed) as heard:
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert heard.args == [1, "A title"]
    qtbot.waitUntil(lambda: 5 in listed(column))


def test_undo_restores_deleted_sessions_one_by_one(column: SessionsColumn, qtbot: QtBot) -> None:
    strip, undo = named(column, QLabel, "session_deleted"), button(column, "session_undo")
    assert not undo.isVisible()
    column.list.select(1)
    press(column, Qt.Key.Key_Delete)
    assert column.list.current() == 2, "whoever deletes several goes on with the next"
    press(column, Qt.Key.Key_Delete)
    assert "Session 2" in strip.accessibleName()
    with qtbot.waitSignal(column.restored) as heard:
        undo.click()
    assert heard.args == [2]
    with qtbot.waitSignal(column.restored) as heard:
        press(column, Qt.Key.Key_Z, control=True)
    assert heard.args == [1]
    assert not undo.isVisible()


def test_search_lists_matches_until_esc(column: SessionsColumn, qtbot: QtBot) -> None:
    QTest.keyClicks(column.search, "ssion 3")
    qtbot.waitUntil(lambda: listed(column) == [3])
    QTest.keyClick(column.search, Qt.Key.Key_Down)
    assert column.list.current() == 3
    QTest.keyClick(column.search, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: listed(column) == [1, 2, 3, 4])
    empty = named(column, QLabel, "sessions_empty")
    assert not empty.isVisible()
    column.search.setText("no such words")
    qtbot.waitUntil(empty.isVisible)
    assert "No matches" in empty.text()


def test_list_during_a_run_opens_nothing_and_says_so(column: SessionsColumn) -> None:
    heard: list[tuple[str, int]] = []
    column.opened.connect(lambda session: heard.append(("opened", session)))
    column.deleted.connect(lambda session: heard.append(("deleted", session)))
    column.show_present(1)
    column.set_settled(False)
    held = named(column, QLabel, "sessions_held")
    assert held.isVisible()
    column.list.select(1)
    press(column, Qt.Key.Key_Return)
    press(column, Qt.Key.Key_Delete)
    assert heard == []
    column.list.select(2)
    press(column, Qt.Key.Key_Delete)
    assert heard == [("deleted", 2)]
    column.set_settled(True)
    assert not held.isVisible()


def test_refresh_keeps_the_selection(column: SessionsColumn, shelf: Shelf) -> None:
    column.list.select(3)
    shelf.sessions.insert(0, info(5))
    column.refresh()
    assert column.list.current() == 3
    assert listed(column) == [5, 1, 2, 3, 4]


def test_menu_of_another_journal_does_nothing(column: SessionsColumn) -> None:
    """Ids of one session database are others' ids in another one."""
    told: list[object] = []
    for signal in (column.deleted, column.duplicated, column.exported, column.opened, column.list.weighed):
        signal.connect(lambda what, *_: told.append(what))
    column.list.select(2)
    menu, other = column.list._menu(SessionRow(info(2))), Shelf([info(2), info(5)])
    column.set_source(other.chats, other.search, other.experiments)
    for action in menu.actions():
        action.trigger()
    menu.deleteLater()
    assert told == []


@pytest.mark.in_korean
def test_commands_apply_to_all_selected_sessions(column: SessionsColumn, qtbot: QtBot) -> None:
    told: list[object] = []
    for signal in (column.deleted, column.duplicated, column.exported, column.opened):
        signal.connect(lambda what, *_: told.append(what))
    for session in (1, 3):
        position = column.list.visualRect(column.list.model().index(column.list._model.row_of(session), 0)).center()
        held = Qt.KeyboardModifier.ShiftModifier if told else Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(column.list.viewport(), Qt.MouseButton.LeftButton, held, position)
    assert told == [1], "a click with Shift opens none"
    press(column, Qt.Key.Key_D, control=True)
    assert told[1:] == [1, 2, 3]
    menu = column.list._menu(SessionRow(info(1)))
    next(each for each in menu.actions() if each.text() == tr("Export…")).trigger()
    menu.deleteLater()
    assert told[4:] == [(1, 2, 3)]
    press(column, Qt.Key.Key_Delete)
    assert told[5:] == [1, 2, 3]


@pytest.mark.in_korean
@pytest.mark.parametrize(("system", "signal"), [("darwin", "edited"), ("linux", "opened")])
def test_enter_opens_or_renames_as_the_file_manager_does(
    column: SessionsColumn, monkeypatch: pytest.MonkeyPatch, system: str, signal: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    opened: list[int] = []
    column.opened.connect(opened.append)
    column.list.select(2)
    press(column, Qt.Key.Key_Return)
    assert column.list.editing is (signal == "edited")
    assert opened == ([2] if signal == "opened" else [])
    column.list.closePersistentEditor(column.list.currentIndex())
    press(column, Qt.Key.Key_Escape)


@pytest.mark.in_korean
@pytest.mark.parametrize(
    ("moved", "onto", "below", "order"),
    [
        (1, 2, True, [2, 1, 3]),
        (1, 3, True, [2, 3, 1]),
        (3, 1, False, [3, 1, 2]),
        (1, 4, True, [2, 3, 1]),
        (2, 2, False, []),
    ],
)
def test_pinned_sessions_are_reordered_by_dragging(
    pinned: SessionsColumn, moved: int, onto: int, below: bool, order: list[int]
) -> None:
    told: list[object] = []
    pinned.reordered.connect(told.append)
    pinned.list.select(moved)
    rect = pinned.list.visualRect(pinned.list.model().index(pinned.list._model.row_of(onto), 0))
    position = QPointF(rect.center().x(), rect.bottom() - 1 if below else rect.top() + 1)
    data = pinned.list.model().mimeData(pinned.list.selectedIndexes())
    move, button = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton
    pinned.list.dropEvent(QDropEvent(position, move, data, button, Qt.KeyboardModifier.NoModifier))
    assert told == ([tuple(order)] if order else [])


def test_pinned_sessions_are_moved_by_keys(pinned: SessionsColumn) -> None:
    told: list[object] = []
    pinned.reordered.connect(told.append)
    pinned.list.select(2)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
        QTest.keyClick(pinned.list, key, Qt.KeyboardModifier.AltModifier)
    assert told == [(2, 1, 3), (1, 3, 2)]
    pinned.list.select(4)
    QTest.keyClick(pinned.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert len(told) == 2
    model = pinned.list._model
    assert [bool(model.flags(model.index(model.row_of(each))) & DRAGGED) for each in (1, 4)] == [True, False]


def test_accessible_text_includes_the_note(column: SessionsColumn) -> None:
    model = column.list.model()
    said = [model.data(model.index(at, 0), Qt.ItemDataRole.AccessibleTextRole) for at in range(model.rowCount())]
    assert "Session 3, interrupted" in said
    assert "Session 4, draft" in said


def test_refresh_repaints_only_changed_rows(column: SessionsColumn, shelf: Shelf) -> None:
    told: list[tuple[int, int]] = []
    column.list.model().dataChanged.connect(lambda first, last: told.append((first.row(), last.row())))
    column.refresh()
    assert told == []
    shelf.sessions[1] = replace(shelf.sessions[1], interrupted=True)
    column.refresh()
    assert told == [(2, 2)], "the row below its heading and the first session"
    assert rows(column)[1].session.interrupted
