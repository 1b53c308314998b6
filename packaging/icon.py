"""Draws the icon: a sluice seen from the side. Water stands behind the gate, and leaves under it token by token.

usage: icon.py [FOLDER]    writes icons/sluice.icns and, into FOLDER (resources/icons), a PNG for each size
"""

import os
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QGuiApplication, QImage, QImageWriter, QLinearGradient, QPainter, QPainterPath

import icns

SIZES_PX = (16, 24, 32, 48, 64, 128, 256, 512)
MAC_BODY = 824 / 1024
"""What a Mac's icons fill of their square; on Linux they go nearer to its edge."""
LINUX_BODY = 944 / 1024
ROUNDING = 185 / 824

STREAM, FLOOR = 0.645, 0.845
"""Where the stream begins and ends, from the top, in parts of the side."""

GROUND = ("#2c5596", "#152f60")
WATER = ("#6cc7ff", "#2f86ec")
GATE = ("#ffffff", "#d5dfee")
TOKENS = ("#4fd0c3", "#ffc65c", "#8fb4ff")


def draw(size: int, body: float) -> QImage:
    """The icon in pixels; from 24 px down, fewer and coarser parts."""
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    edge = max(1.0, round(size * (1 - body) / 2)) if size <= 64 else size * (1 - body) / 2
    side = size - 2 * edge
    painter.translate(edge, edge)
    ground = QPainterPath()
    ground.addRoundedRect(QRectF(0, 0, side, side), side * ROUNDING, side * ROUNDING)
    painter.fillPath(ground, _fade(GROUND, side))
    painter.setClipPath(ground)
    _Picture(painter, side, coarse=size <= 24).paint()
    painter.end()
    return image


class _Picture:
    """What stands on the ground, in parts of its side."""

    def __init__(self, painter: QPainter, side: float, coarse: bool) -> None:
        self._painter = painter
        self._side = side
        self._coarse = coarse

    def paint(self) -> None:
        self._water()
        self._tokens()
        self._gate()

    def _water(self) -> None:
        """High behind the gate, and out under it; below it the floor is bare."""
        path = QPainterPath(self._at(0, 0.36))
        if self._coarse:
            path.lineTo(self._at(0.5, 0.36))
        else:
            path.cubicTo(self._at(0.12, 0.31), self._at(0.18, 0.31), self._at(0.25, 0.36))
            path.cubicTo(self._at(0.32, 0.41), self._at(0.40, 0.41), self._at(0.5, 0.36))
        for x, y in ((0.5, STREAM), (0.58, STREAM), (0.58, FLOOR), (0, FLOOR)):
            path.lineTo(self._at(x, y))
        self._painter.fillPath(path, _fade(WATER, self._side))

    def _tokens(self) -> None:
        """Each a block of its own, carried off."""
        if self._coarse:
            blocks = [(0.64, 0.26, TOKENS[1])]
        else:
            blocks = [(0.55, 0.14, TOKENS[0]), (0.72, 0.10, TOKENS[1]), (0.85, 0.17, TOKENS[2])]
        radius = 0 if self._coarse else self._side * 0.035
        for x, width, color in blocks:
            self._painter.setBrush(QColor(color))
            self._painter.drawRoundedRect(self._box(x, STREAM, width, FLOOR - STREAM), radius, radius)

    def _gate(self) -> None:
        radius = self._side * 0.045
        self._painter.setBrush(_fade(GATE, self._side))
        width = 0.14 if self._coarse else 0.11
        self._painter.drawRoundedRect(self._box(0.5 - width / 2, 0.14, width, 0.45), radius, radius)

    def _at(self, x: float, y: float) -> QPointF:
        """So small a picture stands on whole pixels, or it is a blur."""
        at = QPointF(x * self._side, y * self._side)
        return at if not self._coarse else QPointF(round(at.x()), round(at.y()))

    def _box(self, x: float, y: float, width: float, height: float) -> QRectF:
        return QRectF(self._at(x, y), self._at(x + width, y + height))


def png(image: QImage) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, b"png").write(image)
    return bytes(buffer.data().data())


def _fade(colors: tuple[str, str], side: float) -> QBrush:
    gradient = QLinearGradient(0, 0, 0, side)
    gradient.setColorAt(0, QColor(colors[0]))
    gradient.setColorAt(1, QColor(colors[1]))
    return QBrush(gradient)


def main(folder: Path) -> None:
    """All files."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication([])
    folder.mkdir(parents=True, exist_ok=True)
    for size in SIZES_PX:
        (folder / f"sluice-{size}.png").write_bytes(png(draw(size, LINUX_BODY)))
    own = Path(__file__).parent / "icons"
    own.mkdir(exist_ok=True)
    (own / "sluice.icns").write_bytes(icns.container({size: png(draw(size, MAC_BODY)) for size in icns.SIZES_PX}))
    application.quit()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).parents[1] / "resources" / "icons")
