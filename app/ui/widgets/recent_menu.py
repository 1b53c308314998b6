"""A menu of recent items, filled each time that it opens."""

from collections.abc import Callable, Iterable

from PySide6.QtWidgets import QMenu, QWidget

from app.i18n import tr
from app.ui.widgets.naming import as_caption, as_tip

Entry = tuple[str, str, Callable[[], object]]
"""Text, tooltip, and the function that opens the item."""


class RecentMenu(QMenu):
    """A menu of recent items. `entries` is called when it opens; `allowed` returns whether items can be opened now."""

    def __init__(
        self, parent: QWidget, name: str, entries: Callable[[], Iterable[Entry]], allowed: Callable[[], bool]
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setToolTipsVisible(True)
        self._entries = entries
        self._allowed = allowed
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        for words, tip, open_ in self._entries():
            act = self.addAction(as_caption(words), open_)
            act.setToolTip(as_tip(tip))
            act.setEnabled(self._allowed())
        if self.isEmpty():
            self.addAction(tr("None yet")).setEnabled(False)
