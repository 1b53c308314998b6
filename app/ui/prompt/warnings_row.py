"""The sanity lights: quiet sentences by the prompt, each with a way on where there is one."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.i18n import tr
from app.ui.look import GRID_PX, MARGIN_PX, Colour, Size, Theme, tint
from app.ui.widgets import SmallPrint, held, in_column, in_row, plain_label, push_button


@dataclass(frozen=True, slots=True)
class LightLine:
    """What a light says, and its way on by name and by the words of its button; no button where there is none."""

    says: str
    way_on: str = ""
    words: str = ""


class LightsRow(QWidget):
    """`taken` carries the name of the way on whose button was pressed."""

    taken = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("lights")
        self._theme = theme
        self.lines: tuple[LightLine, ...] = ()
        self._column = in_column(on=self, gap=GRID_PX, margins=(MARGIN_PX + GRID_PX, GRID_PX, MARGIN_PX, 0))
        self.setAccessibleName(_spoken(()))
        theme.changed.connect(self._wear)
        self.hide()

    def show_lines(self, lines: tuple[LightLine, ...]) -> None:
        """Only these are lit."""
        if lines == self.lines:
            return
        news = bool(set(lines) - set(self.lines))
        self.lines = lines
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for line in lines:
            self._column.addWidget(self._row(line))
        self.setAccessibleName(_spoken(lines))
        self.setVisible(bool(lines))
        if news:
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.NameChanged))

    def _wear(self) -> None:
        lines, self.lines = self.lines, ()
        self.show_lines(lines)

    def _row(self, line: LightLine) -> QWidget:
        mark = plain_label("", "▲", font=self._theme.font(Size.SMALL))
        tint(mark, self._theme, Colour.WARNING)
        words = SmallPrint(self._theme, "light")
        words.say(line.says)
        ways = [self._button(line.way_on, line.words)] if line.way_on else []
        return held(in_row((mark, 0, Qt.AlignmentFlag.AlignVCenter), (words, 1), *ways))

    def _button(self, way_on: str, words: str) -> QPushButton:
        button = push_button(f"light_{way_on.lower().replace(' ', '_')}", words, kind="quiet")
        button.setFont(self._theme.font(Size.SMALL))
        button.clicked.connect(lambda: self.taken.emit(way_on))
        return button


def _spoken(lines: tuple[LightLine, ...]) -> str:
    if not lines:
        return tr("Sanity lights: none")
    return tr("Sanity lights: {lights}").format(lights=" ".join(line.says for line in lines))
