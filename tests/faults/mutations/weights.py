"""The weights: a header that lies, names and numbers that nobody expects."""

import json
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from tests.faults.mutations.mutation import HOSTILE, WEIGHTS, Mutation, Spoil, beside, places, put, write

TENSOR = "model.layers.0.mlp.up_proj.weight"
Header = dict[str, Any]


def header_of(file: Path) -> tuple[Header, bytes]:
    content = file.read_bytes()
    (length,) = struct.unpack_from("<Q", content)
    return json.loads(content[8 : 8 + length]), content[8 + length :]


def join(header: Header | bytes, body: bytes) -> bytes:
    raw = header if isinstance(header, bytes) else json.dumps(header).encode("utf-8", "surrogatepass")
    return struct.pack("<Q", len(raw)) + raw + body


def with_header(change: Callable[[Header, Random], Header | bytes | None]) -> Spoil:
    def spoil(folder: Path, luck: Random) -> None:
        header, body = header_of(folder / WEIGHTS)
        changed = change(header, luck)
        write(folder / WEIGHTS, join(header if changed is None else changed, body))

    return spoil


def with_tensor(**fields: object) -> Spoil:
    def change(header: Header, luck: Random) -> None:
        header[TENSOR].update(fields)

    return with_header(change)


def filled(byte: int) -> Spoil:
    def spoil(folder: Path, luck: Random) -> None:
        header, body = header_of(folder / WEIGHTS)
        write(folder / WEIGHTS, join(header, bytes([byte]) * len(body)))

    return spoil


def named(name: str) -> Spoil:
    def change(header: Header, luck: Random) -> None:
        header[name] = header.pop(TENSOR)

    return with_header(change)


def twice(header: Header, luck: Random) -> bytes:
    whole = json.dumps(header)
    return f"{whole[:-1]}, {whole[1:]}".encode()


def anything(header: Header, luck: Random) -> Header:
    ways = [way for way in places(header) if way]
    changed: Header = put(header, luck.choice(ways), luck.choice(HOSTILE))
    return changed


def length_of(number: int) -> Spoil:
    def spoil(folder: Path, luck: Random) -> None:
        write(folder / WEIGHTS, struct.pack("<Q", number) + (folder / WEIGHTS).read_bytes()[8:])

    return spoil


def index(*files: str) -> Spoil:
    content = json.dumps({"weight_map": {f"tensor{number}": name for number, name in enumerate(files)}})
    return beside("model.safetensors.index.json", content.encode())


def renamed(name: str) -> Spoil:
    """The whole weights behind a file that is cut short, so that its name is told."""

    def spoil(folder: Path, luck: Random) -> None:
        write(folder / name, (folder / WEIGHTS).read_bytes()[:-1])

    return spoil


def all_of_them() -> Iterator[Mutation]:
    for dtype in ("F32", "BF16", "I16", "F64", "C64", "BOOL", "F8_E4M3", "X9", ""):
        yield Mutation(f"weights of type “{dtype}”", with_tensor(dtype=dtype))
    shapes: tuple[Any, ...] = ([], [0], [-1, 160], [160, 448], [2**31, 2], [2**64, 1], [448.5, 160], [1] * 1000, None)
    for number, shape in enumerate(shapes):
        yield Mutation(f"weights of shape {number}: {str(shape)[:24]}", with_tensor(shape=shape))
    ten_gigabytes = {"dtype": "F16", "shape": [5_000_000_000], "data_offsets": [0, 10_000_000_000]}
    yield Mutation("ten gigabytes claimed", with_header(lambda header, luck: {TENSOR: ten_gigabytes}))
    yield Mutation("ten gigabytes in the shape", with_tensor(shape=[5_000_000_000]))
    for offsets in ([5, 1], [-10, 10], [0, 2**64], [0], [0.5, 2.5], None):
        yield Mutation(f"weights at {offsets}", with_tensor(data_offsets=offsets))
    for number in (0, 2, 2**63, 2**64 - 1, 100_000_000, 3_081):
        yield Mutation(f"a header of {number} bytes", length_of(number))
    for name in ("", "model.layers.999999999.x", "model.layers.-1.x", "__metadata__", "x\0y", ".."):
        yield Mutation(f"weights named {name!r}", named(name))
    yield Mutation("weights with each name twice", with_header(twice))
    yield Mutation("a header with anything hostile", with_header(anything))
    yield Mutation("no weights in the header", with_header(lambda header, luck: {}))
    yield Mutation("a header of spaces", with_header(lambda header, luck: b" " * 4096))
    for byte in (0x00, 0xFF):
        yield Mutation(f"all weights are {byte:#04x}", filled(byte))
    yield Mutation("garbage as a second part", beside("model-00002-of-00002.safetensors", b"garbage" * 99))
    yield Mutation("an index of other folders", index("../../../../etc/passwd", WEIGHTS))
    yield Mutation("an index of 100,000 parts", index(*(f"model-{at:06}.safetensors" for at in range(100_000))))
    yield Mutation("an index with two lines in a name", index("a\nb" * 200, "\0", "\ud800", WEIGHTS))
    yield Mutation("weights in a file with two lines in its name", renamed("model\nof\u202etwo.safetensors"))
    yield Mutation("weights in a file whose name is no text", renamed("model\udcff.safetensors"))
