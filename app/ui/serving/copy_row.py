"""Text to be copied, with the button that does it."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.look import Size, Theme, show_lines
from app.ui.widgets import PlainText, in_row, named, push_button
from app.ui.widgets.plain_text import copy_text

COPY, COPIED = tr("Copy"), tr("Copied")


class CopyRow(QWidget):
    """As many lines as it is given room for; more of them scroll."""

    def __init__(self, theme: Theme, name: str, title: str, tip: str, lines: int) -> None:
        super().__init__()
        text = PlainText(readOnly=True, tabChangesFocus=True)
        self.field = named(text, name, title, tip, font=theme.font(Size.SMALL, mono=True))
        """What a label belongs to."""
        self.field.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.field.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.field.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        show_lines(theme, self.field, lines, least=1)
        words = tr("Copy: {what}").format(what=title)
        self._copy = push_button(f"copy_{name}", COPY, words, words, press=self._copy_all)
        in_row((self.field, 1), (self._copy, 0, Qt.AlignmentFlag.AlignTop), on=self)

    def show_text(self, text: str) -> None:
        if self.field.show_text(text):
            self._copy.setText(COPY)
            self._copy.setEnabled(bool(text))

    @Slot()
    def _copy_all(self) -> None:
        """The button says that it was done: nothing else of a copy can be seen."""
        copy_text(self.field.toPlainText())
        self._copy.setText(COPIED)
