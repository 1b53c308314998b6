"""Prompt sets: whoever has made a table sends it to others."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtWidgets import QLabel

from app.ui.sets.controller_set import SetController
from tests.faults.boundaries.sessions import endless, nested, written
from tests.faults.boundary import Attack, Blow, Boundary
from tests.faults.soak.parts import act, part
from tests.faults.windows import Scene

COLUMNS = b"," * 10_000_000
NAMES = b"[{" + b",".join(b'"%d":1' % at for at in range(300_000)) + b"}]"
CELLS = b"a\n" + b'"""x\n' * 10_000_000


def opened(make: Callable[[Path], object], name: str) -> Attack:
    """The file is dropped on the window of prompt sets, and refused in a sentence."""

    @contextmanager
    def attack(made: Scene) -> Iterator[Blow]:
        act(made.window, "prompt_sets").trigger()
        sets = made.window.findChild(SetController)
        assert sets is not None
        said = part(made.window, QLabel, "sets_trouble")
        with TemporaryDirectory() as folder:
            file = Path(folder) / name
            make(file)

            def blow() -> None:
                sets.take(file)
                while not said.text():
                    made.live(1)
                assert "stranger" in said.text(), said.text()

            yield blow

    return attack


FILE, ANYBODY = "a prompt set", "anybody, by a file that is dropped"
LIMIT = "64 MB, 100,000 rows, 200 columns"
BOUNDARIES = (
    Boundary(FILE, ANYBODY, LIMIT, "10 million columns", opened(written(COLUMNS), "stranger.csv"), grown_mb=120),
    Boundary(FILE, ANYBODY, LIMIT, "300,000 names", opened(written(NAMES), "stranger.json"), grown_mb=400),
    Boundary(FILE, ANYBODY, LIMIT, "quotes that never close", opened(written(CELLS), "stranger.csv"), grown_mb=200),
    Boundary(
        FILE, ANYBODY, LIMIT, "nested lists", opened(lambda file: nested(file, 40), "stranger.json"), grown_mb=400
    ),
    Boundary(
        FILE, ANYBODY, LIMIT, "NUL bytes", opened(written(b"a\n" + b"\0" * 60_000_000), "stranger.csv"), grown_mb=400
    ),
    Boundary(FILE, ANYBODY, "ordinary files", "a pipe", opened(os.mkfifo, "stranger.csv")),
    Boundary(FILE, ANYBODY, "ordinary files", "a link to a device", opened(endless, "stranger.jsonl")),
)
