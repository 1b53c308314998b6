"""Session files and presets: anybody may have written them, and a double click opens them."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtWidgets import QLabel

from app.ui.controls.controller_preset_files import PresetFilesController
from tests.faults.boundary import Attack, Blow, Boundary, told
from tests.faults.soak.parts import part
from tests.faults.windows import Scene

Make = Callable[[Path], object]
NESTED_MB = 171
ANYBODY = "anybody, by a double click"
ODD_NAME = os.fsdecode(b"stranger \xff\xfe.sluice")


def opened(make: Make, name: str = "stranger.sluice") -> Attack:
    """The file is imported, and refused in a sentence."""

    @contextmanager
    def attack(made: Scene) -> Iterator[Blow]:
        with TemporaryDirectory() as folder:
            file = Path(folder) / name
            make(file)

            def blow() -> None:
                said = told(made, lambda: made.window.open_path(str(file)))
                assert "stranger" in said, said

            yield blow

    return attack


def presets(make: Make) -> Attack:
    """The same for a file of presets, which the panel tells of."""

    @contextmanager
    def attack(made: Scene) -> Iterator[Blow]:
        bar = made.window._parts.controls.presets
        reader = made.window.findChild(PresetFilesController)
        assert reader is not None
        words = part(made.window, QLabel, "preset_words")
        with TemporaryDirectory() as folder:
            file = Path(folder) / "stranger.json"
            make(file)

            def blow() -> None:
                bar.tell("")
                reader.read(file)
                while not words.text():
                    made.live(1)
                assert "file" in words.text(), words.text()

            yield blow

    return attack


def written(content: bytes) -> Make:
    return lambda file: file.write_bytes(content)


def nested(file: Path, megabytes: float = NESTED_MB) -> None:
    """Lists in lists, not deep: each takes a hundred bytes for its three."""
    piece = b"[[]],[]," * 12_500
    with file.open("wb") as stream:
        stream.write(b"[")
        for _ in range(int(10 * megabytes)):
            stream.write(piece)
        stream.write(b"[]]")


def long_text(file: Path) -> None:
    """One text without an end."""
    with file.open("wb") as stream:
        stream.write(b'{"format":"')
        for _ in range(100):
            stream.write(b"a" * 1_000_000)


def endless(file: Path) -> None:
    file.symlink_to("/dev/zero")


def huge(file: Path) -> None:
    with file.open("wb") as stream:
        stream.truncate(10**9)


LIMIT = "128 MB, depth 64, 8 million values"
OF_PRESETS = "16 MB, depth 64, 300,000 values"
FILE = "a .sluice file"
BOUNDARIES = (
    Boundary(FILE, ANYBODY, LIMIT, f"{NESTED_MB} MB of nested lists", opened(nested)),
    Boundary(FILE, ANYBODY, LIMIT, "127 MB of nested lists", opened(partial(nested, megabytes=127)), grown_mb=400),
    Boundary(FILE, ANYBODY, LIMIT, "brackets by the million", opened(written(b"[" * 1_000_000))),
    Boundary(FILE, ANYBODY, LIMIT, "a text of 100 MB", opened(long_text), grown_mb=200),
    Boundary(FILE, ANYBODY, "ordinary files", "a pipe", opened(os.mkfifo)),
    Boundary(FILE, ANYBODY, "ordinary files", "a link to a device", opened(endless)),
    Boundary(FILE, ANYBODY, "any name", "a name that is no UTF-8", opened(written(b"[]"), ODD_NAME)),
    Boundary("presets", ANYBODY, OF_PRESETS, "nested lists", presets(partial(nested, megabytes=0.9)), grown_mb=120),
    Boundary("presets", ANYBODY, OF_PRESETS, "1 GB", presets(huge)),
    Boundary("presets", ANYBODY, "ordinary files", "a pipe", presets(os.mkfifo)),
)
