"""Finding one's way: the help page, "What's this?", the tour and the gallery."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.actions import Intent, shown
from app.bridge.playground import Playground
from app.state import SETTLED, State
from app.ui.guide import boxes
from app.ui.guide.whats_this import WhatsThis
from app.ui.look.theme import Theme
from app.ui.shell.layout import Layout
from app.ui.shell.places import Places

if TYPE_CHECKING:
    from app.ui.guide.controller_gallery import GalleryController
    from app.ui.guide.controller_tour import TourController
    from app.ui.guide.help_view import HelpView


class GuideController(QObject):
    """Makes each part when it is first wanted. `toured`: the tour was taken or skipped once."""

    mode_wanted = Signal(str)

    def __init__(
        self,
        playground: Playground,
        parts: Layout,
        theme: Theme,
        places: Places,
        toured: bool,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self.toured = toured
        self._playground = playground
        self._parts = parts
        self._theme = theme
        self._places = places
        self._window = window
        self._acts: Mapping[str, QAction] = {}
        self._whats_this = WhatsThis(self)
        self._help: HelpView | None = None
        self._touring: TourController | None = None
        self._gallery: GalleryController | None = None
        parts.welcome.offer_tour(not toured)
        parts.welcome.gallery_requested.connect(self.show_gallery)
        parts.welcome.tour_requested.connect(self.take_tour)
        playground.changed.connect(self._on_changed)

    @property
    def intents(self) -> dict[str, Intent]:
        return {
            "help": self.show_help,
            "tour": self.take_tour,
            "gallery": self.show_gallery,
            "whats_this": self._whats_this.ask,
        }

    def join(self, acts: Mapping[str, QAction]) -> None:
        self._acts = acts
        self._whats_this.join(acts["whats_this"])

    @Slot()
    def take_tour(self) -> None:
        if self._touring is None:
            from app.ui.guide.controller_tour import TourController

            self._touring = TourController(self._playground, self._parts, self._theme, self._window)
            self._touring.ended.connect(self._end_tour)
        self._touring.begin()

    @Slot()
    def show_gallery(self) -> None:
        if self._gallery is None:
            from app.ui.guide.controller_gallery import GalleryController

            known = self._playground, self._parts, self._theme, self._acts
            self._gallery = GalleryController(*known, self._window)
            self._gallery.mode_wanted.connect(self.mode_wanted)
        self._gallery.show()

    @Slot()
    def _end_tour(self) -> None:
        """It is offered no more; the menu has it."""
        self.toured = True
        self._parts.welcome.offer_tour(False)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.phase is not old.phase:
            self._acts["tour"].setEnabled(new.phase in SETTLED)

    @Slot()
    def show_help(self) -> None:
        """With the keys as they are now."""
        if self._help is None:
            from app.ui.guide.help_view import HelpView

            self._help = HelpView(self._theme, self._window)
            self._help.link_requested.connect(self._open_link)
        from app.ui.guide import help_text

        keys = {name: shown(key.toString() for key in act.shortcuts()) for name, act in self._acts.items()}
        page = help_text.page(self._places.resources or self._places.data, keys, self._places.data)
        self._help.show()
        self._help.show_page(page)
        self._help.raise_()
        self._help.activateWindow()

    @Slot(str)
    def _open_link(self, address: str) -> None:
        boxes.open_link(self._window, address)
