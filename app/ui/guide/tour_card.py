"""A step of the tour: a card next to a part of the window, and a ring around that part."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.look import GRID_PX, MARGIN_PX, Colour, Size, Theme, scaled
from app.ui.widgets import Announcer, RoundedFrame, in_column, in_row, plain_label, push_button

WIDTH_PX = 280
RING_PX = 3
RADIUS_PX = 8
TYPED = Qt.KeyboardModifier.NoModifier | Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier


class TourCard(RoundedFrame):
    typed = Signal(str)
    """Text for the prompt."""
    went_on = Signal()
    went_back = Signal()
    skipped = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, Colour.SURFACE, Colour.ACCENT, parent)
        self.setObjectName("tour")
        self._within = parent
        self._ring = TourRing(theme, parent)
        self._announcer = Announcer(self)
        self._title = plain_label("tour_title", font=theme.font(Size.PROSE, bold=True), wraps=True)
        self._text = plain_label("tour_text", font=theme.font(Size.NORMAL), wraps=True)
        self._count = plain_label("tour_count", font=theme.font(Size.SMALL), muted=True)
        tip = tr("End the tour; Help starts it again (Esc)")
        self._skip = push_button("tour_skip", tr("Skip"), tip, kind="quiet", press=self.skipped)
        self._back = push_button("tour_back", tr("Back"), tr("Previous step"), press=self.went_back)
        tip = tr("Next step (Enter)")
        self._next = push_button("tour_next", tr("Next"), tip, kind="primary", press=self.went_on)
        self._next.setDefault(True)
        row = in_row(self._count, ..., self._skip, self._back, self._next, gap=GRID_PX)
        in_column(self._title, self._text, row, on=self, margins=MARGIN_PX)
        scaled(theme, self, QWidget.setFixedWidth, WIDTH_PX)
        self.hide()

    def show_step(self, number: int, count: int, title: str, text: str) -> None:
        self._title.setText(title)
        self._text.setText(text)
        self._count.setText(tr("{number} of {count}").format(number=number, count=count))
        self._back.setEnabled(number > 1)
        self._next.setText(tr("Done") if number == count else tr("Next"))
        self._next.setAccessibleName(self._next.text())
        self._skip.setVisible(number < count)
        self.setAccessibleName(tr("Tour: {title}").format(title=title))
        self.setAccessibleDescription(text)
        self._announcer.say(f"{self._count.text()}. {title}. {text}")

    def place(self, target: QRect, kept_free: Sequence[QRect]) -> None:
        """Put the card where it covers least of `kept_free`, then of `target`."""
        room = self._within.rect()
        target = target.intersected(room)
        self._ring.setGeometry(target)
        self.resize(QSize(self.width(), self.heightForWidth(self.width())))
        beside = (target, *kept_free)
        spots = [QRect(spot, self.size()) for part in beside for spot in _spots(part, self.size(), room)]
        covers = [(sum(_area(spot & each) for each in kept_free), _area(spot & target)) for spot in spots]
        self.move(spots[covers.index(min(covers))].topLeft())
        for widget in (self._ring, self):
            widget.show()
            widget.raise_()

    def take_keyboard(self) -> None:
        self._next.setFocus()

    def leave(self) -> None:
        self._ring.hide()
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc skips the tour; other characters go to the prompt."""
        if event.key() == Qt.Key.Key_Escape:
            self.skipped.emit()
        elif event.text().isprintable() and event.text() and not event.modifiers() & ~TYPED:
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)


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
        painter.setPen(QPen(self._theme.colour(Colour.ACCENT), RING_PX))
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
