"""The socket by which a later start tells this one what it was asked to open: any program of the user can call."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QTimer

from app import instance
from app.ui.shell.later_starts import LaterStarts
from tests.faults.boundary import Blow, Boundary
from tests.faults.windows import Scene

SENDER = "any program of the user"
LIMIT = f"{instance.LONGEST_BYTES:,} bytes"
SILENT = 24


class Callers:
    """Call, without blocking the loop that has to answer."""

    def __init__(self, made: Scene, data: Path, later: LaterStarts) -> None:
        self._made = made
        self._data = data
        self.later = later

    def call(self, said: bytes = b"") -> socket.socket:
        line = socket.socket(socket.AF_UNIX)
        line.setblocking(False)
        line.connect(str(instance.socket_path(self._data)))
        with suppress(BlockingIOError):
            line.send(said)
        return line

    def taken_forward(self) -> None:
        """A caller with something to say is heard, whoever else calls."""
        window = self._made.window
        window.showMinimized()
        with self.call(b'{"path": ""}\n'):
            while window.isMinimized():
                self._made.live(1)


@contextmanager
def callers(made: Scene) -> Iterator[Callers]:
    with TemporaryDirectory() as folder:
        later = LaterStarts(Path(folder))
        later.serve(made.window)
        yield Callers(made, Path(folder), later)


@contextmanager
def silent(made: Scene) -> Iterator[Blow]:
    """Many that say nothing."""
    with callers(made) as calling:

        def blow() -> None:
            lines = []
            for _ in range(SILENT):
                lines.append(calling.call())
                made.live(0)
            calling.taken_forward()
            for line in lines:
                line.close()

        yield blow


@contextmanager
def dripping(made: Scene) -> Iterator[Blow]:
    """A byte every few milliseconds, so that no pause is ever too long."""
    with callers(made) as calling:
        lines: list[socket.socket] = []

        def drip() -> None:
            for line in lines:
                with suppress(OSError):
                    line.send(b" ")

        timer = QTimer()
        timer.timeout.connect(drip)
        timer.start(5)

        def blow() -> None:
            lines[:] = [calling.call() for _ in range(4)]
            calling.taken_forward()

        try:
            yield blow
        finally:
            timer.stop()
            for line in lines:
                line.close()


@contextmanager
def senseless(made: Scene) -> Iterator[Blow]:
    """Brackets, half characters, NULs, and more bytes than are read."""
    said = (b"[" * 60_000 + b"\n", b'{"path": "\\ud800"}\n', b'{"DESKTOP_STARTUP_ID": "a\\u0000"}\n', b"x" * 200_000)
    with callers(made) as calling:

        def blow() -> None:
            for each in said:
                with calling.call(each):
                    made.live(2)
            calling.taken_forward()

        yield blow


BOUNDARIES = (
    Boundary("a word of a later start", SENDER, LIMIT, f"{SILENT} callers who say nothing", silent),
    Boundary("a word of a later start", SENDER, LIMIT, "a byte every 5 ms", dripping),
    Boundary("a word of a later start", SENDER, LIMIT, "what makes no sense", senseless, grown_mb=100),
)
