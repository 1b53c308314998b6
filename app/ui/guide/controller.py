"""Controller of the help page, “What's this?”, the tour and the gallery."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QApplication, QLabel, QWhatsThis, QWidget

from app.actions import Intent, shown
from app.bridge.playground import Playground
from app.files.settings import Settings
from app.i18n import tr
from app.state import SETTLED, State
from app.ui.feature import Feature, TypedText
from app.ui.guide import controller_help
from app.ui.look import GRID_PX, MARGIN_PX, Theme
from app.ui.widgets import Announcer, LazyWindow, SmallPrint, bring_up, in_row, push_button

if TYPE_CHECKING:
    from app.ui.guide.controller_gallery import Gallery
    from app.ui.guide.controller_tour import Stops, TourController
    from app.ui.guide.help_view import HelpView


class TryHint(QWidget):
    undone = Signal()
    """Restore the previous input."""
    left = Signal()
    """Keep the new input."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("try_hint")
        self._announcer = Announcer(self)
        self._words = SmallPrint(theme, "try_words", "text")
        tip = tr("Restore the previous prompt and settings")
        self._undo = push_button("try_undo", tr("Put back"), tip, kind="small", press=self.undone)
        tip = tr("Hide this line")
        close = push_button("try_close", "✕", tip, tip, kind="small", press=self.left)
        in_row((self._words, 1), self._undo, close, on=self, margins=(MARGIN_PX + GRID_PX, GRID_PX, MARGIN_PX, 0))
        self.hide()

    def show_words(self, words: str) -> None:
        self._words.say(words)
        self._announcer.say(words)
        self.show()


def explanation_of(widget: QWidget) -> str:
    """Return the explanation, tooltip or description of a widget; empty without any, so that Qt asks its parent."""
    # Imported at the first use, since importing the texts would delay the first paint.
    from app.ui.guide.explanations import EXPLAINED

    known = EXPLAINED.get(widget.objectName())
    tip, name = widget.toolTip() or widget.accessibleDescription(), widget.accessibleName()
    if known is not None:
        return _words(known.name, known.text) + (tip if tip.startswith("<") else "")
    if tip.startswith("<"):
        return tip
    # Number labels add their value to the name.
    name = name.partition(": ")[0] if isinstance(widget, QLabel) else name
    return _words(name, tip) if tip else ""


def _words(name: str, text: str) -> str:
    lines = escape(text).replace("\n", "<br>")
    return f"<p><b>{escape(name)}</b></p><p>{lines}</p>" if name else f"<p>{lines}</p>"


class GuideController(Feature):
    """Creates each help feature at its first use. `stops` are the widgets of the tour's steps on `page`."""

    ahead = (
        "app.ui.guide.explanations",
        "app.ui.guide.controller_gallery",
        "app.ui.guide.help_view",
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
        self._playground, self._theme, self._window = playground, theme, parent
        self._prompt, self._hint, self._page, self._stops = prompt, hint, page, stops
        self._resources, self._data = resources or data, data
        self._help = LazyWindow(self._make_help)
        playground.follow(("phase",), self._on_phase)

    def actions(self) -> dict[str, Intent]:
        return {
            "help": self.show_help,
            "tour": self.take_tour,
            "gallery": self.show_gallery,
            "whats_this": self._explain_clicked,
        }

    def connect_actions(self) -> None:
        # The shortcut explains the focused widget in any window; the menu item begins the mode.
        act = self._actions["whats_this"]
        act.setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
        act.installEventFilter(self)

    def restore(self, settings: Settings) -> None:
        self._toured = settings.toured
        self.tour_offered.emit(not self._toured)

    def updated_settings(self, settings: Settings) -> Settings:
        return replace(settings, toured=self._toured)

    def take_tour(self) -> None:
        self._tour.begin()

    def show_gallery(self) -> None:
        bring_up(self._gallery)

    def forget_all(self) -> None:
        if "_gallery" in vars(self):
            self._gallery.forget_all()

    def show_help(self) -> None:
        """Show the help page with the current keyboard shortcuts."""
        from app.ui.guide import help_view

        keys = {name: shown(key.toString() for key in act.shortcuts()) for name, act in self._actions.items()}
        self._help.bring_up()
        self._help.window.show_page(help_view.page(self._resources, keys, self._data))

    def _explain_clicked(self) -> None:
        """Begin Qt's mode "What's this?", which explains the next clicked widget.

        Only visible widgets need texts, and they get them here, since there are hundreds of them.
        """
        for widget in QApplication.allWidgets():
            if widget.isVisible():
                widget.setWhatsThis(explanation_of(widget))
        QWhatsThis.enterWhatsThisMode()

    def _explain_focused(self) -> None:
        """Explain the focused widget, or else its closest parent with an explanation."""
        focused = QApplication.focusWidget()
        widget = focused
        while widget is not None and not (words := explanation_of(widget)):
            widget = widget.parentWidget() if not widget.isWindow() else None
        if widget is not None and focused is not None:
            Announcer(focused).say(QTextDocumentFragment.fromHtml(words).toPlainText())
            QWhatsThis.showText(focused.mapToGlobal(QPoint(0, focused.height())), words, focused)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the shortcut of “What's this?”. The menu item sends no shortcut event."""
        if event.type() == QEvent.Type.Shortcut:
            self._explain_focused()
            return True
        return False

    @cached_property
    def _tour(self) -> TourController:
        from app.ui.guide.controller_tour import TourController

        parts = self._playground, self._prompt, self._page, self._stops, self._theme
        tour = TourController(*parts, self._window)
        tour.ended.connect(self._end_tour)
        return tour

    @cached_property
    def _gallery(self) -> Gallery:
        from app.ui.guide.controller_gallery import Gallery

        parts = self._playground, self._prompt, self._hint, self._theme, self._actions
        gallery = Gallery(*parts, self._window)
        gallery.mode_wanted.connect(self.mode_wanted)
        return gallery

    def _make_help(self) -> HelpView:
        from app.ui.guide.help_view import HelpView

        view = HelpView(self._theme, self._window)
        view.link_requested.connect(partial(controller_help.open_link, self._window))
        return view

    def _end_tour(self) -> None:
        """Remember that the tour ended. It stays available in the menu."""
        self._toured = True
        self.tour_offered.emit(False)

    def _on_phase(self, state: State) -> None:
        self._actions["tour"].setEnabled(state.phase in SETTLED)
