"""The model picker: what is on this machine, on the hub and on servers, and the downloads; a sheet on a Mac."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QTabWidget, QWidget

from app.i18n import tr
from app.ui.look import MARGIN_PX, Theme
from app.ui.picker.downloads import DownloadsList
from app.ui.picker.hub_page import HubPage
from app.ui.picker.local_page import LocalPage
from app.ui.picker.servers_page import ServersPage
from app.ui.widgets import drops, in_column, named

SMALLEST_PX = (760, 480)
LARGEST_PX = (1180, 760)
SHARE = 0.94
"""Of the window that it belongs to."""


class ModelPicker(QDialog):
    """Puts the pages together. `dropped` with the paths dropped on it."""

    dropped = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._behind = parent
        named(self, "model_picker", tr("Models"))
        self.setWindowTitle(tr("Models"))
        self.setMinimumSize(*SMALLEST_PX)
        self.setAcceptDrops(True)
        self.local = LocalPage(theme)
        self.hub = HubPage(theme)
        self.servers = ServersPage(theme)
        self.downloads = DownloadsList(theme)
        spoken = tr("Where to look")
        self._pages = named(QTabWidget(self), "picker_pages", spoken, told=tr("The arrow keys go from tab to tab"))
        self._pages.setDocumentMode(True)
        self._pages.addTab(self.local, tr("On this &machine"))
        self._pages.addTab(self.hub, tr("On the &hub"))
        self._pages.addTab(self.servers, tr("On &servers"))
        self._pages.currentChanged.connect(self._focus)
        in_column((self._pages, 1), self.downloads, on=self, margins=MARGIN_PX)

    def open_at(self, page: QWidget | None = None) -> None:
        """Come up on this page, the keyboard in its field; fitted to the window behind it."""
        self._pages.setCurrentWidget(page or self._pages.currentWidget())
        behind = self._behind.size()
        wanted = [int(SHARE * side) for side in (behind.width(), behind.height())]
        self.resize(*(min(most, size) for most, size in zip(LARGEST_PX, wanted, strict=True)))
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
        self._focus()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if drops.paths_of(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.dropped.emit(drops.paths_of(event.mimeData()))
        event.acceptProposedAction()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves a question first, then the picker."""
        escape = event.key() == Qt.Key.Key_Escape
        if escape and self.local.question.asking:
            self.local.question.clear()
        elif not (escape and self._pages.currentWidget() is self.servers and self.servers.leave_question()):
            super().keyPressEvent(event)
