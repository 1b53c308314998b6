"""Controller of the help page, “What's this?” and the lessons."""

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
from app.ui.feature import Feature, TypedText
from app.ui.guide import controller_help
from app.ui.look import Theme
from app.ui.widgets import Announcer, LazyWindow

if TYPE_CHECKING:
    from app.ui.guide.controller_lessons import LessonPlayer
    from app.ui.guide.help_view import HelpView


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
    """Creates each help feature at its first use. The lessons are shown in `room`, and point at parts of `page`."""

    ahead = ("app.ui.guide.explanations", "app.ui.guide.help_view", "app.ui.guide.controller_lessons")

    lesson_offered = Signal(bool)
    """True if no lesson was begun before."""
    mode_wanted = Signal(str)
    control_wanted = Signal(str)
    """A setting whose control has to be shown."""
    lesson_left = Signal()
    view_wanted = Signal(str, int, int)
    """A view of the tab Inside has to be computed: its name, index of the turn, place of the token."""
    progressed = Signal(str, int, int)
    """Progress of a lesson's experiment or comparison in words, done, all."""

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        *,
        prompt: TypedText,
        page: QWidget,
        room: QWidget,
        resources: Path | None,
        data: Path,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._toured = False
        self._window = parent
        self.playground, self.theme, self.prompt, self.page, self.room = playground, theme, prompt, page, room
        self.resources, self.data = resources or data, data
        self._help = LazyWindow(self._make_help)

    def actions(self) -> dict[str, Intent]:
        return {"help": self.show_help, "lessons": self.show_lessons, "whats_this": self._explain_clicked}

    def connect_actions(self) -> None:
        # The shortcut explains the focused widget in any window; the menu item begins the mode.
        act = self._actions["whats_this"]
        act.setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
        act.installEventFilter(self)

    def restore(self, settings: Settings) -> None:
        self._toured = settings.toured
        self.lesson_offered.emit(not self._toured)

    def updated_settings(self, settings: Settings) -> Settings:
        settings = replace(settings, toured=self._toured)
        return self._player.with_saved_page(settings) if "_player" in vars(self) else settings

    def show_lessons(self) -> None:
        self._player.show_list()

    def begin_first_lesson(self) -> None:
        self._player.begin()

    def withdraw_offer(self) -> None:
        self._toured = True
        self.lesson_offered.emit(False)

    def begin_session(self) -> None:
        self._actions["new_session"].trigger()

    def forget_all(self) -> None:
        if "_player" in vars(self):
            self._player.forget_all()

    def close(self) -> None:
        if "_player" in vars(self):
            self._player.close()

    def discard(self) -> None:
        if "_player" in vars(self):
            self._player.discard()

    def show_help(self) -> None:
        """Show the help page with the current keyboard shortcuts."""
        from app.ui.guide import help_view

        keys = {name: shown(key.toString() for key in act.shortcuts()) for name, act in self._actions.items()}
        self._help.bring_up()
        self._help.window.show_page(help_view.page(self.resources, keys, self.data))

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
    def _player(self) -> LessonPlayer:
        from app.ui.guide.controller_lessons import LessonPlayer

        return LessonPlayer(self)

    def _make_help(self) -> HelpView:
        from app.ui.guide.help_view import HelpView

        view = HelpView(self.theme, self._window)
        view.link_requested.connect(partial(controller_help.open_link, self._window))
        return view
