"""The container that a Mac's icons come in: PNGs, each behind the four letters that stand for its size."""

import struct
from collections.abc import Iterator, Mapping

KINDS = (
    (b"ic11", 32),
    (b"ic12", 64),
    (b"ic07", 128),
    (b"ic13", 256),
    (b"ic08", 256),
    (b"ic14", 512),
    (b"ic09", 512),
    (b"ic10", 1024),
)
"""The letters and the size in pixels; some sizes stand twice, as themselves and as the double of a smaller one.

The letters of 16 and 32 pixels themselves (icp4, icp5) are left out: macOS shows PNGs behind them as noise."""
SIZES_PX = tuple(sorted({size for _, size in KINDS}))
_HEAD = struct.Struct(">4sI")


def container(pngs: Mapping[int, bytes]) -> bytes:
    """All of them in one file."""
    content = b"".join(_HEAD.pack(kind, _HEAD.size + len(pngs[size])) + pngs[size] for kind, size in KINDS)
    return _HEAD.pack(b"icns", _HEAD.size + len(content)) + content


def entries(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The letters and the picture of each entry; an error if it is no such container."""
    magic, length = _HEAD.unpack_from(content)
    if magic != b"icns" or length != len(content):
        raise ValueError("no icns file")
    at = _HEAD.size
    while at < length:
        kind, size = _HEAD.unpack_from(content, at)
        yield kind, content[at + _HEAD.size : at + size]
        at += size
