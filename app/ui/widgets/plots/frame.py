"""What every plot here has in common: it stands still, and its axes say plain numbers. Imports pyqtgraph."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QWidget

from app.ui.look.palette import Colour
from app.ui.look.theme import GAP_PX, Size, Theme

AXIS_PX = 7 * GAP_PX
WHOLE = 255
"""As strong as the pen: the lines are hairlines by their colour."""

BELOW = -1
"""Under the curves."""


class EndingAxis(pg.AxisItem):
    """Has no numbers where nothing is drawn any more."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self.last = float("inf")

    def tickValues(self, lowest: float, highest: float, size: float) -> list[tuple[float, list[float]]]:
        end = min(highest, self.last)
        drawn = super().tickValues(lowest, end, size * (end - lowest) / max(1e-9, highest - lowest))
        return [(step, [each for each in places if each <= end]) for step, places in drawn]


def keep_still(item: pg.PlotItem, plot: QWidget) -> None:
    """Ranges are set by hand, and nothing in the plot item of pyqtgraph reacts to buttons or the wheel."""
    # The widget around it takes the keys: whoever tabs through the window stops there once.
    for part in (plot, *plot.findChildren(QWidget)):
        part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    # pyqtgraph leaves its menu without a parent, to outlive the plot.
    item.ctrlMenu.setParent(plot, item.ctrlMenu.windowFlags())
    item.hideButtons()
    item.disableAutoRange()
    item.setMouseEnabled(x=False, y=False)
    for side in ("left", "bottom"):
        item.getAxis(side).enableAutoSIPrefix(False)
    item.setContentsMargins(0, GAP_PX, GAP_PX, 0)


def dress_axis(item: pg.PlotItem, side: str, theme: Theme, text: Colour, label: str) -> None:
    """In the theme's present colours and size."""
    axis = item.getAxis(side)
    axis.setPen(fine_pen(theme.colour(Colour.LINE)))
    axis.setStyle(maxTickLevel=0, tickLength=0)
    axis.setGrid(WHOLE if side == "left" else False)
    axis.setZValue(BELOW)
    axis.setTextPen(theme.colour(text))
    axis.setTickFont(theme.font(Size.SMALL))
    if side != "bottom":
        axis.setWidth(theme.scaled(AXIS_PX))
    item.setLabel(side, label, **{"color": theme.hex(text), "font-size": f"{theme.scaled(Size.SMALL)}px"})


def fine_pen(colour: QColor, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """One pixel wide whatever the scale: wider lines cost many times as much to draw."""
    pen = QPen(colour, 1, style)
    pen.setCosmetic(True)
    return pen
