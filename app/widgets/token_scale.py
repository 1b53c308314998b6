"""The scale of the tokens' grounds, drawn with words at its ends."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.widgets.formatting import duration
from app.widgets.palette import Colour
from app.widgets.theme import GAP_PX, Size, Theme
from app.widgets.token_colours import DRAFT, LEVELS, OF_CANDIDATES, PLAIN, TOP_BITS, USER, Colouring, Scale, Tone
from app.widgets.token_ghost import paint_notches
from app.widgets.token_paint import paint_grounds

NOT_RECORDED = "Candidates were not recorded: switch on Record candidates"
WIDEST_PX = 160
NARROWEST_PX = 48
SWATCH_PX = 20
SLACK_PX = 2
SWATCHES = ((PLAIN, "model"), (DRAFT, "draft, accepted"), (USER, "you"), (None, "draft, rejected before it"))


class TokenScale(QWidget):
    """Faint to strong in steps, as the tokens have them; for origins a swatch each, told apart by bars as well."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("token_scale")
        self._theme = theme
        self.setFont(theme.font(Size.SMALL))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._scale = Scale(Colouring.PROBABILITY)
        theme.changed.connect(self.update)

    def show_scale(self, scale: Scale) -> None:
        self._scale = scale
        self.setAccessibleName(spoken(scale))
        self.update()

    def _paint_scale(self, painter: QPainter) -> None:
        metrics = QFontMetricsF(self.font())
        ends = ends_of(self._scale)
        low, high = ends if self._fits(metrics, ends) else (_number(ends[0]), _number(ends[1]))
        taken = metrics.horizontalAdvance(low) + metrics.horizontalAdvance(high) + 2 * GAP_PX
        height = SWATCH_PX - 6
        bar = QRectF(
            round(metrics.horizontalAdvance(low) + GAP_PX) + 0.5,
            (self.height() - height) // 2 + 0.5,
            min(WIDEST_PX, int(self.width() - taken) - SLACK_PX),
            height,
        )
        self._say(painter, 0.0, low)
        for step in range(LEVELS):
            cell = QRectF(bar.left() + bar.width() * step / LEVELS, bar.top(), bar.width() / LEVELS, bar.height())
            paint_grounds(painter, [cell], _tone_at(step, self._scale.colouring), self._theme)
        self._frame(painter, bar)
        self._say(painter, bar.right() + GAP_PX, high)

    def _fits(self, metrics: QFontMetricsF, words: tuple[str, str]) -> bool:
        return sum(map(metrics.horizontalAdvance, words)) + 2 * GAP_PX + NARROWEST_PX <= self.width()

    def _paint_swatches(self, painter: QPainter) -> None:
        metrics, left = QFontMetricsF(self.font()), 0.0
        for tone, words in SWATCHES:
            height = SWATCH_PX - 6
            swatch = QRectF(round(left) + 0.5, (self.height() - height) // 2 + 0.5, SWATCH_PX, height)
            self._paint_swatch(painter, swatch, tone)
            self._say(painter, swatch.right() + GAP_PX / 2, words)
            left = swatch.right() + GAP_PX / 2 + metrics.horizontalAdvance(words) + 2 * GAP_PX

    def _paint_swatch(self, painter: QPainter, swatch: QRectF, tone: Tone | None) -> None:
        """No tone: what stands for rejected drafts."""
        paint_grounds(painter, [swatch], PLAIN if tone is None else tone, self._theme)
        if tone is None:
            paint_notches(painter, [swatch], self._theme)
        self._frame(painter, swatch)

    def _frame(self, painter: QPainter, rect: QRectF) -> None:
        """The faint end is hardly to be told from the bar it stands on."""
        painter.setPen(QPen(self._theme.colour(Colour.OUTLINE), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect)

    def _say(self, painter: QPainter, left: float, words: str) -> None:
        painter.setPen(self._theme.colour(Colour.MUTED))
        room = QRectF(left, 0, self.width() - left, self.height())
        fitting = QFontMetricsF(self.font()).elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, fitting)

    def sizeHint(self) -> QSize:
        return QSize(320, self._theme.scaled(SWATCH_PX) + GAP_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(140, self._theme.scaled(SWATCH_PX) + GAP_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_drawn(self._scale):
            self._paint_scale(painter)
        elif self._scale.colouring is Colouring.ORIGIN:
            self._paint_swatches(painter)
        else:
            self._say(painter, 0.0, in_words(self._scale))


def is_drawn(scale: Scale) -> bool:
    """Whether there is anything to read off a scale."""
    if scale.colouring is Colouring.GAP:
        return scale.top_s is not None
    return scale.colouring in OF_CANDIDATES and scale.observed


def ends_of(scale: Scale) -> tuple[str, str]:
    """The words at the ends of a scale, with its units."""
    match scale.colouring:
        case Colouring.PROBABILITY:
            return "0 %, unlikely", "100 %, certain"
        case Colouring.SURPRISE:
            return "0 bits, expected", f"≥ {TOP_BITS[scale.colouring]:.0f} bits, surprising"
        case Colouring.ENTROPY:
            return "0 bits, one choice", f"≥ {TOP_BITS[scale.colouring]:.0f} bits, wide open"
        case _:
            return "0 ms, at once", f"≥ {duration(scale.top_s)}, slow"


def in_words(scale: Scale) -> str:
    """What is said where no scale is drawn."""
    if scale.colouring is Colouring.GAP:
        return "No times yet"
    return NOT_RECORDED if scale.colouring in OF_CANDIDATES else "Each token has a ground of its own"


def spoken(scale: Scale) -> str:
    """The scale for whoever can't see it."""
    if is_drawn(scale):
        low, high = ends_of(scale)
        strong, faint = (low, high) if scale.colouring is Colouring.PROBABILITY else (high, low)
        return f"Scale: from faint ({faint}) to strong ({strong})"
    if scale.colouring is Colouring.ORIGIN:
        return (
            "Scale: the model's tokens are plain, the draft model's have a bar below, yours one above and below, "
            "and a corner is marked where drafts were rejected"
        )
    return f"Scale: {in_words(scale)}"


def _tone_at(step: int, colouring: Colouring) -> Tone:
    """Low values stand at the left; unlikely tokens are the strong ones."""
    return LEVELS - 1 - step if colouring is Colouring.PROBABILITY else step


def _number(words: str) -> str:
    return words.partition(",")[0]
