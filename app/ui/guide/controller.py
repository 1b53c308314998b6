"""Finding one's way: the help page, "What's this?", the tour and the gallery."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.actions import Intent, shown
from app.bridge.playground import Playground
from app.settings import Settings
from app.state import SETTLED, State
from app.ui.feature import Feature
from app.ui.guide import boxes
from app.ui.guide.try_hint import TryHint
from app.ui.guide.whats_this import WhatsThis
from app.ui.look import Theme
from app.ui.widgets import LazyWindow
from app.ui.widgets.typed_text import TypedText

if TYPE_CHECKING:
    from app.ui.guide.controller_gallery import GalleryController
    from app.ui.guide.controller_tour import Stops, TourController
    from app.ui.guide.help_view import HelpView


class GuideController(Feature):
    """Makes each part when it is first wanted. `stops` are what the tour speaks of, on `page`."""

    ahead = (
        "app.ui.guide.explanations",
        "app.ui.guide.controller_gallery",
        "app.ui.guide.help_view",
        "app.ui.guide.help_text",
        "app.ui.guide.controller_tour",
    )

    tour_offered = Signal(bool)
    """Whether the tour was neither taken nor skipped yet."""
    mode_wanted = Signal(str)

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        *,
        prompt: TypedText,
        hint: TryHint,
        page: QWidget,
        stops: Stops,
        resources: Path | None,
        data: Path,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._toured = False
        self._playground = playground
        self._prompt = prompt
        self._hint = hint
        self._page = page
        self._stops = stops
        self._theme = theme
        self._resources = resources or data
        self._data = data
        self._window = parent
        self._acts: Mapping[str, QAction] = {}
        self._whats_this = WhatsThis(self)
        self._help = LazyWindow(self._make_help)
        playground.changed.connect(self._on_changed)

    def actions(self) -> dict[str, Intent]:
        return {
            "help": self.show_help,
            "tour": self.take_tour,
            "gallery": self.show_gallery,
            "whats_this": self._whats_this.ask,
        }

    def join(self, actions: Mapping[str, QAction]) -> None:
        self._acts = actions
        self._whats_this.join(actions["whats_this"])

    def restore(self, settings: Settings) -> None:
        self._toured = settings.toured
        self.tour_offered.emit(not self._toured)

    def kept(self, settings: Settings) -> Settings:
        return replace(settings, toured=self._toured)

    @Slot()
    def take_tour(self) -> None:
        self._tour.begin()

    @Slot()
    def show_gallery(self) -> None:
        self._gallery.show()

    @Slot()
    def show_help(self) -> None:
        """With the keys as they are now."""
        from app.ui.guide import help_text

        keys = {name: shown(key.toString() for key in act.shortcuts()) for name, act in self._acts.items()}
        self._help.bring_up()
        self._help.window.show_page(help_text.page(self._resources, keys, self._data))

    @cached_property
    def _tour(self) -> TourController:
        from app.ui.guide.controller_tour import TourController

        spoken_of = self._page, self._stops
        tour = TourController(self._playground, self._prompt, *spoken_of, self._theme, self._window)
        tour.ended.connect(self._end_tour)
        return tour

    @cached_property
    def _gallery(self) -> GalleryController:
        from app.ui.guide.controller_gallery import GalleryController

        known = self._playground, self._prompt, self._hint, self._theme, self._acts
        gallery = GalleryController(*known, self._window)
        gallery.mode_wanted.connect(self.mode_wanted)
        return gallery

    def _make_help(self) -> HelpView:
        from app.ui.guide.help_view import HelpView

        view = HelpView(self._theme, self._window)
        view.link_requested.connect(partial(boxes.open_link, self._window))
        return view

    @Slot()
    def _end_tour(self) -> None:
        """It is offered no more; the menu has it."""
        self._toured = True
        self.tour_offered.emit(False)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.phase is not old.phase:
            self._acts["tour"].setEnabled(new.phase in SETTLED)
