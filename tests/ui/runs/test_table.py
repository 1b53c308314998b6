import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.engine.types import AUTOMATIC
from app.records.run_settings import SettingDifference
from app.records.types import RunRow, RunState
from app.ui.look.theme import Theme
from app.ui.runs.columns import COLUMNS, DRAFT, MARK, OTHERS, SESSION, STARTED, setting_text
from app.ui.runs.table import NAMES, RunsTable
from tests.ui.runs.rows import row

Role = Qt.ItemDataRole
Up, Down = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


@pytest.fixture
def table(qtbot: QtBot, theme: Theme) -> RunsTable:
    menu = QMenu()
    qtbot.addWidget(menu)
    made = RunsTable(theme, menu)
    qtbot.addWidget(made)
    made.resize(1500, 400)
    made.show()
    return made


def ids(table: RunsTable) -> list[int]:
    return [each.id for each in table.rows]


def cell(table: RunsTable, position: int, name: str, role: Role = Role.DisplayRole) -> object:
    return table.model().index(position, NAMES.index(name)).data(role)


def bold(table: RunsTable, position: int, name: str) -> bool:
    font = cell(table, position, name, Role.FontRole)
    return isinstance(font, QFont) and font.weight() > QFont.Weight.Normal


def show(table: RunsTable, *rows: RunRow) -> None:
    table.show_rows(rows, False)


def test_table_begins_with_the_latest_run_and_sorts_by_each_column(table: RunsTable) -> None:
    rows = [row(1), row(2), row(3)]
    show(table, *rows)
    assert ids(table) == [3, 2, 1]
    for section, column in enumerate(COLUMNS):
        table.horizontalHeader().setSortIndicator(section, Up)
        values = [column.value(each) for each in table.rows]
        assert values == sorted(values, key=lambda value: (str(type(value)), value)), column.name
    table.sort_by("speed", Up)
    assert ids(table) == [3, 2, 1]
    table.sort_by("speed")
    assert ids(table) == [1, 2, 3]


def test_sort_puts_unknown_values_last(table: RunsTable) -> None:
    show(table, row(1), row(2, speed_mean=None, first_token=None, prompt_tokens=None), row(3))
    for order, expected in ((Up, [3, 1, 2]), (Down, [1, 3, 2])):
        table.sort_by("speed", order)
        assert ids(table) == expected
    assert (cell(table, 2, "speed"), cell(table, 2, "prompt")) == ("–", "–")


def test_setting_that_differs_from_the_row_above_is_bold_and_marked(table: RunsTable) -> None:
    show(table, row(3), row(2, temperature=1.0, seed=9), row(1, temperature=1.0, seed=9, max_tokens=64, top_p=0.9))
    assert not any(bold(table, 0, name) for name in NAMES)
    assert cell(table, 1, "temperature") == f"{MARK}1.0"
    assert bold(table, 1, "temperature")
    assert bold(table, 1, "seed")
    assert not bold(table, 1, "model")
    assert cell(table, 1, "temperature", Role.AccessibleTextRole) == "Temp.: 1.0, differs from the row above"
    assert "0.7 above" in str(cell(table, 1, "temperature", Role.ToolTipRole))
    assert not bold(table, 2, "temperature")
    assert cell(table, 2, OTHERS) == f"{MARK}top-p 0.9, max tokens 64"
    assert "max tokens 64 (256 above)" in str(cell(table, 2, OTHERS, Role.ToolTipRole))
    assert setting_text(SettingDifference("lookup_tokens", 0, AUTOMATIC)) == "prompt lookup tokens automatic"
    table.sort_by(STARTED, Up)
    assert not bold(table, 0, "temperature"), "another row is above now"
    assert cell(table, 1, OTHERS) == f"{MARK}top-p 1.0, max tokens 256"


def test_filter_takes_words_in_any_order(table: RunsTable) -> None:
    show(table, row(1), row(2, model="Qwen3", reason="length"), row(3, model="qwen2"))
    table.filter("LENGTH qwen")
    assert ids(table) == [2]
    table.filter("qwen")
    assert ids(table) == [3, 2]
    table.filter("max_tokens 256")
    assert len(ids(table)) == 3
    table.filter("nowhere")
    assert ids(table) == []


def test_random_seed_is_no_difference(table: RunsTable) -> None:
    show(table, row(5, seed=9), row(4, seed=9), row(3, seed=512), row(2, seed=1024), row(1, seed=33))
    assert [bold(table, position, "seed") for position in range(5)] == [False, False, True, False, False]
    assert cell(table, 3, "seed") == "1024"


def test_run_of_a_server_counts_pieces_and_may_have_no_seed(table: RunsTable) -> None:
    show(table, row(3), row(2, tokens=1200, pieces=True, seed=None), row(1, tokens=1, pieces=True, seed=None))
    assert [cell(table, position, "tokens") for position in range(3)] == ["14", "1,200 pieces", "1 piece"]
    room = table.columnWidth(NAMES.index("tokens"))
    assert room > table.fontMetrics().horizontalAdvance("1,200 pieces") + 12
    assert cell(table, 1, "seed") == f"{MARK}–"
    assert "seed – (7 above)" in str(cell(table, 1, "seed", Role.ToolTipRole))
    assert cell(table, 2, "seed") == "–"
    assert not bold(table, 2, "seed"), "neither has one"
    table.sort_by("tokens", Up)
    assert ids(table) == [1, 3, 2]
    table.sort_by("seed", Up)
    assert ids(table)[0] == 3


def test_unfinished_run_shows_its_state(table: RunsTable) -> None:
    show(table, row(1, state=RunState.INTERRUPTED, reason=""), row(2, state=RunState.RUNNING, reason=""))
    assert [cell(table, position, "ending") for position in (0, 1)] == ["running", "interrupted"]


def test_empty_columns_are_hidden(table: RunsTable) -> None:
    for draft, of_all, is_hidden in (("", False, True), ("small", True, False)):
        table.show_rows((row(1, draft=draft),), of_all)
        assert [table.isColumnHidden(NAMES.index(name)) for name in (SESSION, DRAFT)] == [is_hidden] * 2


def test_selection_by_keys_survives_sorting_and_new_rows(table: RunsTable) -> None:
    picked: list[tuple[int, ...]] = []
    table.picked.connect(picked.append)
    show(table, row(1), row(2), row(3))
    table.pick((3,))
    QTest.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert picked == [(3,), (3, 2)]
    show(table, row(1), row(2), row(3), row(4))
    table.sort_by("tokens", Up)
    assert {each.id for each in table.picked_rows} == {2, 3}
    assert len(picked) <= 3, "at most the order has changed"
    table.filter("nowhere")
    assert picked[-1] == ()


def test_copy_key_emits_copied(table: RunsTable, qtbot: QtBot) -> None:
    show(table, row(1))
    table.pick((1,))
    with qtbot.waitSignal(table.copied):
        QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
