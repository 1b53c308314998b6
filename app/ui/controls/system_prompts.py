"""Saved system prompts: a menu to choose, save or delete one."""

from functools import partial

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QMenu, QPlainTextEdit

from app.i18n import tr
from app.presets import LONGEST_NAME
from app.ui.controls.name_line import NameLine
from app.ui.look import Theme
from app.ui.widgets import as_caption, opening, tool_button
from app.ui.widgets.plain_text import to_the_letter

Kept = tuple[tuple[str, str], ...]


class SystemPrompts(QObject):
    """A menu button and a name field, which the panel places beside and below the system prompt.

    `kept` carries a name and its new text; None: the prompt is to be deleted.
    """

    kept = Signal(str, object)

    def __init__(self, theme: Theme, field: QPlainTextEdit) -> None:
        super().__init__(field)
        self._field = field
        self._kept: Kept = ()
        self._meant = ""
        """The text that will be saved. It follows the field only while the name is being entered."""
        self._replaced = ""
        """The existing name that the user was warned about; entering it again replaces its text."""
        tip = tr("Choose a saved system prompt, or save this one under a name")
        self.button = tool_button("system_prompts", "⋯", tip, tr("Saved system prompts"), kind="small")
        self._menu = QMenu(self.button)
        self._menu.aboutToShow.connect(self._fill)
        opening(self.button, self._menu)
        self.name = NameLine(theme, "system_name")
        self.name.named.connect(self._keep)
        field.textChanged.connect(self._mean)

    def show_kept(self, kept: Kept) -> None:
        self._kept = kept

    def put(self, text: str) -> None:
        """Replace the field's text without a signal; Undo restores the previous text."""
        with QSignalBlocker(self._field):
            self._put(text)

    def _fill(self) -> None:
        text = self._field.toPlainText()
        here = next((name for name, kept in self._kept if kept == text), "")
        self._menu.clear()
        for name, kept in self._kept:
            act = self._menu.addAction(as_caption(name), partial(self._put, kept))
            act.setCheckable(True)
            act.setChecked(name == here)
        self._menu.addSeparator()
        self._menu.addAction(tr("Save under a Name…"), partial(self._ask, here)).setEnabled(bool(text.strip()))
        self._menu.addAction(tr("Delete This One"), partial(self.kept.emit, here, None)).setEnabled(bool(here))

    def _ask(self, name: str) -> None:
        self._replaced = ""
        self.name.ask(tr("Name of this system prompt"), name)
        self._mean()

    def _mean(self) -> None:
        if not self.name.isHidden():
            self._meant = self._field.toPlainText()

    def _put(self, text: str) -> None:
        cursor = self._field.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(to_the_letter(text))

    def _keep(self, name: str) -> None:
        if not 0 < len(name) <= LONGEST_NAME:
            self.name.refuse(tr("A name has 1 to {most} characters.").format(most=LONGEST_NAME))
        elif name != self._replaced and dict(self._kept).get(name, self._meant) != self._meant:
            self._replaced = name
            self.name.refuse(tr("“{name}” exists: enter the name again to replace it.").format(name=name))
        else:
            self.name.hide()
            self.kept.emit(name, self._meant)
