"""No table hides columns behind a scroll bar: those that have no room step aside, and can be chosen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QMenu, QTableView
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from app.ui.picker.columns import HUB, LOCAL
from app.ui.picker.models_table import ModelRows, ModelTable
from app.ui.picker.server_columns import SERVER_MODELS, SERVERS
from app.ui.runs.table import RunsTable
from app.ui.widgets.word_table import WordTable, wrapped

HEAD = tuple(f"Some measure number {number} (tok/s)" for number in range(16))


def runs(theme: Theme) -> RunsTable:
    return RunsTable(theme, QMenu())


def words(theme: Theme) -> WordTable:
    table = WordTable(theme, "words", "Words", folds=True)
    table.show_rows(HEAD, [["temperature 0.7, top-p 0.8", *["7,737 (719–8,835) ms"] * 15]] * 3)
    return table


TABLES: dict[str, tuple[Callable[[Theme], QTableView], int]] = {
    "runs": (runs, 1254),
    "local": (lambda theme: ModelTable(theme, "local", "Local", ModelRows(theme, LOCAL)), 862),
    "hub": (lambda theme: ModelTable(theme, "hub", "Hub", ModelRows(theme, HUB)), 862),
    "servers": (lambda theme: ModelTable(theme, "servers", "Servers", ModelRows(theme, SERVERS)), 572),
    "server_models": (lambda theme: ModelTable(theme, "models", "Models", ModelRows(theme, SERVER_MODELS)), 572),
    "words": (words, 902),
}
"""Each with the room that it has in its window, where that is 1280 pixels wide."""


def shown(table: QTableView) -> list[int]:
    return [place for place in range(table.model().columnCount()) if not table.isColumnHidden(place)]


@pytest.mark.parametrize("percent", [100, 150, 200])
@pytest.mark.parametrize("name", TABLES)
def test_no_table_scrolls_sideways(qtbot: QtBot, theme: Theme, name: str, percent: int) -> None:
    make, room = TABLES[name]
    theme.resize(percent)
    table = make(theme)
    qtbot.addWidget(table)
    table.resize(room, 300)
    table.show()
    assert table.horizontalScrollBar().maximum() == 0
    if percent == 100 and name != "words":
        assert len(shown(table)) + len(getattr(table, "_absent", ())) == table.model().columnCount()


def test_what_stepped_aside_is_counted_and_can_be_chosen(qtbot: QtBot, theme: Theme) -> None:
    table = words(theme)
    qtbot.addWidget(table)
    table.resize(500, 300)
    table.show()
    before = shown(table)
    more = table.findChild(QAbstractButton, "words_columns")
    assert more is not None and more.isVisible()
    assert more.accessibleName() == f"{16 - len(before)} more columns"
    more.click()
    menu = table.findChild(QMenu)
    assert menu is not None
    last = next(action for action in menu.actions() if action.text() == HEAD[-1])
    assert not last.isChecked()
    last.trigger()
    menu.close()
    assert 15 in shown(table)
    assert len(shown(table)) == len(before), "another one made room for it"
    table.resize(4000, 300)
    assert shown(table) == list(range(16))
    assert not more.isVisible()


def test_a_column_that_was_moved_to_the_front_stays(qtbot: QtBot, theme: Theme) -> None:
    table = words(theme)
    qtbot.addWidget(table)
    table.resize(500, 300)
    table.show()
    assert 15 not in shown(table)
    table.horizontalHeader().moveSection(15, 1)
    assert 15 in shown(table)


def test_a_right_click_on_the_head_asks_too(qtbot: QtBot, theme: Theme) -> None:
    table = words(theme)
    qtbot.addWidget(table)
    table.horizontalHeader().customContextMenuRequested.emit(QPoint(1, 1))
    menu = table.findChild(QMenu)
    assert menu is not None
    assert [action.text() for action in menu.actions()] == list(HEAD[1:]), "the first one is always there"
    menu.close()


def test_heads_are_wrapped_for_the_eye_alone(theme: Theme) -> None:
    assert wrapped("Mean speed (tok/s)") == "Mean speed\n(tok/s)"
    assert wrapped("Visible tokens") == "Visible\ntokens"
    assert wrapped("Tokens") == "Tokens"
    table = words(theme)
    told = table.model().headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole)
    assert told == HEAD[1]
