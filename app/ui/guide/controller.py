"""Controller of the help page, "What's this?", the tour and the gallery."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QTextDocumentFragment
from PySide6.QtWidgets import QApplication, QLabel, QWhatsThis, QWidget

from app.actions import Intent, shown
from app.bridge.playground import Playground
from app.files.settings import Settings
from app.state import SETTLED, State
from app.ui.feature import Feature, TypedText
from app.ui.guide import boxes
from app.ui.guide.try_hint import TryHint
from app.ui.look import Theme
from app.ui.widgets import Announcer, LazyWindow

if TYPE_CHECKING:
    from app.ui.guide.controller_gallery import GalleryController
    from app.ui.guide.controller_tour import Stops, TourController
    from app.ui.guide.help_view import HelpView


class WhatsThis(QObject):
    """Qt's "What's this?" mode. The widgets get their texts when the mode begins, since there are hundreds of them."""

    def connect_action(self, act: QAction) -> None:
        """Connect the action: its shortcut explains the focused widget in any window, its menu item begins the mode."""
        act.setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
        act.installEventFilter(self)

    def enter(self) -> None:
        """Begin the mode, in which the next clicked widget is explained. Only visible widgets need texts."""
        for widget in QApplication.allWidgets():
            if widget.isVisible():
                widget.setWhatsThis(explanation_of(widget))
        QWhatsThis.enterWhatsThisMode()

    def explain_focused(self) -> None:
        """Explain the focused widget, or else its closest parent with an explanation."""
        focused = QApplication.focusWidget()
        widget = focused
        while widget is not None and not (words := explanation_of(widget)):
            widget = widget.parentWidget() if not widget.isWindow() else None
        if widget is not None and focused is not None:
            Announcer(focused).say(QTextDocumentFragment.fromHtml(words).toPlainText())
            QWhatsThis.showText(focused.mapToGlobal(QPoint(0, focused.height())), words, focused)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the shortcut of the action. The menu item sends no shortcut event."""
        if event.type() == QEvent.Type.Shortcut:
            self.explain_focused()
            return True
        return False


def explanation_of(widget: QWidget) -> str:
    """Return the explanation, tooltip or description of a widget; empty without any, so that Qt asks its parent."""
    # Imported at the first use, since importing the texts would delay the first paint.
    from app.ui.guide.explanations import EXPLAINED

    known = EXPLAINED.get(widget.objectName())
    tip = widget.toolTip() or widget.accessibleDescription()
    if known is not None:
        return _words(known.name, known.text) + (tip if tip.startswith("<") else "")
    if tip.startswith("<"):
        return tip
    return _words(_name(widget), tip) if tip else ""


def _name(widget: QWidget) -> str:
    """Return the accessible name of a widget, without the value that number labels add."""
    name = widget.accessibleName()
    return name.partition(": ")[0] if isinstance(widget, QLabel) else name


def _words(name: str, text: str) -> str:
    lines = escape(text).replace("\n", "<br>")
    return f"<p><b>{escape(name)}</b></p><p>{lines}</p>" if name else f"<p>{lines}</p>"


class GuideController(Feature):
    """Controller that creates each help feature at its first use. `stops` are the widgets of the tour's steps on
    `page`.
    """

    ahead = (
        "app.ui.guide.explanations",
        "app.ui.guide.controller_gallery",
        "app.ui.guide.help_view",
        "app.ui.guide.help_text",
        "app.ui.guide.controller_tour",
    )

    tour_offered = Signal(bool)
    """True if the tour was neither completed nor skipped before."""
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
        self._whats_this = WhatsThis(self)
        self._help = LazyWindow(self._make_help)
        playground.follow(("phase",), self._on_phase)

    def actions(self) -> dict[str, Intent]:
        return {
            "help": self.show_help,
            "tour": self.take_tour,
            "gallery": self.show_gallery,
            "whats_this": self._whats_this.enter,
        }

    def joined(self) -> None:
        self._whats_this.connect_action(self._actions["whats_this"])

    def restore(self, settings: Settings) -> None:
        self._toured = settings.toured
        self.tour_offered.emit(not self._toured)

    def kept(self, settings: Settings) -> Settings:
        return replace(settings, toured=self._toured)

    def take_tour(self) -> None:
        self._tour.begin()

    def show_gallery(self) -> None:
        self._gallery.show()

    def forget_all(self) -> None:
        if "_gallery" in vars(self):
            self._gallery.forget_all()

    def show_help(self) -> None:
        """Show the help page with the current keyboard shortcuts."""
        from app.ui.guide import help_text

        keys = {name: shown(key.toString() for key in act.shortcuts()) for name, act in self._actions.items()}
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

        known = self._playground, self._prompt, self._hint, self._theme, self._actions
        gallery = GalleryController(*known, self._window)
        gallery.mode_wanted.connect(self.mode_wanted)
        return gallery

    def _make_help(self) -> HelpView:
        from app.ui.guide.help_view import HelpView

        view = HelpView(self._theme, self._window)
        view.link_requested.connect(partial(boxes.open_link, self._window))
        return view

    def _end_tour(self) -> None:
        """Remember that the tour ended. It stays available in the menu."""
        self._toured = True
        self.tour_offered.emit(False)

    def _on_phase(self, state: State) -> None:
        self._actions["tour"].setEnabled(state.phase in SETTLED)
