"""The open windows at the end of a menu; the active one is checked."""

from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu

from app.ui.widgets import as_caption, bring_up

KINDS = (Qt.WindowType.Window, Qt.WindowType.Dialog)


class WindowMenu(QObject):
    """Lists the windows each time the menu opens."""

    def __init__(self, menu: QMenu) -> None:
        super().__init__(menu)
        self._menu = menu
        self._listed: list[QAction] = []
        menu.addSeparator()
        menu.aboutToShow.connect(self._list)

    def _list(self) -> None:
        for act in self._listed:
            self._menu.removeAction(act)
            act.deleteLater()
        self._listed.clear()
        for window in QApplication.topLevelWidgets():
            if window.isVisible() and window.windowType() in KINDS:
                act = self._menu.addAction(as_caption(window.windowHandle().title()), partial(bring_up, window))
                act.setCheckable(True)
                act.setChecked(window.isActiveWindow())
                self._listed.append(act)
