"""A collapsible section of the panel."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFont, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.i18n import tr
from app.ui.look import GRID_PX, MARGIN_PX, Color, Size, Theme
from app.ui.widgets import in_column, keep_focus, named

HEADING_PX = 32
ARROW_PX = 3.5
RADIUS_PX = GRID_PX


class Section(QWidget):
    """A collapsible section. Its state is saved under `name`; `unfolded` is emitted when it is expanded."""

    unfolded = Signal()

    def __init__(self, theme: Theme, name: str, title: str, body: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"section_{name}")
        self.name = name
        self._heading = named(_Heading(theme, title), f"fold_{name}", title)
        self._heading.toggled.connect(self._fold)
        self._body = body
        if (inside := body.layout()) is not None:
            inside.setContentsMargins(MARGIN_PX, 0, MARGIN_PX, MARGIN_PX)
        in_column(self._heading, body, on=self, gap=0)

    @property
    def is_open(self) -> bool:
        return self._heading.isChecked()

    def open(self, wanted: bool = True) -> None:
        self._heading.setChecked(wanted)

    def note(self, words: str) -> None:
        """Show a short note in the heading while the section is collapsed."""
        self._heading.note(words)

    def _fold(self, is_open: bool) -> None:
        if not is_open:
            keep_focus(self._body, self._heading)
        self._body.setVisible(is_open)
        if is_open:
            self.unfolded.emit()


class _Heading(QAbstractButton):
    """The heading: an arrow, the title, and a note at the right. It looks the same on every system."""

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__()
        self._theme = theme
        self._note = ""
        self.setText(title)
        self.setCheckable(True)
        self.setChecked(True)
        self.setFont(theme.font(Size.NORMAL, bold=True))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.toggled.connect(self._update_tip)
        theme.changed.connect(self.update)
        self._update_tip()

    def note(self, words: str) -> None:
        if words != self._note:
            self._note = words
            self.setAccessibleDescription(words)
            self.update()

    def _update_tip(self) -> None:
        words = tr("Collapse {section}") if self.isChecked() else tr("Expand {section}")
        self.setToolTip(words.format(section=self.text()))

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(width + 4 * MARGIN_PX, self._theme.scaled(HEADING_PX))

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inner = QRectF(self.rect()).adjusted(GRID_PX, GRID_PX / 2, -GRID_PX, -GRID_PX / 2)
        painter.setPen(QPen(self._theme.color(Color.ACCENT if self.hasFocus() else Color.RAISED), 1))
        painter.setBrush(self._theme.color(Color.USER if self.underMouse() else Color.RAISED))
        painter.drawRoundedRect(inner, RADIUS_PX, RADIUS_PX)
        self._paint_arrow(painter, QPointF(MARGIN_PX + ARROW_PX, self.height() / 2))
        text = QRectF(self.rect()).adjusted(2 * MARGIN_PX + GRID_PX, 0, -MARGIN_PX, 0)
        painter.setPen(self._theme.color(Color.TEXT))
        painter.drawText(text, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.text())
        small = self._theme.font(Size.SMALL)
        small.setWeight(QFont.Weight.Normal)  # explicit, or the heading's weight would remain
        painter.setFont(small)
        painter.setPen(self._theme.color(Color.MUTED))
        painter.drawText(text, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._note)

    def _paint_arrow(self, painter: QPainter, at: QPointF) -> None:
        painter.setPen(QPen(self._theme.color(Color.MUTED), 1.5))
        length = self._theme.scaled(100) * ARROW_PX / 100
        along = QPointF(length, 0) if self.isChecked() else QPointF(0, length)
        across = QPointF(along.y(), along.x()) / 2
        painter.drawPolyline(QPolygonF([at - along - across, at + across, at + along - across]))
