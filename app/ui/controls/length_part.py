"""Max tokens: a number and a slider, with marks for what fits into context and memory."""

import math
from dataclasses import replace

from PySide6.QtCore import QPointF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QWidget

from app.definitions import meaning
from app.engine.catalogue import SETTINGS
from app.engine.ranges import RANGES
from app.engine.types import ENDLESS
from app.i18n import tr
from app.ui.controls.values import Room
from app.ui.look import Colour, Theme
from app.ui.widgets import FieldRow, SmallPrint, WholeField, in_column, named

STEPS_PER_DOUBLING = 4
LEAST = 1
MOST = 32_768
MARK_PX = 4


class LimitSlider(QSlider):
    """A logarithmic slider. `chosen` is emitted when the user moves it."""

    chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._theme = theme
        self._most = MOST
        self._marks: tuple[int, ...] = ()
        self.setRange(0, _step(MOST))
        self.setPageStep(STEPS_PER_DOUBLING)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(self._tell)

    def show_number(self, number: int) -> None:
        """Move to the nearest step without a signal; a number beyond the end is shown at the end."""
        with QSignalBlocker(self):
            self.setValue(_step(min(max(number, LEAST), self._most)))

    def mark(self, numbers: tuple[int, ...], most: int) -> None:
        """Set marks at these numbers, and extend the scale to `most` if that is beyond the usual end."""
        self._marks, self._most = tuple(number for number in numbers if number >= LEAST), max(most, MOST)
        with QSignalBlocker(self):
            self.setMaximum(_step(self._most))
        self.update()

    def _tell(self, step: int) -> None:
        self.chosen.emit(max(LEAST, round(LEAST * 2 ** (step / STEPS_PER_DOUBLING))))

    def _place(self, number: int) -> float:
        """Return the x coordinate of the handle's center for a number."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        handle = self.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength, option, self)
        share = math.log2(min(number, self._most) / LEAST) / math.log2(self._most / LEAST)
        return handle / 2 + share * (self.width() - handle)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for number in self._marks:
            beyond = self.value() > _step(number)
            painter.setBrush(self._theme.colour(Colour.WARNING if beyond else Colour.MUTED))
            tip = QPointF(self._place(number), self.height() - MARK_PX - 1)
            feet = (QPointF(-MARK_PX, MARK_PX), QPointF(MARK_PX, MARK_PX))
            painter.drawPolygon(QPolygonF([tip, tip + feet[0], tip + feet[1]]))


def _step(number: int) -> int:
    return round(math.log2(number / LEAST) * STEPS_PER_DOUBLING)


NO_LIMIT = 0
LARGEST_LIMIT = int(RANGES["max_tokens"].maximum)
ALLOWED = tr("From 1 to 1,000,000; 0: until the context window is full.")


class LengthPart(QWidget):
    """`edited` carries the limit."""

    edited = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._limit = WholeField("max_tokens", replace(RANGES["max_tokens"], besides=NO_LIMIT), tr("No limit"))
        setting = SETTINGS["max_tokens"]
        self._limit.setAccessibleName(setting.words)
        self._row = FieldRow(theme, tr("Max tokens"), f"{setting.meaning}\n{ALLOWED}", self._limit)
        self._slider = _slider(theme)
        self._words = SmallPrint(theme, "max_tokens_room")
        self._words.setToolTip(meaning("room"))
        self._room = Room()
        in_column(self._row, self._slider, self._words, on=self, gap=0)
        self._limit.refused.connect(self._row.refuse)
        self._limit.chosen.connect(self._tell)
        self._slider.chosen.connect(self._tell)

    def show_limit(self, limit: int) -> None:
        """Set the value without a signal."""
        self._limit.show_value(NO_LIMIT if limit == ENDLESS else limit)
        self._slider.show_number(LARGEST_LIMIT if limit == ENDLESS else limit)
        self._tell_room()

    def show_room(self, room: Room) -> None:
        """Show the limits of context and memory, as marks on the slider and as text."""
        if room == self._room:
            return
        self._room = room
        marks = [number for number in (room.context, room.memory) if number is not None]
        self._slider.mark(tuple(sorted(marks)[:1]), room.longest or 0)
        self._slider.show_number(self._limit.value() or LARGEST_LIMIT)
        self._tell_room()

    def _tell_room(self) -> None:
        limit = self._limit.value()
        too_small = limit != NO_LIMIT and self._room.too_small_for(limit)
        words = room_words(self._room)
        if too_small:
            self._words.say(tr("{room}: a run ends at that length.").format(room=words), "warning")
        else:
            self._words.say(words, "muted")

    def _tell(self, limit: int) -> None:
        self.edited.emit(ENDLESS if limit == NO_LIMIT else limit)


def room_words(room: Room) -> str:
    """Describe how many tokens fit into context and memory, whichever is less."""
    if room.memory is not None and (room.context is None or room.memory < room.context):
        return tr("About {memory} tokens fit into memory").format(memory=f"{rounded(room.memory):,}")
    return (
        ""
        if room.context is None
        else tr("{context} tokens fit into the context window").format(context=f"{room.context:,}")
    )


def rounded(number: int) -> int:
    """Round to two digits, since the free memory isn't known more exactly."""
    places = max(0, len(str(number)) - 2)
    step: int = 10**places
    return number // step * step


def _slider(theme: Theme) -> LimitSlider:
    marks = tr("The mark shows the largest value that fits into the context window and memory.")
    tip = "\n".join((SETTINGS["max_tokens"].meaning, ALLOWED, marks))
    return named(LimitSlider(theme), "max_tokens_slider", tr("Max tokens, approximate"), tip)
