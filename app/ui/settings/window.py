"""The settings window: a list of pages on the left, the current page on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QListWidget, QStackedWidget, QWidget

from app.i18n import tr
from app.ui.look import MARGIN_PX, Measured, Theme
from app.ui.settings.form import SettingsPage
from app.ui.settings.pages import AdvancedPage, FoldersPage, GeneralPage, NewSessionsPage
from app.ui.settings.privacy import PrivacyPage
from app.ui.widgets import begin_window, in_row, named

if TYPE_CHECKING:
    from app.ui.settings.controller import SettingsController

FIRST_PX = (760, 560)
MIN_PX = (520, 320)


class SettingsWindow(QDialog):
    """Stays open beside the main window; every change takes effect at once."""

    def __init__(self, settings: SettingsController, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        begin_window(theme, self, "settings", tr("Settings"), FIRST_PX, MIN_PX)
        self._folders, self._privacy = FoldersPage(settings, theme), PrivacyPage(settings, theme)
        self.pages: dict[str, SettingsPage] = {
            tr("General"): GeneralPage(settings, theme),
            tr("New Sessions"): NewSessionsPage(settings, theme),
            tr("Folders"): self._folders,
            tr("Privacy"): self._privacy,
            tr("Advanced"): AdvancedPage(settings, theme),
        }
        self._list = named(QListWidget(self), "settings_pages", tr("Pages of the settings"), tr("Choose a page"))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._stack = QStackedWidget(self)
        for name, page in self.pages.items():
            self._list.addItem(name)
            self._stack.addWidget(page)
        self._list.currentRowChanged.connect(self._turn)
        in_row(self._list, (self._stack, 1), on=self, gap=MARGIN_PX, margins=MARGIN_PX)
        self._list.setCurrentRow(0)
        Measured(theme, self._list, lambda names: names.setFixedWidth(names.sizeHintForColumn(0) + 2 * MARGIN_PX))

    def refresh(self) -> None:
        for page in self.pages.values():
            page.refresh()

    def bring_up(self) -> None:
        """Show the window in front, with the focus on the list of pages, and measure folders and sessions."""
        self.refresh()
        self._folders.measure()
        self._privacy.measure()
        self.show()
        self._list.doItemsLayout()  # again: rows that were laid out before polishing are too low
        self.raise_()
        self.activateWindow()
        self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _turn(self, row: int) -> None:
        self._stack.setCurrentIndex(row)
        list(self.pages.values())[row].verticalScrollBar().setValue(0)
