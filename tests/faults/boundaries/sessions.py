"""Session files: anybody may have written them, and a double click opens them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.faults.boundary import Attack, Blow, Boundary, told
from tests.faults.windows import Scene


def opened(content: Callable[[], bytes]) -> Attack:
    """The file is imported, and refused in a sentence."""

    @contextmanager
    def attack(made: Scene) -> Iterator[Blow]:
        with TemporaryDirectory() as folder:
            file = Path(folder) / "stranger.sluice"
            file.write_bytes(content())

            def blow() -> None:
                said = told(made, lambda: made.window._features.session_files.open(str(file)))
                assert file.name in said, said

            yield blow

    return attack


BOUNDARIES = (
    Boundary("a .sluice file", "anybody", "depth", "brackets by the thousand", opened(lambda: b"[" * 100_000)),
)
