"""The tour: six steps through the window, at the user's pace, and never over an answer that is being written."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.bridge.playground import Playground
from app.definitions.types import Definition
from app.displayed_run import PlaybackSpeed
from app.i18n import tr
from app.state import SETTLED, State
from app.ui.guide.tour_card import TourCard
from app.ui.look import Theme
from app.ui.widgets.typed_text import TypedText

Stops = tuple[tuple[QWidget, ...], ...]
"""What each step may speak of: the first one that is in sight. The first step speaks of the prompt."""
MOVED = frozenset({QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide})


STEPS = (
    Definition(
        tr("Say something"),
        tr(
            "Type here and press Enter. The number at the right is the whole prompt in tokens; while the model writes, "
            "Send becomes Stop."
        ),
    ),
    Definition(
        tr("Read, and see how it ended"),
        tr(
            "The answer comes here token by token. One line below it says why it ended, with the details and the "
            "obvious next step beside it."
        ),
    ),
    Definition(
        tr("Change one thing"),
        tr(
            "How boldly the model chooses, where it stops, what it remembers. Each setting says what it does; "
            "changes count from the next run on."
        ),
    ),
    Definition(
        tr("Watch it work"),
        tr(
            "Speed, time to the first token, memory and context, measured as the tokens arrive. “Watch again” shows "
            "the answer once more, slowly enough to follow. Rest on any number to read what it means."
        ),
    ),
    Definition(
        tr("Look inside"),
        tr(
            "The inspector shows each token with its probability and what might have stood there instead. “Exact "
            "Prompt”, also in the menu View, shows what the model is really given."
        ),
    ),
    Definition(
        tr("Compare"),
        tr(
            "Every run is kept: “Runs”, also in the menu View, compares them, and the menu Experiments measures a "
            "question for you. The menu Help has a gallery of things to try, and this tour again."
        ),
    ),
)
"""What each step says; what it speaks of, the window tells."""
WATCHED = 3
"""At this step the last answer comes once more."""


class TourController(QObject):
    """`ended` when it was gone through or skipped. Its card lies on `page`, on which the stops are."""

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
        self._going = False
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
        """From the first step, whatever stood there."""
        if not self._going:
            self._going = True
            self._watch((self._page, *(part for stop in self._stops for part in stop)))
            self._window.installEventFilter(self)
        self._at = 0
        self._show()
        self._card.take_keyboard()

    def end(self) -> None:
        if not self._going:
            return
        had_keyboard = QApplication.focusWidget() in self._card.findChildren(QWidget)
        self._going = False
        self._watch_again(False)
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
        self._watch_again(self._at == WATCHED)
        self._card.show_step(self._at + 1, len(STEPS), step.name, step.text)
        self._place()

    def _watch_again(self, wanted: bool) -> None:
        """Or no longer."""
        if wanted:
            self._playground.watch(PlaybackSpeed.READING)
        elif self._playground.shown.now.slowed:
            self._playground.stop()

    def _place(self) -> None:
        if not self._going or self._playground.state.phase not in SETTLED:
            return
        prompt = self._stops[0][0]
        spoken_of = next((part for part in self._stops[self._at] if part.isVisible()), prompt)
        self._card.place(self._rect(spoken_of), [self._rect(prompt)])

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
        """The first letter of a prompt is not lost."""
        self._prompt.setFocus()
        self._prompt.set_text(self._prompt.text() + text)

    def _on_changed(self, old: State, new: State) -> None:
        """Out of the way while something goes on; back at the same step when it is over, without the keyboard."""
        if self._going and new.phase is not old.phase:
            if new.phase in SETTLED:
                self._soon.start()
            else:
                self._card.leave()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window's parts move, and Esc means the tour wherever the keyboard is."""
        if event.type() in MOVED and watched is not self._window:
            self._soon.start()
        pressed = event.key() if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress else None
        left = pressed == Qt.Key.Key_Escape and watched is self._window and self._card.isVisible()
        if left:
            self.end()
        return left
