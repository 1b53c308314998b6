"""The buttons of a turn: the same small set for prompts and answers, shown by hover and by focus."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolButton, QWidget

from app.i18n import tr
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import TurnAction
from app.ui.look import GAP_PX, MUTED_ROLE, Size, Theme
from app.ui.widgets import OneLine, as_tip, icon_button, in_row, named

ICONS = {
    TurnAction.COPY: "copy",
    TurnAction.REGENERATE: "retry",
    TurnAction.RESEND: "retry",
    TurnAction.EDIT: "edit",
    TurnAction.DETAILS: "details",
}
CHANGES = (TurnAction.REGENERATE, TurnAction.RESEND, TurnAction.EDIT)
"""Actions that are possible only while nothing runs."""
KEYBOARD = (QEvent.Type.Leave, QEvent.Type.KeyPress, QEvent.Type.FocusIn, QEvent.Type.FocusOut)
"""Events after which the focus decides, not the pointer."""
MENU_TIP = tr("All actions for this turn")


def action_button(theme: Theme, action: TurnAction, name: str) -> QToolButton:
    return icon_button(theme, name, ICONS[action], action.words)


def menu_button(theme: Theme, name: str) -> QToolButton:
    return icon_button(theme, name, "more", MENU_TIP)


class SettingsLabel(OneLine):
    """Shows the settings of an answer's run that differ from the controls. It takes the width that is left.

    Where they don't fit, the tooltip of the menu button beside it has them.
    """

    def __init__(self, theme: Theme, name: str, menu: QToolButton) -> None:
        super().__init__()
        self._menu = menu
        named(self, name, font=theme.font(Size.SMALL))
        self.setForegroundRole(MUTED_ROLE)
        self.setContentsMargins(GAP_PX, 0, 0, 0)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setRetainSizeWhenHidden(True)  # it keeps the buttons together
        self.setSizePolicy(policy)

    def fitted(self, width: int) -> str:
        """Return the settings, or else a shorter text, if it fits."""
        texts = (self.text(), tr("Settings differ")) if self.text() else ()
        return next((each for each in texts if self.fontMetrics().horizontalAdvance(each) <= width), "")

    def show_settings(self, settings: str) -> None:
        words = tr("Run settings: {settings}").format(settings=settings) if settings else ""
        tip = tr("These settings of the run differ from the controls. “Use These Settings” in the menu ⋯ applies them.")
        self.setText(words)
        self.setAccessibleName(words)
        self.setToolTip(as_tip(f"{words}\n{tip}"))
        self._menu.setToolTip(as_tip(f"{MENU_TIP}\n{words}".strip()))
        self._menu.setAccessibleDescription(words)
        self.setVisible(bool(words))


class HoverButtons(QWidget):
    """The buttons of the turn at the pointer, or of that at the text cursor while the transcript has the focus.

    The displayed run has its buttons in the finish line instead.
    """

    wanted = Signal(object, int)
    """The TurnAction and the index of the turn."""

    def __init__(self, theme: Theme, transcript: Transcript) -> None:
        super().__init__(transcript.viewport())
        named(self, "turn_buttons", tr("Actions for this turn"))
        self.setAutoFillBackground(True)
        self._transcript = transcript
        self._index: int | None = None
        self._shown_elsewhere: int | None = None
        self._is_pointed = False
        """The pointer was moved after the last key."""
        self._buttons = {each: action_button(theme, each, f"{each.name.lower()}_turn") for each in ICONS}
        for action, button in self._buttons.items():
            button.clicked.connect(partial(self._emit, action))
        self._menu = menu_button(theme, "menu_turn")
        self._menu.clicked.connect(self._open_menu)
        self._settings = SettingsLabel(theme, "turn_settings", self._menu)
        self._settings_of: Callable[[int], str] = lambda _: ""
        in_row(*self._buttons.values(), self._menu, (self._settings, 1), on=self, gap=0)
        for part in (transcript, transcript.viewport(), self):
            part.installEventFilter(self)
        transcript.cursorPositionChanged.connect(self._follow_focus)
        transcript.verticalScrollBar().valueChanged.connect(self._place)
        # Queued: in the midst of an edit the positions of the page aren't valid yet.
        layout = transcript.document().documentLayout()
        layout.documentSizeChanged.connect(self._place, Qt.ConnectionType.QueuedConnection)
        QWidget.setTabOrder(transcript, next(iter(self._buttons.values())))
        self.hide()

    def show_settings_by(self, settings_of: Callable[[int], str]) -> None:
        """Show the text that `settings_of` returns for the index of a turn; empty for none."""
        self._settings_of = settings_of

    def allow_changes(self, allowed: bool) -> None:
        for action in CHANGES:
            self._buttons[action].setEnabled(allowed)

    def leave_to_line(self, index: int | None) -> None:
        """Show no buttons for this turn, since the finish line shows them."""
        self._shown_elsewhere = index
        self._place()

    def show_turn(self, index: int | None) -> None:
        is_other, self._index = index != self._index, index
        if is_other:
            self.update_settings()
        else:
            self._place()

    def update_settings(self) -> None:
        """Show the settings again, since the controls or the turn have changed."""
        self._settings.show_settings(self._settings_of(self._index) if self._index is not None else "")
        self._place()

    def _place(self) -> None:
        """Move the buttons to the end of an answer, or above a prompt; hide them if the turn is gone."""
        index = self._index if self._index != self._shown_elsewhere else None
        actions = self._transcript.actions_of(index) if index is not None else ()
        for action, button in self._buttons.items():
            button.setVisible(action in actions)
        self.adjustSize()
        place = self._transcript.buttons_place(index, self.size()) if index is not None else None
        if place is not None:
            self.move(place)
            if self._settings.text():
                room = self._transcript.viewport().width() - place.x() - self.width()
                self.resize(self.width() + min(room, self._settings.sizeHint().width()), self.height())
        self.setVisible(place is not None)

    def _emit(self, action: TurnAction) -> None:
        if self._index is not None:
            self.wanted.emit(action, self._index)

    def _open_menu(self) -> None:
        if self._index is not None:
            self._transcript.open_menu(self._index, self._menu.mapToGlobal(self._menu.rect().bottomLeft()))

    def _follow_focus(self) -> None:
        """Show the buttons of the turn at the text cursor."""
        has_focus = self._transcript.hasFocus() or self.isAncestorOf(QApplication.focusWidget() or self._transcript)
        if not self._is_pointed:
            self.show_turn(self._transcript.current_turn() if has_focus else None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.MouseMove and watched is self._transcript.viewport():
            assert isinstance(event, QMouseEvent)
            if event.buttons() == Qt.MouseButton.NoButton:
                self._is_pointed = True
                self.show_turn(self._turn_at(event.position().toPoint()))
        elif kind in KEYBOARD and watched is not self and not _is_by_mouse(event):
            self._is_pointed = False
            self._follow_focus()
        return False

    def _turn_at(self, point: QPoint) -> int | None:
        if self.isVisible() and self.geometry().contains(point):
            return self._index
        return self._transcript.turn_of(self._transcript.cursorForPosition(point).position())


def _is_by_mouse(event: QEvent) -> bool:
    """Return whether the pointer still decides: a click has moved the focus, or a menu has opened."""
    if QApplication.activePopupWidget() is not None:
        return True
    return isinstance(event, QFocusEvent) and event.reason() == Qt.FocusReason.MouseFocusReason
