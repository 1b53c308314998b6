"""The window of settings: its pages by name at the left, the one that is chosen beside them."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QListWidget, QStackedWidget, QWidget

from app.i18n import tr
from app.ui.look import MARGIN_PX, Measured, Theme
from app.ui.settings.advanced import AdvancedPage
from app.ui.settings.folders import FoldersPage
from app.ui.settings.general import GeneralPage
from app.ui.settings.new_sessions_page import BeginningPage
from app.ui.settings.privacy import PrivacyPage
from app.ui.widgets import begin_window, in_row, named

FIRST_PX = (760, 560)
SMALLEST_PX = (520, 320)
PAGES = (tr("General"), tr("New Sessions"), tr("Folders"), tr("Privacy"), tr("Advanced"))


class SettingsWindow(QDialog):
    """Stays open beside the window; every change is an intent of its page, and counts at once."""

    def __init__(self, theme: Theme, usual_frame_ms: int, parent: QWidget) -> None:
        super().__init__(parent)
        begin_window(theme, self, "settings", tr("Settings"), FIRST_PX, SMALLEST_PX)
        self._list = QListWidget(self)
        self._pages = QStackedWidget(self)
        self.general = GeneralPage(theme)
        self.beginning = BeginningPage(theme)
        self.folders = FoldersPage(theme)
        self.privacy = PrivacyPage(theme)
        self.advanced = AdvancedPage(theme, usual_frame_ms)
        named(self._list, "settings_pages", tr("Pages of the settings"), tr("The arrow keys go from page to page"))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.addItems(PAGES)
        self._all = (self.general, self.beginning, self.folders, self.privacy, self.advanced)
        for page in self._all:
            self._pages.addWidget(page)
        self._list.currentRowChanged.connect(self._turn)
        in_row(self._list, (self._pages, 1), on=self, gap=MARGIN_PX, margins=MARGIN_PX)
        self._list.setCurrentRow(0)
        Measured(theme, self._list, _fit)

    def bring_up(self) -> None:
        """In front of the others, with the keyboard on the pages' names."""
        self.show()
        self._list.doItemsLayout()  # measured before it was dressed, its lines would be too low
        self.raise_()
        self.activateWindow()
        self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(int)
    def _turn(self, page: int) -> None:
        self._pages.setCurrentIndex(page)
        self._all[page].verticalScrollBar().setValue(0)


def _fit(names: QListWidget) -> None:
    """As wide as the longest of them."""
    names.setFixedWidth(names.sizeHintForColumn(0) + 2 * MARGIN_PX)
