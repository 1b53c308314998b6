"""A line with a message or a question, in place of a message box."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.look import Size, Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.labels import SmallPrint
from app.ui.widgets.rows import in_row

DELETE, KEEP = tr("Delete"), tr("Keep")


class QuestionLine(QWidget):
    """A message or a question. `confirmed` is emitted when the user accepts."""

    confirmed = Signal()

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._words = SmallPrint(theme, f"{name}_words")
        self._words.setFont(theme.font(Size.NORMAL))
        self._yes = push_button(f"{name}_yes", DELETE, tr("OK"), press=self._confirm)
        self._no = push_button(f"{name}_no", KEEP, tr("Cancel (Esc)"), press=self.clear)
        in_row((self._words, 1), self._no, self._yes, on=self)
        self.clear()

    @property
    def asking(self) -> bool:
        return self.isVisible() and self._yes.isVisibleTo(self)

    def ask(self, words: str, yes: str = DELETE, no: str = KEEP) -> None:
        """Show a question; the focus is on No."""
        for each, said in ((self._yes, yes), (self._no, no)):
            each.setText(said)
            each.setAccessibleName(said)
        self._show(words, "muted", True)
        self._no.setFocus()

    def tell(self, words: str, kind: str = "muted") -> None:
        """Show a message without buttons."""
        self._show(words, kind, False)

    def clear(self) -> None:
        self.hide()

    def _show(self, words: str, kind: str, asks: bool) -> None:
        self._words.say(words, kind)
        self._yes.setVisible(asks)
        self._no.setVisible(asks)
        self.setVisible(bool(words))

    def _confirm(self) -> None:
        self.clear()
        self.confirmed.emit()
