"""The picker: three pages of models, and the downloads below them. A sheet on macOS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QTabWidget, QWidget

from app.i18n import tr
from app.ui.look import MARGIN_PX, Theme
from app.ui.picker.downloads import DownloadsList
from app.ui.picker.hub_page import HubPage
from app.ui.picker.local_page import LocalPage
from app.ui.picker.servers_page import ServersPage
from app.ui.widgets import in_column, keep_position, named
from app.ui.widgets.drops import FileDrops

if TYPE_CHECKING:
    from app.ui.picker.controller import PickerController

MIN_PX = (760, 480)
MAX_PX = (1180, 760)
SHARE = 0.94
"""Share of the main window's size."""


class ModelPicker(QDialog):
    """The window of the model picker. Folders can be dropped on it."""

    def __init__(self, theme: Theme, picker: PickerController, parent: QWidget) -> None:
        super().__init__(parent)
        self._picker, self._behind = picker, parent
        named(self, "model_picker", tr("Models"))
        self.setWindowTitle(tr("Models"))
        self.setMinimumSize(*MIN_PX)
        FileDrops(theme, self, picker.drop)
        self.local = LocalPage(theme, picker)
        self.hub = HubPage(theme, picker)
        self.servers = ServersPage(theme, picker)
        self.downloads = DownloadsList(theme)
        label = tr("Search in")
        self._pages = named(QTabWidget(self), "picker_pages", label, description=tr("The arrow keys switch tabs"))
        self._pages.setDocumentMode(True)
        self._pages.addTab(self.local, tr("On this &computer"))
        self._pages.addTab(self.hub, tr("On the &hub"))
        self._pages.addTab(self.servers, tr("On &servers"))
        self._pages.currentChanged.connect(self._focus)
        in_column((self._pages, 1), self.downloads, on=self, margins=MARGIN_PX)

    def open_at(self, page: QWidget | None = None) -> None:
        """Open a page, at most as large as the main window."""
        self._pages.setCurrentWidget(page or self._pages.currentWidget())
        behind = self._behind.size()
        wanted = [int(SHARE * side) for side in (behind.width(), behind.height())]
        self.resize(*(min(most, size) for most, size in zip(MAX_PX, wanted, strict=True)))
        keep_position(self)
        self.open()

    def _focus(self) -> None:
        if self._pages.currentWidget() is self.servers:
            self.servers.focus()
            return
        field = self.local.filter if self._pages.currentWidget() is self.local else self.hub.search
        field.setFocus()
        field.selectAll()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.local.filter.clear()
        self._focus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close a question on Esc before the picker."""
        escape = event.key() == Qt.Key.Key_Escape
        if escape and self.local.question.asking:
            self.local.question.clear()
        elif not (escape and self._pages.currentWidget() is self.servers and self.servers.close_question()):
            super().keyPressEvent(event)
