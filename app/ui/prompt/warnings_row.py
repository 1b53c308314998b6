"""The prompt warnings: a sentence each, with the button of its quick fix."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.i18n import tr
from app.ui.look import GRID_PX, MARGIN_PX, Colour, Size, Theme, tint
from app.ui.widgets import SmallPrint, held, in_column, in_row, plain_label, push_button


@dataclass(frozen=True, slots=True)
class WarningLine:
    """A warning, with the name and the label of its quick fix if it has one."""

    says: str
    fix: str = ""
    label: str = ""


class WarningsRow(QWidget):
    fix_wanted = Signal(str)
    """Name of the quick fix."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("lights")
        self._theme = theme
        self.lines: tuple[WarningLine, ...] = ()
        self._column = in_column(on=self, gap=GRID_PX, margins=(MARGIN_PX + GRID_PX, GRID_PX, MARGIN_PX, 0))
        self.setAccessibleName(_spoken(()))
        theme.changed.connect(self._apply_theme)
        self.hide()

    def show_lines(self, lines: tuple[WarningLine, ...]) -> None:
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

    def _apply_theme(self) -> None:
        lines, self.lines = self.lines, ()
        self.show_lines(lines)

    def _row(self, line: WarningLine) -> QWidget:
        mark = plain_label("", "▲", font=self._theme.font(Size.SMALL))
        tint(mark, self._theme, Colour.WARNING)
        words = SmallPrint(self._theme, "light")
        words.say(line.says)
        fixes = [self._button(line.fix, line.label)] if line.fix else []
        return held(in_row((mark, 0, Qt.AlignmentFlag.AlignVCenter), (words, 1), *fixes))

    def _button(self, fix: str, label: str) -> QPushButton:
        button = push_button(f"light_{fix.lower().replace(' ', '_')}", label, kind="quiet")
        button.setFont(self._theme.font(Size.SMALL))
        button.clicked.connect(lambda: self.fix_wanted.emit(fix))
        return button


def _spoken(lines: tuple[WarningLine, ...]) -> str:
    if not lines:
        return tr("Prompt warnings: none")
    return tr("Prompt warnings: {lights}").format(lights=" ".join(line.says for line in lines))
