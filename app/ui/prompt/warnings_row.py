"""The prompt warnings: a sentence each, with the button of its quick fix."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.engine.prompt_warnings import PromptWarning, QuickFix
from app.i18n import tr
from app.ui.look import GRID_PX, MARGIN_PX, Colour, Size, Theme, tint
from app.ui.widgets import SmallPrint, held, in_column, in_row, plain_label, push_button


class WarningsRow(QWidget):
    fix_wanted = Signal(object)
    """The QuickFix."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("lights")
        self._theme = theme
        self.warnings: tuple[PromptWarning, ...] = ()
        self._column = in_column(on=self, gap=GRID_PX, margins=(MARGIN_PX + GRID_PX, GRID_PX, MARGIN_PX, 0))
        self.setAccessibleName(_spoken(()))
        theme.changed.connect(self._apply_theme)
        self.hide()

    def show_warnings(self, warnings: tuple[PromptWarning, ...]) -> None:
        if warnings == self.warnings:
            return
        has_new = bool(set(warnings) - set(self.warnings))
        self.warnings = warnings
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for warning in warnings:
            self._column.addWidget(self._row(warning))
        self.setAccessibleName(_spoken(warnings))
        self.setVisible(bool(warnings))
        if has_new:
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.NameChanged))

    def _apply_theme(self) -> None:
        warnings, self.warnings = self.warnings, ()
        self.show_warnings(warnings)

    def _row(self, warning: PromptWarning) -> QWidget:
        mark = plain_label("", "▲", font=self._theme.font(Size.SMALL))
        tint(mark, self._theme, Colour.WARNING)
        words = SmallPrint(self._theme, "light")
        words.say(warning.says)
        fixes = [self._button(warning.way_on)] if warning.way_on is not None else []
        return held(in_row((mark, 0, Qt.AlignmentFlag.AlignVCenter), (words, 1), *fixes))

    def _button(self, fix: QuickFix) -> QPushButton:
        button = push_button(f"light_{fix.value.lower().replace(' ', '_')}", fix.words, kind="quiet")
        button.setFont(self._theme.font(Size.SMALL))
        button.clicked.connect(lambda: self.fix_wanted.emit(fix))
        return button


def _spoken(warnings: tuple[PromptWarning, ...]) -> str:
    if not warnings:
        return tr("Prompt warnings: none")
    return tr("Prompt warnings: {lights}").format(lights=" ".join(warning.says for warning in warnings))
