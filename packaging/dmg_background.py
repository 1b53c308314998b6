"""Draws what lies behind the icons of the disk image: an arrow from the program to the folder of applications.

usage: dmg_background.py FILE
"""

import os
import sys
from pathlib import Path

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QPainterPath, QPen

from icon import WATER, png

SIZE_PX = (640, 400)
GROUND = "#eef1f6"
"""Light in both of the Mac's looks: the Finder writes names in black on a picture."""
FROM, TO, Y = 262.0, 378.0, 190.0
HEAD = 18.0


def draw() -> QImage:
    image = QImage(*SIZE_PX, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(GROUND))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(QColor(WATER[1]), 6)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    arrow = QPainterPath(QPointF(FROM, Y))
    arrow.lineTo(TO, Y)
    arrow.moveTo(TO - HEAD, Y - HEAD)
    arrow.lineTo(TO, Y)
    arrow.lineTo(TO - HEAD, Y + HEAD)
    painter.drawPath(arrow)
    painter.end()
    return image


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication([])
    Path(sys.argv[1]).write_bytes(png(draw()))
