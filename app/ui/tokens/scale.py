"""The color scale of the tokens, and the legend above the token view."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from app.i18n import tr
from app.number_format import chance, duration
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Color, Size, Theme
from app.ui.tokens.colors import (
    DEFINITIONS,
    DRAFT,
    LEVELS,
    NAMES,
    NEED_LOGPROBS,
    PLAIN,
    TOP_BITS,
    USER,
    Coloring,
    Scale,
)
from app.ui.tokens.painter import paint_grounds, paint_notches
from app.ui.widgets import in_row, named, plain_label
from app.ui.widgets.buttons import tool_button

NOT_RECORDED = tr("No alternatives recorded: turn on “Record alternatives”")
MAX_BAR_PX = 160
MIN_BAR_PX = 48
SWATCH_PX = 20
SLACK_PX = 2
SWATCHES = (
    (PLAIN, tr("model")),
    (DRAFT, tr("draft, accepted")),
    (USER, tr("you")),
    (None, tr("draft, rejected")),
)
"""Tone and label of each origin; None: rejected drafts."""


class TokenScale(QWidget):
    """The levels of a color scale from faint to strong, or a swatch for each origin."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("token_scale")
        self._theme = theme
        self.setFont(theme.font(Size.SMALL))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._scale = Scale(Coloring.PROBABILITY)
        self._words: tuple[str, str] | None = None
        self._strong = Color.TOKEN
        theme.changed.connect(self.update)

    def show_ends(self, low: str, high: str, strong: Color = Color.TOKEN) -> None:
        self._scale, self._words, self._strong = Scale(Coloring.SURPRISE), (low, high), strong
        self.setAccessibleName(tr("Scale: from faint ({faint}) to strong ({strong})").format(faint=low, strong=high))
        self.update()

    def show_scale(self, scale: Scale) -> None:
        self._scale, self._words = scale, None
        self.setAccessibleName(spoken(scale))
        self.update()

    def _paint_scale(self, painter: QPainter) -> None:
        metrics = QFontMetricsF(self.font())
        low, high = self._words or ends_of(self._scale)
        taken = metrics.horizontalAdvance(low) + metrics.horizontalAdvance(high) + 2 * GAP_PX
        if self._words is None and taken + MIN_BAR_PX > self.width():
            low, high = (number for number, _ in _ends(self._scale))
            taken = metrics.horizontalAdvance(low) + metrics.horizontalAdvance(high) + 2 * GAP_PX
        height = SWATCH_PX - 6
        bar = QRectF(
            round(metrics.horizontalAdvance(low) + GAP_PX) + 0.5,
            (self.height() - height) // 2 + 0.5,
            min(MAX_BAR_PX, int(self.width() - taken) - SLACK_PX),
            height,
        )
        self._draw_text(painter, 0.0, low)
        for step in range(LEVELS):
            cell = QRectF(bar.left() + bar.width() * step / LEVELS, bar.top(), bar.width() / LEVELS, bar.height())
            # Low values are at the left; a low probability is strong.
            turned = self._scale.coloring is Coloring.PROBABILITY
            paint_grounds(painter, [cell], LEVELS - 1 - step if turned else step, self._theme, self._strong)
        self._frame(painter, bar)
        self._draw_text(painter, bar.right() + GAP_PX, high)

    def _paint_swatches(self, painter: QPainter) -> None:
        metrics, left = QFontMetricsF(self.font()), 0.0
        for tone, words in SWATCHES:
            height = SWATCH_PX - 6
            swatch = QRectF(round(left) + 0.5, (self.height() - height) // 2 + 0.5, SWATCH_PX, height)
            paint_grounds(painter, [swatch], PLAIN if tone is None else tone, self._theme)
            if tone is None:
                paint_notches(painter, [swatch], self._theme)
            self._frame(painter, swatch)
            self._draw_text(painter, swatch.right() + GAP_PX / 2, words)
            left = swatch.right() + GAP_PX / 2 + metrics.horizontalAdvance(words) + 2 * GAP_PX

    def _frame(self, painter: QPainter, rect: QRectF) -> None:
        """Paint a frame, since the faint end of the scale hardly differs from the background."""
        painter.setPen(QPen(self._theme.color(Color.OUTLINE), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect)

    def _draw_text(self, painter: QPainter, left: float, words: str) -> None:
        painter.setPen(self._theme.color(Color.MUTED))
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
        elif self._scale.coloring is Coloring.ORIGIN:
            self._paint_swatches(painter)
        else:
            self._draw_text(painter, 0.0, in_words(self._scale))


def is_drawn(scale: Scale) -> bool:
    if scale.coloring is Coloring.GAP:
        return scale.top_s is not None
    return scale.coloring in NEED_LOGPROBS and scale.observed


def ends_of(scale: Scale) -> tuple[str, str]:
    """Return the labels at the ends of a scale, with units."""
    low, high = (f"{number}, {meaning}" for number, meaning in _ends(scale))
    return low, high


def _ends(scale: Scale) -> tuple[tuple[str, str], tuple[str, str]]:
    bits = tr("{count} bits")
    match scale.coloring:
        case Coloring.PROBABILITY:
            return (chance(0), tr("unlikely")), (chance(1), tr("certain"))
        case Coloring.FORBIDDEN:
            return (chance(0), tr("nothing ruled out")), (chance(1), tr("everything"))
        case Coloring.SURPRISE | Coloring.ENTROPY as coloring:
            low, high = bits.format(count=0), f"≥ {bits.format(count=round(TOP_BITS[coloring]))}"
            if coloring is Coloring.SURPRISE:
                return (low, tr("expected")), (high, tr("surprising"))
            return (low, tr("one option")), (high, tr("many options"))
        case _:
            return (duration(0), tr("fast")), (f"≥ {duration(scale.top_s)}", tr("slow"))


def in_words(scale: Scale) -> str:
    """Return the text in place of a scale."""
    if scale.coloring is Coloring.GAP:
        return tr("No latencies yet")
    return NOT_RECORDED if scale.coloring in NEED_LOGPROBS else tr("Each token has its own background")


def spoken(scale: Scale) -> str:
    if is_drawn(scale):
        low, high = ends_of(scale)
        strong, faint = (low, high) if scale.coloring is Coloring.PROBABILITY else (high, low)
        return tr("Scale: from faint ({faint}) to strong ({strong})").format(faint=faint, strong=strong)
    if scale.coloring is Coloring.ORIGIN:
        return tr(
            "Scale: the model's tokens are plain, accepted draft tokens have a bar below, yours one above and below, "
            "and a corner is marked where drafts were rejected"
        )
    return tr("Scale: {words}").format(words=in_words(scale))


class TokenLegend(QWidget):
    chosen = Signal(object)
    """The selected Coloring."""
    left = Signal()
    """The user closed the token view."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "token_legend", tr("Token legend"))
        self._choice = named(QComboBox(), "token_colouring", tr("Token color"))
        title = plain_label("token_legend_title", tr("Color"), muted=True, buddy=self._choice)
        for coloring in Coloring:
            self._choice.addItem(NAMES[coloring], coloring)
        self._scale = TokenScale(theme)
        tip = tr("Back to the text view")
        leave = tool_button("token_legend_leave", "✕", tip, tip, kind="quiet", press=self.left)
        margins = (MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX)
        in_row(title, self._choice, (self._scale, 1), leave, on=self, margins=margins)
        self._choice.activated.connect(lambda: self.chosen.emit(self.coloring))
        self.show_scale(Scale(Coloring.PROBABILITY))

    @property
    def coloring(self) -> Coloring:
        return Coloring(self._choice.currentData())

    def show_scale(self, scale: Scale) -> None:
        """Show this scale without emitting a signal."""
        self._choice.setCurrentIndex(list(Coloring).index(scale.coloring))
        self._choice.setToolTip(DEFINITIONS[scale.coloring])
        self._scale.setToolTip(DEFINITIONS[scale.coloring])
        self._scale.show_scale(scale)
