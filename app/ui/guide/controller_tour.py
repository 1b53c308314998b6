"""The tour: six steps through the window, each with a card and a ring; hidden during runs."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QWidget

from app.bridge.playground import Playground
from app.definitions import Definition
from app.i18n import tr
from app.state import SETTLED, PlaybackSpeed, State
from app.ui.feature import TypedText
from app.ui.look import GRID_PX, MARGIN_PX, Color, Size, Theme, scaled
from app.ui.widgets import Announcer, RoundedFrame, in_column, in_row, plain_label, push_button

WIDTH_PX = 280
RING_PX = 3
RADIUS_PX = 8
TYPED = Qt.KeyboardModifier.NoModifier | Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
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


class TourController(RoundedFrame):
    """A card for each step, beside a part of the window, with a ring around that part. It is a child of `page`.

    Emits `ended` when the tour was completed or skipped.
    """

    ended = Signal()

    def __init__(
        self, playground: Playground, prompt: TypedText, page: QWidget, stops: Stops, theme: Theme, window: QWidget
    ) -> None:
        super().__init__(theme, Color.SURFACE, Color.ACCENT, page)
        self.setObjectName("tour")
        self._playground, self._prompt, self._page, self._stops, self._window = playground, prompt, page, stops, window
        self._at = 0
        self._is_active = False
        self._watched: tuple[QWidget, ...] = ()
        self._ring = TourRing(theme, page)
        self._announcer = Announcer(self)
        self._title = plain_label("tour_title", font=theme.font(Size.PROSE, bold=True), wraps=True)
        self._text = plain_label("tour_text", font=theme.font(Size.NORMAL), wraps=True)
        self._count = plain_label("tour_count", font=theme.font(Size.SMALL), muted=True)
        tip = tr("End the tour; Help starts it again (Esc)")
        self._skip = push_button("tour_skip", tr("Skip"), tip, kind="quiet", press=self.end)
        self._back = push_button("tour_back", tr("Back"), tr("Previous step"), press=lambda: self._go(self._at - 1))
        tip = tr("Next step (Enter)")
        self._next = push_button("tour_next", tr("Next"), tip, kind="primary", press=lambda: self._go(self._at + 1))
        self._next.setDefault(True)
        row = in_row(self._count, ..., self._skip, self._back, self._next, gap=GRID_PX)
        in_column(self._title, self._text, row, on=self, margins=MARGIN_PX)
        scaled(theme, self, QWidget.setFixedWidth, WIDTH_PX)
        self.hide()
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._place)
        theme.resized.connect(self._soon.start)
        playground.follow(("phase",), self._on_phase)

    def begin(self) -> None:
        """Begin at the first step."""
        if not self._is_active:
            self._is_active = True
            self._watch((self._page, *(part for stop in self._stops for part in stop)))
            self._window.installEventFilter(self)
        self._go(0)
        self._next.setFocus()

    def end(self) -> None:
        if not self._is_active:
            return
        had_keyboard = QApplication.focusWidget() in self.findChildren(QWidget)
        self._is_active = False
        self._play_back(False)
        self._soon.stop()
        self._watch(())
        self._window.removeEventFilter(self)
        self._leave()
        if had_keyboard:
            self._prompt.setFocus()
        self.ended.emit()

    def _watch(self, widgets: tuple[QWidget, ...]) -> None:
        for widget in self._watched:
            widget.removeEventFilter(self)
        for widget in widgets:
            widget.installEventFilter(self)
        self._watched = widgets

    def _go(self, at: int) -> None:
        """Show a step, or end after the last one."""
        if at == len(STEPS):
            self.end()
            return
        self._at, step = at, STEPS[at]
        self._play_back(at == PLAYBACK_STEP)
        is_last = at == len(STEPS) - 1
        self._title.setText(step.name)
        self._text.setText(step.text)
        self._count.setText(tr("{number} of {count}").format(number=at + 1, count=len(STEPS)))
        self._back.setEnabled(at > 0)
        self._next.setText(tr("Done") if is_last else tr("Next"))
        self._next.setAccessibleName(self._next.text())
        self._skip.setVisible(not is_last)
        self.setAccessibleName(tr("Tour: {title}").format(title=step.name))
        self.setAccessibleDescription(step.text)
        self._announcer.say(f"{self._count.text()}. {step.name}. {step.text}")
        self._place()

    def _play_back(self, wanted: bool) -> None:
        if wanted:
            self._playground.watch(PlaybackSpeed.READING)
        elif self._playground.shown.now.slowed:
            self._playground.stop()

    def _place(self) -> None:
        """Put the card where it covers least of the prompt, then of its target."""
        if not self._is_active or self._playground.state.phase not in SETTLED:
            return
        prompt = self._stops[0][0]
        room, kept_free = self._page.rect(), self._rect(prompt)
        target = self._rect(next((part for part in self._stops[self._at] if part.isVisible()), prompt)) & room
        self._ring.setGeometry(target)
        self.resize(QSize(self.width(), self.heightForWidth(self.width())))
        spots = [QRect(spot, self.size()) for part in (target, kept_free) for spot in _spots(part, self.size(), room)]
        self.move(min(spots, key=lambda spot: (_area(spot & kept_free), _area(spot & target))).topLeft())
        for widget in (self._ring, self):
            widget.show()
            widget.raise_()

    def _rect(self, widget: QWidget) -> QRect:
        return QRect(widget.mapTo(self._page, QPoint(0, 0)), widget.size())

    def _leave(self) -> None:
        self._ring.hide()
        self.hide()

    def _on_phase(self, state: State) -> None:
        """Hide during a run, and return at the same step without taking the focus."""
        if self._is_active and state.phase in SETTLED:
            self._soon.start()
        elif self._is_active:
            self._leave()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc skips the tour; other characters go to the prompt."""
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        elif event.text().isprintable() and event.text() and not event.modifiers() & ~TYPED:
            self._prompt.setFocus()
            self._prompt.set_text(self._prompt.text() + event.text())
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow moved parts of the window, and end the tour at Esc."""
        if event.type() in MOVED and watched is not self._window:
            self._soon.start()
        pressed = event.key() if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress else None
        left = pressed == Qt.Key.Key_Escape and watched is self._window and self.isVisible()
        if left:
            self.end()
        return left


class TourRing(QWidget):
    """A frame around a part of the window, transparent for the mouse."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("tour_ring")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._theme = theme
        theme.changed.connect(self.update)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color(Color.ACCENT), RING_PX))
        inset = RING_PX / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), RADIUS_PX, RADIUS_PX)


def _spots(target: QRect, size: QSize, room: QRect) -> Iterator[QPoint]:
    """Yield candidate positions: above, below, left, right, in the corner above, inside; moved into the window."""
    gap, wide, high = MARGIN_PX, size.width(), size.height()
    above = target.top() - gap - high
    # The corner is used only if there is space above the part.
    corner = room.right() - wide if above >= room.top() else target.right() + gap
    middle = target.center() - QPoint(wide // 2, high // 2)
    for x, y in (
        (middle.x(), above),
        (middle.x(), target.bottom() + gap),
        (target.left() - gap - wide, middle.y()),
        (target.right() + gap, middle.y()),
        (corner, above if above >= room.top() else middle.y()),
        (middle.x(), target.bottom() - gap - high),
        (target.left() + gap, target.top() + gap),
    ):
        left = max(room.left() + gap, min(x, room.right() - gap - wide))
        yield QPoint(left, max(room.top() + gap, min(y, room.bottom() - gap - high)))


def _area(rect: QRect) -> int:
    return rect.width() * rect.height() if rect.isValid() else 0
