"""The commands on offer as a list, each painted with the typed letters in bold, where else it is, and its keys."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QObject, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.ui.commands.ranking import RankedCommand
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Colour, Size, Theme
from app.ui.widgets.table_model import Index

HIT = Qt.ItemDataRole.UserRole
ROW_PX = 30
RADIUS_PX = 6
CHECK_PX = 20
CHECK = "✓"

_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_ELIDED = Qt.TextElideMode.ElideRight


class Hits(QAbstractListModel):
    """A row for each; one that can't be used can still be gone to, and says why."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hits: tuple[RankedCommand, ...] = ()

    def show_hits(self, hits: Sequence[RankedCommand]) -> None:
        self.beginResetModel()
        self._hits = tuple(hits)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._hits)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        hit = self._hits[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return hit.command.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return hit.command.told
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return hit.command.tip
        return hit if role == HIT else None


class HitDelegate(QStyledItemDelegate):
    """What can't be used is muted, and says what it needs."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, line_above: bool) -> None:
        rect, state = option.rect, option.state
        if line_above:
            painter.setPen(self._theme.colour(Colour.LINE))
            painter.drawLine(rect.left() + MARGIN_PX, rect.top(), rect.right() - MARGIN_PX, rect.top())
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen or state & QStyle.StateFlag.State_MouseOver:
            inside = rect.adjusted(GRID_PX, 2, -GRID_PX, -2)
            painter.setPen(self._theme.colour(Colour.ACCENT) if chosen else Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour(Colour.USER, 1.0 if chosen else 0.6))
            painter.drawRoundedRect(inside, RADIUS_PX, RADIUS_PX)

    def _paint_keys(self, painter: QPainter, rect: QRect, hit: RankedCommand) -> int:
        """At the right; how much room they took."""
        if not hit.command.keys:
            return 0
        painter.setFont(self._theme.font(Size.NORMAL))
        painter.setPen(self._theme.colour(Colour.MUTED))
        painter.drawText(rect, _RIGHT, hit.command.keys)
        return painter.fontMetrics().horizontalAdvance(hit.command.keys) + 2 * GAP_PX

    def _paint_words(self, painter: QPainter, rect: QRect, hit: RankedCommand) -> int:
        """Letter after letter where some are bold; how much room they took."""
        at = rect.left()
        painter.setPen(self._theme.colour(Colour.TEXT if hit.command.enabled else Colour.MUTED))
        for text, bold in _pieces(hit):
            painter.setFont(self._theme.font(Size.NORMAL, bold=bold))
            metrics, room = QFontMetrics(painter.font()), rect.right() - at
            painter.drawText(QRect(at, rect.top(), max(0, room), rect.height()), _LEFT, _fitted(metrics, text, room))
            at += metrics.horizontalAdvance(text)
        return at - rect.left()

    def _paint_place(self, painter: QPainter, rect: QRect, hit: RankedCommand) -> None:
        """Its menu, or why it can't be used."""
        words = hit.command.place if hit.command.enabled else hit.command.needs
        painter.setFont(self._theme.font(Size.SMALL))
        painter.setPen(self._theme.colour(Colour.MUTED))
        painter.drawText(rect, _LEFT, _fitted(painter.fontMetrics(), words, rect.width()))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        hit: RankedCommand = index.data(HIT)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, option, hit.line_above)
        rect: QRect = option.rect.adjusted(MARGIN_PX, 0, -MARGIN_PX, 0)
        if hit.command.checked:
            painter.setPen(self._theme.colour(Colour.TEXT if hit.command.enabled else Colour.MUTED))
            painter.setFont(self._theme.font(Size.NORMAL))
            painter.drawText(rect, _LEFT, CHECK)
        rect.adjust(self._theme.scaled(CHECK_PX), 0, -self._paint_keys(painter, rect, hit), 0)
        rect.adjust(self._paint_words(painter, rect, hit) + MARGIN_PX, 0, 0, 0)
        self._paint_place(painter, rect, hit)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self._theme.scaled(ROW_PX))


def _pieces(hit: RankedCommand) -> list[tuple[str, bool]]:
    """The text cut where bold begins or ends."""
    pieces: list[tuple[str, bool]] = []
    for at, letter in enumerate(hit.command.text):
        bold = at in hit.marks
        if pieces and pieces[-1][1] == bold:
            pieces[-1] = (pieces[-1][0] + letter, bold)
        else:
            pieces.append((letter, bold))
    return pieces


def _fitted(metrics: QFontMetrics, text: str, room: int) -> str:
    return metrics.elidedText(text, _ELIDED, max(0, room))
