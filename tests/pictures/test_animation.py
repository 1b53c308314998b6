import struct
import zlib
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter

from tests.pictures.animation import SIGNATURE, Picture, save_animation


def frame(color: str, left: int) -> QImage:
    image = QImage(40, 30, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.fillRect(left, 10, 5, 5, QColor(color))
    painter.end()
    return image


def played(content: bytes) -> list[tuple[QImage, int]]:
    """Compose the frames as a browser does."""
    frames: list[tuple[QImage, int]] = []
    header, at = b"", len(SIGNATURE)
    place = (0, 0, 0, 0, 0)
    while at < len(content):
        (length,), kind = struct.unpack(">I", content[at : at + 4]), content[at + 4 : at + 8]
        data = content[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            header = data
        elif kind == b"fcTL":
            width, height, left, top, milliseconds = struct.unpack(">IIIIH", data[4:22])
            place = (width, height, left, top, milliseconds)
        elif kind in (b"IDAT", b"fdAT"):
            width, height, left, top, milliseconds = place
            size = struct.pack(">II", width, height) + header[8:]
            chunks = [(b"IHDR", size), (b"IDAT", data if kind == b"IDAT" else data[4:]), (b"IEND", b"")]
            png = SIGNATURE + b"".join(
                struct.pack(">I", len(each)) + name + each + struct.pack(">I", zlib.crc32(name + each))
                for name, each in chunks
            )
            canvas = frames[-1][0].copy() if frames else QImage(40, 30, QImage.Format.Format_RGB32)
            painter = QPainter(canvas)
            painter.drawImage(left, top, QImage.fromData(png))
            painter.end()
            frames.append((canvas, milliseconds))
        at += length + 12
    return frames


def test_animation_played_gives_the_frames_and_their_times(tmp_path: Path) -> None:
    pictures = [Picture(frame("red", 2), 100), Picture(frame("red", 20), 250), Picture(frame("red", 20), 50)]
    save_animation(pictures, tmp_path / "a.png")
    assert played((tmp_path / "a.png").read_bytes()) == [(each.image, each.milliseconds) for each in pictures]
