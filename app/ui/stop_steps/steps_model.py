"""The steps as a table: the same cells for the eye and for a screen reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Slot

from app.definitions import meaning
from app.experiments.stop_steps import Reading
from app.ui.look.palette import Colour
from app.ui.look.theme import Size, Theme
from app.ui.stop_steps.words import either, hexadecimal, quoted
from app.ui.tokens.words import legible
from app.ui.widgets.table_heads import head_of, side_of
from app.ui.widgets.tooltips import as_tip
from app.words import tr

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
NOTHING = tr("nothing")
NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class Column:
    """`sample` is as wide as most of its cells."""

    title: str
    tip: str
    text: Callable[[Reading], str]
    sample: str
    number: bool = False


def _stop(step: Reading) -> str:
    return f"■ {quoted(step.stop)}" if step.stop else either(step.begins)


COLUMNS = (
    Column(
        tr("Token", "its number"),
        meaning("number"),
        lambda step: tr("end") if step.id is None else f"{step.token:,}",
        "10,000",
        True,
    ),
    Column(
        tr("Id"),
        meaning("id"),
        lambda step: "" if step.id is None else f"{step.id}",
        "200000",
        True,
    ),
    Column(tr("Bytes"), meaning("bytes"), lambda step: hexadecimal(step.piece), "F0 9F 98 8A 20 74"),
    Column(tr("Completes"), tr("The characters that it completes"), lambda step: legible(step.text), "characters"),
    Column(tr("Let out"), tr("What can be shown now"), lambda step: legible(step.shown), "characters"),
    Column(tr("Held back"), tr("Written, and still waiting"), lambda step: legible(step.held), "characters"),
    Column(tr("Stop string"), tr("Which may have begun; ■ where one is complete"), _stop, "characters"),
)
HELD, STOP = 5, 6


class StepsModel(QAbstractTableModel):
    """A line for each step."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.steps: tuple[Reading, ...] = ()
        self._take_font()
        theme.resized.connect(self._take_font)

    def show_steps(self, steps: tuple[Reading, ...]) -> None:
        self.beginResetModel()
        self.steps = steps
        self.endResetModel()

    @Slot()
    def _take_font(self) -> None:
        self._mono = self._theme.font(Size.NORMAL, mono=True)

    def _colour(self, step: Reading, column: int) -> Colour | None:
        if column == HELD and step.held:
            return Colour.WARNING
        return Colour.ERROR if column == STOP and step.stop else None

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.steps)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        step, column = self.steps[index.row()], COLUMNS[index.column()]
        if role == Role.DisplayRole:
            return column.text(step)
        if role in (Role.AccessibleTextRole, Role.ToolTipRole):
            words = f"{column.title}: {column.text(step) or NOTHING}"
            return as_tip(words) if role == Role.ToolTipRole else words
        if role == Role.TextAlignmentRole:
            return side_of(column)
        if role == Role.FontRole:
            return self._mono
        colour = self._colour(step, index.column()) if role == Role.ForegroundRole else None
        return self._theme.colour(colour) if colour is not None else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        return head_of(COLUMNS[section], role)
