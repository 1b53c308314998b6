"""The steps as a table: the same cells for the eye and for a screen reader."""

from collections.abc import Callable

from PySide6.QtCore import Slot
from PySide6.QtGui import QColor, QFont

from app.definitions import meaning
from app.experiments.stop_trace import Reading
from app.i18n import tr
from app.ui.look import Colour, Size, Theme
from app.ui.stop_trace.words import either, hexadecimal, quoted
from app.ui.tokens.words import legible
from app.ui.widgets import Column, TableModel

SOME_BYTES = "F0 9F 98 8A 20 74"


def _number(step: Reading) -> str:
    return tr("end") if step.id is None else f"{step.token:,}"


def _stop(step: Reading) -> str:
    return f"■ {quoted(step.stop)}" if step.stop else either(step.begins)


def _text(title: str, tip: str, text: Callable[[Reading], str]) -> Column[Reading]:
    return Column(title, title, text, tip, number=False, sample="characters")


HELD = _text(tr("Held back"), tr("Written, and still waiting"), lambda step: legible(step.held))
STOP = _text(tr("Stop string"), tr("Which may have begun; ■ where one is complete"), _stop)
COLUMNS: tuple[Column[Reading], ...] = (
    Column("number", tr("Token", "its number"), _number, meaning("number"), sample="10,000"),
    Column("id", tr("Id"), lambda step: "" if step.id is None else f"{step.id}", meaning("id"), sample="200000"),
    Column(
        "bytes", tr("Bytes"), lambda step: hexadecimal(step.piece), meaning("bytes"), number=False, sample=SOME_BYTES
    ),
    _text(tr("Completes"), tr("The characters that it completes"), lambda step: legible(step.text)),
    _text(tr("Let out"), tr("What can be shown now"), lambda step: legible(step.shown)),
    HELD,
    STOP,
)


class StepsModel(TableModel[Reading]):
    """A line for each step."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(COLUMNS)
        self._theme = theme
        self._take_font()
        theme.resized.connect(self._take_font)

    @Slot()
    def _take_font(self) -> None:
        self._mono = self._theme.font(Size.NORMAL, mono=True)

    def font(self, place: int, column: Column[Reading]) -> QFont:
        return self._mono

    def colour(self, place: int, column: Column[Reading]) -> QColor | None:
        step = self.rows[place]
        if column is HELD and step.held:
            return self._theme.colour(Colour.MUTED)
        return self._theme.colour(Colour.ERROR) if column is STOP and step.stop else None
