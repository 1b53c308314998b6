"""The context menu of a table's rows, and the menu of recent items."""

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QMenu, QWidget

from app.i18n import tr
from app.ui.widgets.naming import as_caption, as_tip


def offer_buttons(view: QAbstractItemView, *buttons: QAbstractButton) -> None:
    """Add the buttons as menu entries, in this order, without the hidden ones."""
    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    view.customContextMenuRequested.connect(partial(_open, view, buttons))


def _open(view: QAbstractItemView, buttons: tuple[QAbstractButton, ...], point: QPoint) -> None:
    menu = QMenu(view)
    menu.setObjectName(f"{view.objectName()}_menu")
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for button in buttons:
        if not button.isHidden():
            menu.addAction(button.text(), button.click).setEnabled(button.isEnabled())
    menu.popup(view.viewport().mapToGlobal(point))


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
