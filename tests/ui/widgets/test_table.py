import json
from collections.abc import Callable

import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QStyle, QTableView
from pytestqt.qtbot import QtBot

from app.ui.look.palette import Color
from app.ui.look.theme import Theme
from app.ui.picker.models_table import HUB, LOCAL, SERVER_MODELS, SERVERS, ModelRows, ModelTable
from app.ui.runs.table import RunsTable
from app.ui.widgets.table import Table
from app.ui.widgets.word_table import LINE, GridModel, WordTable, folded, wrapped
from tests.ui.desk import named

PADDING_PX = 6
"""Of a head, on each side."""
HEAD = tuple(f"Some measure number {number} (tok/s)" for number in range(16))


def runs(theme: Theme) -> RunsTable:
    menu = QMenu()
    table = RunsTable(theme, menu)
    menu.setParent(table)
    return table


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
    return [position for position in range(table.model().columnCount()) if not table.isColumnHidden(position)]


def show(qtbot: QtBot, table: QTableView, width: int) -> None:
    qtbot.addWidget(table)
    table.resize(width, 300)
    table.show()


@pytest.mark.parametrize("percent", [100, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", TABLES)
def test_table_in_any_width_shows_the_names_and_a_value(qtbot: QtBot, theme: Theme, name: str, percent: int) -> None:
    make, room = TABLES[name]
    theme.resize(percent)
    table = make(theme)
    show(qtbot, table, room)
    head = table.horizontalHeader()
    before = [head.sectionSize(position) for position in shown(table)]
    for width in range(room, 320, -40):
        table.resize(width, 300)
        QApplication.processEvents()
        sizes = [head.sectionSize(position) for position in shown(table)]
        assert len(sizes) > 1 and min(sizes[:2]) >= 50, sizes
        assert head.length() == sum(sizes) <= table.viewport().width(), "nothing that is hidden is counted"
        assert table.horizontalScrollBar().maximum() == 0
    table.resize(room, 300)
    assert [head.sectionSize(position) for position in shown(table)] == before, "elided columns have their width again"


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_table_selected_row_is_colored_up_to_the_edge(
    qtbot: QtBot, theme: Theme, direction: Qt.LayoutDirection
) -> None:
    """Also below the button that counts columns, and where a number is the last of them."""
    rows = GridModel()
    rows.show_words(("Name", "Number", "Other"), [["a", "1", "2"], ["b", "3", "4"]], ())
    table = Table(theme, rows, "rows")
    table.setLayoutDirection(direction)
    table.set_widths({"Name": 100, "Number": 80, "Other": 250})
    show(qtbot, table, 400)
    assert shown(table) == [0, 1] and table.horizontalHeader().length() < 300
    edges, end = (1, table.viewport().width() - 2), int(direction is Qt.LayoutDirection.LeftToRight)
    assert table._more.geometry().adjusted(-2, 0, 2, 0).contains(edges[end], table._more.y()), "at the end of the heads"
    for row in (0, 1):
        table.setCurrentIndex(rows.index(row, 0))
        image = table.viewport().grab().toImage()
        middles = [table.rowViewportPosition(each) + table.rowHeight(each) // 2 for each in (0, 1)]
        for edge in edges:
            grounds = [image.pixelColor(edge, middle).name() for middle in middles]
            assert [ground == theme.hex(Color.USER) for ground in grounds] == [row == 0, row == 1]


def test_table_elides_names_before_it_hides_columns(qtbot: QtBot, theme: Theme) -> None:
    table = WordTable(theme, "words", "Words")
    table.show_rows(("Variant", "Speed", "Memory"), [["a name that is far longer than there is room for", "100", "7"]])
    show(qtbot, table, 360)
    assert shown(table) == [0, 1, 2]
    table.resize(180, 300)
    assert shown(table) == [0, 1], "the first measure is the last to go"
    more = named(table, QAbstractButton, "words_columns")
    assert (more.text(), more.accessibleName()) == ("+1", "1 more column")


def test_table_hides_no_column_that_fits_beside_the_others(qtbot: QtBot, theme: Theme) -> None:
    table = runs(theme)
    show(qtbot, table, 1254)
    for width in range(1254, 600, -50):
        table.resize(width, 300)
        QApplication.processEvents()
        in_sight = {table._rows.columns[section].name for section in shown(table)}
        button = table._more.width() + 2 * PADDING_PX  # with a longer number
        left = table.viewport().width() - button - sum(table._widths[each] for each in in_sight)
        hidden = {column.name for column in table._rows.columns} - in_sight - table._absent
        assert not [each for each in hidden if table._widths[each] <= left], width


def test_table_hidden_columns_are_counted_and_can_be_chosen(qtbot: QtBot, theme: Theme) -> None:
    table = words(theme)
    show(qtbot, table, 500)
    before = shown(table)
    more = named(table, QAbstractButton, "words_columns")
    assert more.isVisible()
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


def test_table_column_moved_to_the_front_stays_visible(qtbot: QtBot, theme: Theme) -> None:
    table = words(theme)
    show(qtbot, table, 500)
    assert 15 not in shown(table)
    table.horizontalHeader().moveSection(15, 1)
    assert 15 in shown(table)


def test_wrapped_headings_keep_their_accessible_text(theme: Theme) -> None:
    assert wrapped("Mean speed (tok/s)") == "Mean speed\n(tok/s)"
    assert wrapped("Visible tokens") == "Visible\ntokens"
    assert wrapped("Tokens") == "Tokens"
    assert wrapped("Llama-3.2-3B-Instruct-4bit") == "Llama-3.2-\n3B-Instruct-\n4bit", "or one name takes all the room"
    assert wrapped("demo-draft") == "demo-draft"
    assert wrapped("Speed at the end (tok/s)") == "Speed at\nthe end\n(tok/s)"
    table = words(theme)
    told = table.model().headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole)
    assert told == HEAD[1]


def order(table: QTableView) -> list[int]:
    head = table.horizontalHeader()
    return [head.logicalIndex(position) for position in range(head.count())]


def test_table_column_order_and_choice_are_restored(qtbot: QtBot, qapp: QApplication, theme: Theme) -> None:
    first = words(theme)
    show(qtbot, first, 4000)
    first.horizontalHeader().moveSection(15, 1)
    first._show_menu(QPoint())
    menu = first.findChild(QMenu)
    assert menu is not None
    menu.actions()[1].trigger()
    menu.close()
    assert 2 not in shown(first)
    later = Theme(qapp)
    later.tables.update(json.loads(json.dumps(list(theme.tables.items()))))
    again = words(later)
    show(qtbot, again, 4000)
    assert order(again) == order(first) == [0, 15, *range(1, 15)]
    assert shown(again) == shown(first)
    again.show_rows((HEAD[0], "Answer", *HEAD[1:]), [["a"] * 17])
    assert order(again)[:3] == [0, 1, 16], "what was not there before is not put behind what was"
    assert 3 not in shown(again)
    again.show_rows(HEAD, [["a"] * 16])
    assert order(again) == order(first)


def test_word_table_context_menu_copies_the_selected_cells(qtbot: QtBot, theme: Theme) -> None:
    table = words(theme)
    qtbot.addWidget(table)
    table.selectRow(0)
    (copy,) = table.actions()
    assert table.contextMenuPolicy() is Qt.ContextMenuPolicy.ActionsContextMenu
    copy.trigger()
    assert QGuiApplication.clipboard().text() == table.copied()


def test_word_table_hides_uniform_columns_first(qtbot: QtBot, theme: Theme) -> None:
    table = WordTable(theme, "words", "Words", folds=True)
    show(qtbot, table, 500)
    table.show_rows(HEAD, [[f"variant {row}", *["7 (6–8)"] * 14, str(row)] for row in range(2)])
    assert {0, 15} < set(shown(table)) < set(range(16))


def test_folded_text_has_two_lines_of_similar_length() -> None:
    assert folded("B  temperature 0.7") == "B  temperature\n0.7"
    assert folded("A  temperature 0") == "A  temperature\n0"
    assert folded("C  prompt read in two goes") == "C  prompt read\nin two goes"
    assert folded("−0.37 (−0.55–−0.27)") == "−0.37\n(−0.55–−0.27)"
    assert folded("kept for 12.4 ms") == "kept for\n12.4 ms", "a number keeps its unit"
    assert folded("A  bare") == "A  bare" and folded("unbreakable_name") == "unbreakable_name"


@pytest.mark.parametrize("percent", [100, 200])
def test_word_table_shows_the_names_of_rows_whole(qtbot: QtBot, theme: Theme, percent: int) -> None:
    theme.resize(percent)
    table = WordTable(theme, "words", "Words", folds=True)
    show(qtbot, table, 900)
    names = ["A  temperature 0", "B  temperature 0.7", "C  prompt read in two goes", "D  −0.37 (−0.55–−0.27)"]
    table.show_rows(("Variant", "Number"), [[name, "1"] for name in names])
    delegate = table.itemDelegate()
    margin = 2 * (table.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1)
    for name in names:
        lines = delegate.displayText(name, QLocale()).split(LINE)  # type: ignore[attr-defined]
        assert len(lines) <= 2
        assert max(map(table.fontMetrics().horizontalAdvance, lines)) + margin <= table.columnWidth(0), name


def test_word_table_is_as_high_as_its_rows(qtbot: QtBot, theme: Theme) -> None:
    table = WordTable(theme, "words", "Words", most_rows=3)
    qtbot.addWidget(table)
    heights = []
    for count in (1, 2, 3, 4):
        table.show_rows(("Nats", "Part"), [("−1.50", "some")] * count)
        heights.append(table.height())
    row = table.verticalHeader().defaultSectionSize()
    assert [after - heights[0] for after in heights] == [0, row, 2 * row, 2 * row]
    right = Qt.AlignmentFlag.AlignRight
    sides = [Qt.AlignmentFlag(table.model().index(0, at).data(Qt.ItemDataRole.TextAlignmentRole)) for at in range(2)]
    assert [bool(side & right) for side in sides] == [True, False], "decimals stand one below the other"
