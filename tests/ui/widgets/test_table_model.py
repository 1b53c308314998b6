from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from app.ui.widgets.table import Table
from app.ui.widgets.table_model import ROW, Column, TableModel

Role = Qt.ItemDataRole
Up, Down = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


@dataclass(frozen=True, slots=True)
class Fruit:
    name: str
    grams: float | None = None


COLUMNS: tuple[Column[Fruit], ...] = (
    Column("name", "Name", lambda row: row.name, "What it is", lambda row: row.name, number=False),
    Column("grams", "Grams", lambda row: "" if row.grams is None else f"{row.grams:g}", value=lambda row: row.grams),
)
PEAR, PLUM, NUT = Fruit("pear", 120), Fruit("plum", 30), Fruit("<b>nut</b>")


class Basket(TableModel[Fruit]):
    """Found by its name."""

    def matches(self, row: Fruit, text: str) -> bool:
        return text in row.name


class SteadyBasket(Basket):
    """Keeps what is selected."""

    steady = True


@pytest.fixture
def basket() -> Basket:
    made = Basket(COLUMNS)
    made.show_rows((PEAR, PLUM, NUT))
    return made


def test_sort_unknown_values_come_last(basket: Basket) -> None:
    basket.sort(1, Up)
    assert basket.rows == (PLUM, PEAR, NUT)
    basket.sort(1, Down)
    assert basket.rows == (PEAR, PLUM, NUT)
    basket.sort(-1)
    assert basket.rows == (PEAR, PLUM, NUT), "as they came"


def test_filter_applies_to_later_rows(basket: Basket) -> None:
    basket.filter(" P ")
    assert basket.rows == (PEAR, PLUM)
    basket.show_rows((PLUM, NUT))
    assert list(basket.rows) == [PLUM]
    basket.filter("")
    assert basket.rows == (PLUM, NUT)


def test_cell_is_spoken_with_its_heading_and_is_never_markup(basket: Basket) -> None:
    assert basket.index(0, 1).data(Role.AccessibleTextRole) == "Grams: 120"
    assert basket.index(2, 1).data(Role.AccessibleTextRole) == "Grams: nothing"
    assert "&lt;b&gt;" in basket.index(2, 0).data(Role.ToolTipRole)
    assert basket.index(1, 0).data(ROW) == PLUM


def test_heading_has_its_explanation(basket: Basket) -> None:
    across = Qt.Orientation.Horizontal
    assert basket.headerData(0, across, Role.WhatsThisRole) == "What it is"
    assert basket.headerData(1, across, Role.ToolTipRole) is None
    assert basket.headerData(2, across) is None


@pytest.mark.parametrize(("made", "resets"), [(Basket, 1), (SteadyBasket, 0)])
def test_steady_model_with_new_texts_is_not_reset(made: type[Basket], resets: int) -> None:
    basket, reset = made(COLUMNS), []
    basket.show_rows((PEAR, PLUM))
    basket.modelReset.connect(lambda: reset.append(True))
    basket.show_rows((PLUM, NUT))
    assert (basket.rows, len(reset)) == ((PLUM, NUT), resets)
    basket.show_rows((NUT,))
    assert len(reset) == resets + 1, "another shape"


def test_table_is_left_by_the_tab_key_and_read_only(qtbot: QtBot, theme: Theme, basket: Basket) -> None:
    table = Table(theme, basket, "basket")
    qtbot.addWidget(table)
    assert not table.tabKeyNavigation()
    assert table.editTriggers() == table.EditTrigger.NoEditTriggers
    table.selectRow(1)
    assert {index.row() for index in table.selectedIndexes()} == {1}
