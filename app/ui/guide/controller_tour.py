"""The tour: six steps through the window, hidden during runs."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.bridge.playground import Playground
from app.definitions import Definition
from app.i18n import tr
from app.state import SETTLED, PlaybackSpeed, State
from app.ui.guide.tour_card import TourCard
from app.ui.look import Theme
from app.ui.widgets.typed_text import TypedText

Stops = tuple[tuple[QWidget, ...], ...]
"""Widgets for each step, of which the first visible one is used. The first step is about the prompt."""
MOVED = frozenset({QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide})


STEPS = (
    Definition(
        tr("Send a prompt"),
        tr(
            "Type here and press Enter. The number at the right counts the tokens of the whole prompt. During a run, "
            "Send becomes Stop."
        ),
    ),
    Definition(
        tr("Read the answer and its finish reason"),
        tr(
            "The answer streams here token by token. The line below it shows the finish reason, with buttons for "
            "details and next steps."
        ),
    ),
    Definition(
        tr("Change a setting"),
        tr(
            "Sampling, stop conditions and KV cache. Each setting has an explanation. Changes apply from the next run "
            "on."
        ),
    ),
    Definition(
        tr("Watch the metrics"),
        tr(
            "Decode speed, time to first token, memory and context window, measured as tokens arrive. “Play Back” "
            "shows the answer again in slow motion. Point at a number for its definition."
        ),
    ),
    Definition(
        tr("Look inside"),
        tr(
            "The inspector shows each token with its probability and alternatives. “Exact Prompt” in the menu View "
            "shows the templated prompt token by token."
        ),
    ),
    Definition(
        tr("Compare"),
        tr(
            "Every run is saved. “Runs” in the menu View compares them. The menu Experiments has built-in "
            "measurements. The menu Help has a gallery of things to try, and this tour."
        ),
    ),
)
PLAYBACK_STEP = 3
"""Index of the step that plays the last answer back."""


class TourController(QObject):
    """Controller of the tour. Emits `ended` when it was completed or skipped. The card is a child of `page`."""

    ended = Signal()

    def __init__(
        self, playground: Playground, prompt: TypedText, page: QWidget, stops: Stops, theme: Theme, window: QWidget
    ) -> None:
        super().__init__(window)
        self._playground = playground
        self._prompt = prompt
        self._page = page
        self._stops = stops
        self._window = window
        self._at = 0
        self._is_active = False
        self._watched: tuple[QWidget, ...] = ()
        self._card = TourCard(theme, page)
        self._card.went_on.connect(self._go_on)
        self._card.went_back.connect(self._go_back)
        self._card.skipped.connect(self.end)
        self._card.typed.connect(self._type)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._place)
        theme.resized.connect(self._soon.start)
        playground.changed.connect(self._on_changed)

    def begin(self) -> None:
        """Begin at the first step."""
        if not self._is_active:
            self._is_active = True
            self._watch((self._page, *(part for stop in self._stops for part in stop)))
            self._window.installEventFilter(self)
        self._at = 0
        self._show()
        self._card.take_keyboard()

    def end(self) -> None:
        if not self._is_active:
            return
        had_keyboard = QApplication.focusWidget() in self._card.findChildren(QWidget)
        self._is_active = False
        self._play_back(False)
        self._soon.stop()
        self._watch(())
        self._window.removeEventFilter(self)
        self._card.leave()
        if had_keyboard:
            self._prompt.setFocus()
        self.ended.emit()

    def _watch(self, widgets: tuple[QWidget, ...]) -> None:
        for widget in self._watched:
            widget.removeEventFilter(self)
        for widget in widgets:
            widget.installEventFilter(self)
        self._watched = widgets

    def _show(self) -> None:
        step = STEPS[self._at]
        self._play_back(self._at == PLAYBACK_STEP)
        self._card.show_step(self._at + 1, len(STEPS), step.name, step.text)
        self._place()

    def _play_back(self, wanted: bool) -> None:
        if wanted:
            self._playground.watch(PlaybackSpeed.READING)
        elif self._playground.shown.now.slowed:
            self._playground.stop()

    def _place(self) -> None:
        if not self._is_active or self._playground.state.phase not in SETTLED:
            return
        prompt = self._stops[0][0]
        target = next((part for part in self._stops[self._at] if part.isVisible()), prompt)
        self._card.place(self._rect(target), [self._rect(prompt)])

    def _rect(self, widget: QWidget) -> QRect:
        return QRect(widget.mapTo(self._page, QPoint(0, 0)), widget.size())

    def _go_on(self) -> None:
        if self._at + 1 == len(STEPS):
            self.end()
        else:
            self._at += 1
            self._show()

    def _go_back(self) -> None:
        self._at = max(0, self._at - 1)
        self._show()

    def _type(self, text: str) -> None:
        """Pass a typed character on to the prompt."""
        self._prompt.setFocus()
        self._prompt.set_text(self._prompt.text() + text)

    def _on_changed(self, old: State, new: State) -> None:
        """Hide during a run, and return at the same step without taking the focus."""
        if self._is_active and new.phase is not old.phase:
            if new.phase in SETTLED:
                self._soon.start()
            else:
                self._card.leave()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow moved parts of the window, and end the tour at Esc."""
        if event.type() in MOVED and watched is not self._window:
            self._soon.start()
        pressed = event.key() if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress else None
        left = pressed == Qt.Key.Key_Escape and watched is self._window and self._card.isVisible()
        if left:
            self.end()
        return left
