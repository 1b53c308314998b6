"""Reads what a Mac's linker would read of a binary: for which processor, from which macOS on, and what it looks for."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

THIN, FAT = b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"
PROCESSORS = {0x0100000C: "arm64", 0x01000007: "x86_64"}

_HEAD = struct.Struct("<4sIIIIIII")
_COMMAND = struct.Struct("<II")
_SYMTAB, _VERSION_MIN, _RPATH, _BUILD_VERSION, _SIGNATURE = 0x02, 0x24, 0x1C, 0x32, 0x1D
_LIBRARIES = {0x0C, 0x18, 0x1F, 0x23}
"""Load commands that name a library: needed, weak, re-exported, upward."""
_MUST_BE_KNOWN = 0x80000000
_SYMBOL_BYTES = 16
_DEBUG, _EXTERNAL, _TYPE = 0xE0, 0x01, 0x0E


@dataclass(frozen=True, slots=True)
class Slice:
    """The part of a binary for one processor."""

    processor: str
    oldest_macos: tuple[int, int]
    libraries: tuple[str, ...]
    rpaths: tuple[str, ...]
    signed: bool
    undefined: frozenset[str]
    """Names that it expects of the libraries."""


def is_macho(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(4) in (THIN, FAT)


def slices(file: Path) -> tuple[Slice, ...]:
    """All of them: a universal binary has several, and an archive of objects, which only looks like one, has none."""
    content = file.read_bytes()
    parts = (content[at : at + size] for at, size in _places(content))
    return tuple(_slice(part) for part in parts if part.startswith(THIN))


def thin(content: bytes, processor: str) -> bytes:
    """The part for one processor, as a binary of its own."""
    for at, size in _places(content):
        part = content[at : at + size]
        if PROCESSORS.get(_HEAD.unpack_from(part)[1]) == processor:
            return part
    raise ValueError(f"no part for {processor}")


def _places(content: bytes) -> Iterator[tuple[int, int]]:
    """Where the parts lie."""
    if content[:4] != FAT:
        yield 0, len(content)
        return
    (count,) = struct.unpack_from(">I", content, 4)
    for index in range(count):
        _, _, at, size, _ = struct.unpack_from(">IIIII", content, 8 + 20 * index)
        yield at, size


def _slice(part: bytes) -> Slice:
    processor = PROCESSORS.get(_HEAD.unpack_from(part)[1], "another processor")
    oldest, signed, libraries, rpaths = (0, 0), False, [], []
    undefined: frozenset[str] = frozenset()
    for kind, command in _commands(part):
        if kind in _LIBRARIES:
            libraries.append(_text(command))
        elif kind == _RPATH:
            rpaths.append(_text(command))
        elif kind in (_BUILD_VERSION, _VERSION_MIN):
            (version,) = struct.unpack_from("<I", command, 12 if kind == _BUILD_VERSION else 8)
            oldest = (version >> 16, version >> 8 & 0xFF)
        elif kind == _SIGNATURE:
            signed = True
        elif kind == _SYMTAB:
            undefined = frozenset(_undefined(part, *struct.unpack_from("<IIII", command, 8)))
    return Slice(processor, oldest, tuple(libraries), tuple(rpaths), signed, undefined)


def _commands(part: bytes) -> Iterator[tuple[int, bytes]]:
    at, count = _HEAD.size, _HEAD.unpack_from(part)[4]
    for _ in range(count):
        kind, size = _COMMAND.unpack_from(part, at)
        yield kind & ~_MUST_BE_KNOWN, part[at : at + size]
        at += size


def _text(command: bytes) -> str:
    (at,) = struct.unpack_from("<I", command, 8)
    return command[at:].split(b"\0", 1)[0].decode()


def _undefined(part: bytes, symbols_at: int, count: int, names_at: int, names_size: int) -> Iterator[str]:
    names = part[names_at : names_at + names_size]
    for index in range(count):
        name_at, kind = struct.unpack_from("<IB", part, symbols_at + _SYMBOL_BYTES * index)
        if kind & _TYPE == 0 and kind & _EXTERNAL and not kind & _DEBUG:
            yield names[name_at : names.index(b"\0", name_at)].decode()
