"""Finding one's way: the help page and "What's this?"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.actions import Intent, shown
from app.widgets.theme import Theme
from app.window import boxes
from app.window.places import Places
from app.window.whats_this import WhatsThis

if TYPE_CHECKING:
    from app.widgets.help_view import HelpView


class Guiding(QObject):
    """Makes each window when it is first wanted."""

    def __init__(self, theme: Theme, places: Places, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._places = places
        self._window = window
        self._acts: Mapping[str, QAction] = {}
        self._whats_this = WhatsThis(self)
        self._help: HelpView | None = None

    @property
    def intents(self) -> dict[str, Intent]:
        return {"help": self.show_help, "whats_this": self._whats_this.ask}

    def join(self, acts: Mapping[str, QAction]) -> None:
        self._acts = acts
        self._whats_this.join(acts["whats_this"])

    @Slot()
    def show_help(self) -> None:
        """With the keys as they are now."""
        if self._help is None:
            from app.widgets.help_view import HelpView

            self._help = HelpView(self._theme, self._window)
            self._help.link_requested.connect(self._open_link)
        from app.window import help_text

        keys = {name: shown(key.toString() for key in act.shortcuts()) for name, act in self._acts.items()}
        page = help_text.page(self._places.resources or self._places.data, keys, self._places.data)
        self._help.show()
        self._help.show_page(page)
        self._help.raise_()
        self._help.activateWindow()

    @Slot(str)
    def _open_link(self, address: str) -> None:
        boxes.open_link(self._window, address)
