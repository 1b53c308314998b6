"""What lies in the folder of data when the program starts: settings, journal and logs that are none."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from app import settings
from app.records.opening import FILE, LOCK
from tests.faults.boundary import Attack, Blow, Boundary
from tests.faults.windows import Scene, scene
from tests.odd_files import ODD

SENDER = "another program, a crash, a sync service"
PATIENCE_S = 20.0
HUGE = 10**9


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(HUGE)


STRANGE: dict[str, Callable[[Path], object]] = {
    **ODD,
    "a link to itself": lambda path: path.symlink_to(path.name),
    "1 GB of nothing": huge,
}


def started(*names: str, odd: Callable[[Path], object]) -> Attack:
    """Another window is opened on such a folder, answers, and keeps what it is to keep."""

    @contextmanager
    def attack(made: Scene) -> Iterator[Blow]:
        numbers = count()
        with TemporaryDirectory() as folder:

            def blow() -> None:
                data = Path(folder) / str(next(numbers))
                data.mkdir()
                for name in names:
                    odd(data / name)
                began = time.monotonic()
                with scene(data) as other:
                    assert other.say("Hello")
                    assert other.journal.folder == data, other.journal.failure
                assert time.monotonic() - began < PATIENCE_S
                assert settings.load(data)[1] is None, "the settings were not kept"

            yield blow

    return attack


def rows(incoming: str, *names: str) -> tuple[Boundary, ...]:
    return tuple(
        Boundary(
            incoming,
            SENDER,
            "ordinary files, settings of 64 MB",
            what,
            started(*names, odd=odd),
            grown_mb=200,
            lag_ms=None,
        )
        for what, odd in STRANGE.items()
    )


BOUNDARIES = (*rows("settings at the start", settings.FILE), *rows("a journal at the start", FILE, LOCK))
