"""Paints visible tokens: backgrounds, signs, marks and rejected drafts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from app.ui.look import GRID_PX, Color, Size, Theme
from app.ui.tokens.colors import DRAFT, USER, Coloring, Scale, Tone, ground, tone_of
from app.ui.tokens.layer import TokenLayer, TokenRef
from app.ui.tokens.layer import VisibleLine as Line
from app.ui.tokens.rectangles import Sign
from app.ui.tokens.words import legible

MAX_PX = 320
NOTCH_PX = 5
DISTANCE_PX = 3
"""Distance between the token and its rejected draft in pixels."""
BAR_PX = 2
INK_PX = 1.0
INK = 0.75
"""Opacity of signs."""
BREAK_SIGN = (QLineF(3, -3, 3, 1), QLineF(3, 1, -3, 1), QLineF(-3, 1, -0.5, -1.5), QLineF(-3, 1, -0.5, 3.5))
"""A return arrow around its center."""
END_SIGN_PX = 6
EDGE_PX = 4
"""Distance that marks reach beyond a token."""
BAND_PX = 3
RADIUS_PX = 3
POINTED_PX = 1
MARKED_PX = 2


def paint_notches(painter: QPainter, rects: Sequence[QRectF], theme: Theme) -> None:
    """Mark the upper left corner of tokens that replaced rejected drafts."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(Color.DRAFT_REJECTED))
    for each in rects:
        corner = each.topLeft()
        painter.drawPolygon(QPolygonF([corner, corner + QPointF(NOTCH_PX, 0), corner + QPointF(0, NOTCH_PX)]))


def paint_ghost(painter: QPainter, token: QRectF, text: str, width: float, theme: Theme) -> None:
    """Paint the rejected draft over the text, above the token or on the first line below it."""
    font = QFont(theme.font(Size.SMALL, mono=True))
    font.setStrikeOut(True)
    metrics = QFontMetricsF(font)
    visible = legible(text).replace("␣", " ")
    words = metrics.elidedText(visible, Qt.TextElideMode.ElideRight, min(MAX_PX, width - 2 * GRID_PX))
    size = metrics.horizontalAdvance(words) + 2 * GRID_PX, metrics.height() + 2
    top = token.top() - DISTANCE_PX - size[1]
    left = max(0.0, min(token.left(), width - size[0]))
    box = QRectF(left, top if top >= 0 else token.bottom() + DISTANCE_PX, *size)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color(Color.OUTLINE), 1))
    painter.setBrush(theme.color(Color.RAISED))
    painter.drawRoundedRect(box, RADIUS_PX, RADIUS_PX)
    painter.setFont(font)
    painter.setPen(theme.color(Color.DRAFT_REJECTED))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


@dataclass(frozen=True, slots=True)
class TokenMarks:
    """The marks: the selected token, the pointed token, and a range (index of the turn, first place, last place)."""

    marked: TokenRef | None = None
    pointed: TokenRef | None = None
    stretch: tuple[int, int, int] | None = None

    def before(self, index: int) -> TokenMarks:
        marked, pointed, stretch = self.marked, self.pointed, self.stretch
        return TokenMarks(
            marked if marked is not None and marked.index < index else None,
            pointed if pointed is not None and pointed.index < index else None,
            stretch if stretch is not None and stretch[0] < index else None,
        )


def paint_tokens(
    painter: QPainter, lines: Iterable[Line], layer: TokenLayer, scale: Scale, marks: TokenMarks, theme: Theme
) -> None:
    seen = list(lines)
    grounds: dict[Tone, list[QRectF]] = defaultdict(list)
    for line in seen:
        trace = layer.traces[line.index]
        for span in line.spans:
            grounds[tone_of(trace, span.position, scale)].append(span.rect.translated(line.origin))
    for tone, rects in grounds.items():
        paint_grounds(painter, rects, tone, theme)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for line in seen:
        for span in line.spans:
            if span.sign is not Sign.NONE:
                paint_sign(painter, span.rect.translated(line.origin), span.sign, theme)
    if scale.coloring is Coloring.ORIGIN:
        paint_notches(painter, list(_rejection_rects(seen, layer)), theme)
    if marks.stretch is not None:
        paint_band(painter, _range_rects(seen, marks.stretch), theme)
    for spot, marked in ((marks.pointed, False), (marks.marked, True)):
        if spot is not None:
            paint_outline(painter, layer.rects(spot), theme, marked=marked)


def _range_rects(lines: list[Line], stretch: tuple[int, int, int]) -> list[QRectF]:
    index, first, last = stretch
    mine = (line for line in lines if line.index == index)
    return [span.rect.translated(line.origin) for line in mine for span in line.spans if first <= span.position <= last]


def _rejection_rects(seen: list[Line], layer: TokenLayer) -> Iterator[QRectF]:
    known: set[tuple[int, int]] = set()
    for line in seen:
        for span in line.spans:
            key = line.index, span.position
            if key not in known and layer.traces[line.index].rejected(span.position):
                known.add(key)
                yield span.rect.translated(line.origin)


def paint_grounds(
    painter: QPainter, rects: Sequence[QRectF], tone: Tone, theme: Theme, strong: Color = Color.TOKEN
) -> None:
    """Paint backgrounds of one tone. Draft tokens have a bar below; inserted ones have bars below and above."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground(tone, theme, strong))
    painter.drawRects(rects)
    if tone in (DRAFT, USER):
        painter.setBrush(theme.color(Color.DRAFT_ACCEPTED if tone == DRAFT else Color.ACCENT))
        painter.drawRects([QRectF(each.left(), each.bottom() - BAR_PX, each.width(), BAR_PX) for each in rects])
    if tone == USER:
        painter.drawRects([QRectF(each.left(), each.top(), each.width(), BAR_PX) for each in rects])


def paint_outline(painter: QPainter, rects: Sequence[QRectF], theme: Theme, *, marked: bool) -> None:
    """Outline the pointed token, or with a stronger line the selected one."""
    width = MARKED_PX if marked else POINTED_PX
    painter.setPen(QPen(theme.color(Color.ACCENT if marked else Color.TEXT), width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for each in rects:
        painter.drawRoundedRect(each.adjusted(-width / 2, -width / 2, width / 2, width / 2), RADIUS_PX, RADIUS_PX)


def paint_band(painter: QPainter, rects: Sequence[QRectF], theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(Color.ACCENT))
    painter.drawRects([QRectF(each.left() - 0.5, each.bottom(), each.width() + 1, BAND_PX) for each in rects])


def paint_sign(painter: QPainter, rect: QRectF, sign: Sign, theme: Theme) -> None:
    """Paint an arrow for a newline, or a framed square for the end."""
    ink = theme.color(Color.TEXT, INK)
    painter.setPen(QPen(ink, INK_PX))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    middle = rect.center()
    if sign is Sign.BREAK:
        painter.drawLines([line.translated(middle) for line in BREAK_SIGN])
    elif sign is Sign.END:
        painter.setPen(QPen(theme.color(Color.OUTLINE), 1))
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_PX, RADIUS_PX)
        square = QRectF(0, 0, END_SIGN_PX, END_SIGN_PX)
        square.moveCenter(middle)
        painter.fillRect(square, ink)
