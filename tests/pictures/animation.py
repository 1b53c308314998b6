"""Animated PNG files: browsers and GitHub play them, and each frame holds only the pixels that changed."""

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray
from PySide6.QtGui import QImage

SIGNATURE = b"\x89PNG\r\n\x1a\n"
RGBA = 4
OVER = 1
"""Blend operation of a frame: transparent pixels keep the frame before."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One frame and how long it is shown."""

    image: QImage
    milliseconds: int


def save_animation(pictures: Sequence[Picture], path: Path) -> None:
    """Write the frames as an animated PNG that repeats for ever."""
    first = pictures[0].image
    chunks = [
        _chunk(b"IHDR", struct.pack(">IIBBBBB", first.width(), first.height(), 8, 6, 0, 0, 0)),
        _chunk(b"acTL", struct.pack(">II", len(pictures), 0)),
    ]
    number = 0
    before: np.ndarray | None = None
    for picture in pictures:
        pixels = _pixels(picture.image)
        left, top, frame = _changes(before, pixels)
        height, width = frame.shape[:2]
        place = struct.pack(">IIIII", number, width, height, left, top)
        chunks.append(_chunk(b"fcTL", place + struct.pack(">HHBB", picture.milliseconds, 1000, 0, OVER)))
        number += 1
        data = _compressed(frame)
        if before is None:
            chunks.append(_chunk(b"IDAT", data))
        else:
            chunks.append(_chunk(b"fdAT", struct.pack(">I", number) + data))
            number += 1
        before = pixels
    path.write_bytes(SIGNATURE + b"".join(chunks) + _chunk(b"IEND", b""))


def _pixels(image: QImage) -> np.ndarray:
    converted = image.convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(converted.constBits(), np.uint8).reshape(converted.height(), converted.bytesPerLine())
    return rows[:, : converted.width() * RGBA].reshape(converted.height(), converted.width(), RGBA).copy()


def _changes(before: np.ndarray | None, pixels: np.ndarray) -> tuple[int, int, np.ndarray]:
    """Return left, top and pixels of the changed rectangle; unchanged pixels in it are transparent."""
    if before is None:
        return 0, 0, pixels
    changed = (before != pixels).any(axis=2)
    rows, columns = changed.any(axis=1).nonzero()[0], changed.any(axis=0).nonzero()[0]
    if not len(rows):
        return 0, 0, np.zeros((1, 1, RGBA), np.uint8)
    area = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    return int(columns[0]), int(rows[0]), pixels[area] * changed[area][:, :, None]


def _compressed(frame: np.ndarray) -> bytes:
    """Let Qt choose the filters of the rows, which makes text a third smaller than none."""
    height, width = frame.shape[:2]
    image = QImage(np.ascontiguousarray(frame).data, width, height, width * RGBA, QImage.Format.Format_RGBA8888)
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG", 0)  # type: ignore[call-overload]  # quality 0 compresses most
    return _image_data(buffer.data())


def _image_data(png: QByteArray) -> bytes:
    content, at, data = bytes(png.data()), len(SIGNATURE), b""
    while at < len(content):
        (length,), kind = struct.unpack(">I", content[at : at + 4]), content[at + 4 : at + 8]
        if kind == b"IDAT":
            data += content[at + 8 : at + 8 + length]
        at += length + 12
    return data


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
