"""The four ways to read an answer, of which one is chosen."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup

from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import View

VIEWS = {
    "view_markdown": View.MARKDOWN,
    "view_plain": View.PLAIN,
    "view_mono": View.MONO,
    "view_tokens": View.TOKENS,
}


class ViewChoice(QObject):
    """`join` gives it the actions, of which the checked one counts; `changed` when the transcript has followed."""

    changed = Signal()

    def __init__(self, transcript: Transcript, parent: QObject) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._actions: Mapping[str, QAction] = {}
        self._text = "view_markdown"
        """How text was read last: what tokens are left for."""

    def join(self, actions: Mapping[str, QAction]) -> None:
        """One of them at a time."""
        self._actions = actions
        views = QActionGroup(self)
        for name in VIEWS:
            views.addAction(actions[name])

    def restore(self, view: str) -> None:
        """As it was left."""
        name = next((name for name, known in VIEWS.items() if known == view), "view_markdown")
        self._actions[name].setChecked(True)
        self.follow()

    def leave_tokens(self) -> None:
        self._actions[self._text].trigger()
        self._transcript.setFocus()

    def follow(self) -> None:
        name = next(name for name in VIEWS if self._actions[name].isChecked())
        if VIEWS[name] is not View.TOKENS:
            self._text = name
        self._transcript.set_view(VIEWS[name])
        self.changed.emit()
