"""The icons: strokes on a grid of 16 by 16, painted in a color role, so that they follow the theme."""

import sys

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.ui.look.palette import Color
from app.ui.look.theme import Theme

ICON_PX = 16
"""At 100 %."""
WINDOW = "M3.5 2.5h9A1.5 1.5 0 0 1 14 4v8a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 12V4a1.5 1.5 0 0 1 1.5-1.5z"
STROKES = {
    "attach": "M8 3v10M3 8h10",
    "copy": "M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1",
    "retry": "M13.2 6.5A5.5 5.5 0 1 0 13.5 9M13.5 2.8v3.9h-3.9",
    "edit": "M2.8 13.2l.7-3L11 2.7l2.3 2.3-7.5 7.5zM9.5 4.2l2.3 2.3",
    "details": "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 7.3v3.7M8 5h.01",
    "more": "M3.5 8h.01M8 8h.01M12.5 8h.01",
    "sidebar": f"{WINDOW}M6 2.5v11",
    "inspector": f"{WINDOW}M10 2.5v11",
    "compose": "M7.5 3H3.5a1 1 0 0 0-1 1v8.5a1 1 0 0 0 1 1H12a1 1 0 0 0 1-1V8.5M6 10l.5-2.2L12 2.3 13.7 4 8.2 9.5z",
    "runs": "M2.5 13.5h11M4 11V8.5M8 11V3M12 11V6",
    "code": "M5 4.5L1.8 8 5 11.5M11 4.5L14.2 8 11 11.5M9.2 3L6.8 13",
    "send": "M8 13V3.5M3.8 7.5L8 3.3l4.2 4.2",
    "stop": "M6 6h4v4H6z",
}
"""SVG paths by name."""
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="{path}" fill="none" stroke="{color}"'
    ' stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round"/></svg>'
)
_WIDTHS = {"more": 2.0, "send": 1.8, "stop": 4.0}
_ROLES = {QIcon.Mode.Disabled: Color.OUTLINE, QIcon.Mode.Active: Color.TEXT}
_ALWAYS = {"send": Color.TEXT if sys.platform == "darwin" else Color.ON_ACCENT, "stop": Color.TEXT}
"""Icons on a colored button, whose color doesn't depend on the button's state; macOS draws its own buttons."""
_USUAL_WIDTH = 1.3


class Strokes(QIconEngine):
    """An icon in the theme's colors: muted, in the text color under the pointer, gray if disabled.

    The icon of a checked button has the accent color.
    """

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._name = name

    def clone(self) -> QIconEngine:
        return Strokes(self._theme, self._name)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        lit = Color.ACCENT if state is QIcon.State.On else _ROLES.get(mode, Color.MUTED)
        role = lit if mode is QIcon.Mode.Disabled else _ALWAYS.get(self._name, lit)
        color, width = self._theme.hex(role), _WIDTHS.get(self._name, _USUAL_WIDTH)
        drawn = _SVG.format(path=STROKES[self._name], color=color, width=width)
        QSvgRenderer(QByteArray(drawn.encode())).render(painter, QRectF(rect))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Render for styles that ask for a pixmap."""
        made = QPixmap(size.expandedTo(QSize(1, 1)))
        made.fill(Qt.GlobalColor.transparent)
        with QPainter(made) as painter:
            self.paint(painter, QRect(QPoint(), size), mode, state)
        return made


def icon(theme: Theme, name: str) -> QIcon:
    return QIcon(Strokes(theme, name))
