"""Paints the list of sessions: rows, headings, and search results with the matches in bold."""

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.i18n import tr
from app.records.types import SessionId
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Colour, Size, Theme
from app.ui.sessions.list_model import ROW, Heading, SessionRow
from app.ui.widgets import named
from app.ui.widgets.table_model import Index, is_right_to_left

LINE_PX = 30
RESULT_PX = 48
BAR_PX = 3
RADIUS_PX = 6
PIN = "◆"


class SessionDelegate(QStyledItemDelegate):
    """`present` is the open session."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.present: SessionId = 0
        self.found = False
        """The rows have excerpts under their titles."""
        self.several = False
        """More than one row is selected."""

    def _paint_heading(self, painter: QPainter, rect: QRect, heading: Heading) -> None:
        painter.setFont(self._theme.font(Size.SMALL, bold=True))
        painter.setPen(self._theme.colour(Colour.MUTED))
        painter.drawText(rect.adjusted(MARGIN_PX, 0, -GAP_PX, -GRID_PX), _LOW, heading.text)

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, row: SessionRow) -> None:
        rect, state = option.rect.adjusted(GRID_PX, 1, -GRID_PX, -1), option.state
        painter.setPen(Qt.PenStyle.NoPen)
        chosen = self.several and bool(state & _SELECTED)
        if chosen or row.session.id == self.present or state & _HOVERED:
            ground = (Colour.USER, 1.0 if row.session.id == self.present else 0.6)
            painter.setBrush(self._theme.colour(*((Colour.ACCENT, 0.25) if chosen else ground)))
            painter.drawRoundedRect(rect, RADIUS_PX, RADIUS_PX)
        if row.session.id == self.present:
            painter.setBrush(self._theme.colour(Colour.ACCENT))
            painter.drawRoundedRect(QRect(rect.left(), rect.top() + 5, BAR_PX, rect.height() - 10), 1, 1)
        if state & _FOCUSED:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(self._theme.colour(Colour.ACCENT))
            painter.drawRoundedRect(rect, RADIUS_PX, RADIUS_PX)

    def _paint_line(self, painter: QPainter, rect: QRect, row: SessionRow) -> None:
        note_room = self._paint_note(painter, rect, row)
        painter.setFont(self._theme.font(Size.NORMAL))
        painter.setPen(self._theme.colour(Colour.TEXT))
        metrics = QFontMetrics(painter.font())
        room = rect.adjusted(0, 0, -note_room, 0)
        # Otherwise the ellipsis of a Hebrew title would be at its beginning.
        title = row.session.title
        painter.setLayoutDirection(_RUNS[is_right_to_left(title)])
        painter.drawText(room, _MIDDLE, metrics.elidedText(title, Qt.TextElideMode.ElideRight, room.width()))

    def _paint_note(self, painter: QPainter, rect: QRect, row: SessionRow) -> int:
        """Paint the note right of the title; return its width."""
        note = " ".join(filter(None, (row.note, PIN if row.session.pinned else "")))
        if not note:
            return 0
        painter.setFont(self._theme.font(Size.SMALL))
        painter.setPen(self._theme.colour(Colour.WARNING if row.session.interrupted else Colour.MUTED))
        painter.drawText(rect, _RIGHT, note)
        return QFontMetrics(painter.font()).horizontalAdvance(note) + GAP_PX

    def _paint_excerpt(self, painter: QPainter, rect: QRect, row: SessionRow) -> None:
        """Paint the excerpt, with the matches in bold."""
        room, reversed_ = QRect(rect), is_right_to_left(row.excerpt)
        painter.setLayoutDirection(_RUNS[reversed_])
        for text, bold in centred(_pieces(row), room.width(), self._theme, reversed_):
            painter.setFont(self._theme.font(Size.SMALL, bold=bold))
            painter.setPen(self._theme.colour(Colour.TEXT if bold else Colour.MUTED))
            metrics = QFontMetrics(painter.font())
            painter.drawText(room, _MIDDLE, metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width()))
            taken = metrics.horizontalAdvance(text)
            room.adjust(0 if reversed_ else taken, 0, -taken if reversed_ else 0, 0)
            if room.width() <= 0:
                return

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect: QRect = option.rect
        if isinstance(row, Heading):
            self._paint_heading(painter, rect, row)
        elif isinstance(row, SessionRow):
            self._paint_ground(painter, option, row)
            inside = rect.adjusted(MARGIN_PX, 0, -MARGIN_PX, 0)
            if row.excerpt:
                half = rect.height() // 2
                self._paint_line(painter, inside.adjusted(0, 4, 0, -half + 2), row)
                self._paint_excerpt(painter, inside.adjusted(0, half - 2, 0, -4), row)
            else:
                self._paint_line(painter, inside, row)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self._theme.scaled(RESULT_PX if self.found else LINE_PX))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        tip = tr("Leave the title empty to use the first words of the session")
        editor = named(QLineEdit(parent), "session_title", tr("Title of the session"), tip)
        editor.setAutoFillBackground(True)
        editor.setBackgroundRole(QPalette.ColorRole.Base)
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect.adjusted(GRID_PX, 1, -GRID_PX, -1))


def _pieces(row: SessionRow) -> list[tuple[str, bool]]:
    pieces, at = [], 0
    for start, end in row.marks:
        pieces += [(row.excerpt[at:start], False), (row.excerpt[start:end], True)]
        at = end
    pieces.append((row.excerpt[at:], False))
    return [(" ".join(text.split("\n")), bold) for text, bold in pieces if text]


def centred(pieces: list[tuple[str, bool]], room: int, theme: Theme, reversed_: bool = False) -> list[tuple[str, bool]]:
    """Cut the text before the first match, to center the match in a line that is too short."""
    fonts = [QFontMetrics(theme.font(Size.SMALL, bold=bold)) for bold in (False, True)]
    widths = [fonts[bold].horizontalAdvance(text) for text, bold in pieces]
    if len(pieces) < 2 or pieces[0][1] or sum(widths) <= room:
        return pieces
    side = Qt.TextElideMode.ElideRight if reversed_ else Qt.TextElideMode.ElideLeft
    return [(fonts[0].elidedText(pieces[0][0], side, max(0, room - widths[1]) // 2), False), *pieces[1:]]


_RUNS = (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft)
_MIDDLE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_LOW = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft
_HOVERED = QStyle.StateFlag.State_MouseOver
_SELECTED = QStyle.StateFlag.State_Selected
_FOCUSED = QStyle.StateFlag.State_HasFocus
