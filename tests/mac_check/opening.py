"""Step: the program opens files cold and warm, a second start and a second copy give way, and nothing stays behind.

On a Mac the built app, by `open`, as the Finder does it; elsewhere the program as it is started in a terminal.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from app.controls import Controls
from app.engine.types import Role
from app.records.journal_file import FILE
from app.records.session_file import session_text
from app.records.types import WholeSession, WholeTurn
from tests.mac_check.facts import ON_A_MAC, Facts, NotHereError, step

BUNDLE = Path("dist/Sluice.app").absolute()
FROZEN = Path("dist/sluice/sluice").absolute()
PATIENCE_S = 60.0
STARTING_S = 5.0
LOOK_S = 0.1
TITLES = ("cold", "warm")


class Program:
    """The program on a folder of data of its own."""

    def __init__(self, folder: Path, on_a_mac: bool = ON_A_MAC, app: Path = BUNDLE) -> None:
        self.data = folder / "data"
        self._on_a_mac = on_a_mac
        self._app = app
        self._folder = folder

    def start(self, *files: Path, cold: bool = True, copy: Path | None = None) -> None:
        """Cold: the first one; else what the system does with a file while it runs."""
        subprocess.Popen(self.command(files, cold, copy), stdout=subprocess.DEVNULL, start_new_session=True)

    def command(self, files: tuple[Path, ...], cold: bool, copy: Path | None = None) -> list[str]:
        switches = ["--data-dir", str(self.data), "--engine", "echo"]
        if not self._on_a_mac:
            program = [str(FROZEN)] if FROZEN.is_file() else [sys.executable, "-m", "app"]
            return [*program, *map(str, files), *switches]
        new = ["-n"] if cold else []
        return ["open", *new, "-a", str(copy or self._app), *map(str, files), *(["--args", *switches] if cold else [])]

    def file(self, title: str) -> Path:
        """A session to be opened."""
        turns = (WholeTurn(Role.USER, "Hello", "", ()),)
        whole = WholeSession(title, True, False, time.time(), time.time(), Controls(), "", turns)
        path = self._folder / f"{title}.sluice"
        path.write_text(session_text(whole), "utf-8")
        return path

    def titles(self) -> set[str]:
        """Of the sessions in its journal."""
        place = f"file:{self.data / FILE}?mode=ro"
        with suppress(sqlite3.Error), closing(sqlite3.connect(place, uri=True)) as journal:
            return {title for (title,) in journal.execute("SELECT title FROM session")}
        return set()

    def pids(self) -> list[int]:
        """All processes that were started for this folder."""
        return [pid for pid, _, command in processes() if str(self.data) in command and "open -" not in command]

    def end(self) -> None:
        for pid in self.pids():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)


def processes() -> Iterator[tuple[int, int, str]]:
    """Each with its parent and its command line."""
    told = subprocess.run(["ps", "-axww", "-o", "pid=,ppid=,command="], capture_output=True, text=True, check=True)
    for line in told.stdout.splitlines():
        pid, parent, command = line.split(None, 2)
        yield int(pid), int(parent), command


def until(condition: Callable[[], bool], patience_s: float = PATIENCE_S) -> float:
    """How long it took, in seconds; negative: it did not come."""
    began = time.monotonic()
    while time.monotonic() - began < patience_s:
        if condition():
            return time.monotonic() - began
        time.sleep(LOOK_S)
    return -1.0


@contextmanager
def program() -> Iterator[Program]:
    if ON_A_MAC and not BUNDLE.is_dir():
        raise NotHereError("there is no dist/Sluice.app")
    with tempfile.TemporaryDirectory() as folder:
        made = Program(Path(folder))
        made.data.mkdir()
        try:
            yield made
        finally:
            made.end()
            until(lambda: not made.pids())


def look(facts: Facts) -> None:
    facts.told("started as", "dist/Sluice.app" if ON_A_MAC else "dist/sluice" if FROZEN.is_file() else "python -m app")
    with program() as made:
        cold, warm = (made.file(title) for title in TITLES)
        made.start(cold)
        _came(facts, "a file opened cold is imported", until(lambda: "cold" in made.titles()))
        made.start(warm, cold=False)
        _came(facts, "a file opened while it runs is imported", until(lambda: made.titles() >= set(TITLES)))
        _second(facts, made)
        _end(facts, made)


def _second(facts: Facts, made: Program) -> None:
    """A second start, and on a Mac another copy of the app, on the same data: the first one stays the only one."""
    (first, *_) = made.pids() or [0]
    copies = [None, _copied(made)] if ON_A_MAC else [None]
    for copy, name in zip(copies, ("a second start gives way", "a second copy gives way"), strict=False):
        made.start(copy=copy)
        until(lambda: len(made.pids()) > 1, STARTING_S)
        _came(facts, name, until(lambda: made.pids() == [first]))


def _copied(made: Program) -> Path:
    copy = made.data.parent / "copied" / BUNDLE.name
    shutil.copytree(BUNDLE, copy, symlinks=True)
    return copy


def _end(facts: Facts, made: Program) -> None:
    """It is asked to leave, as a log-out does it."""
    (first, *_) = made.pids() or [0]
    children = [(pid, command) for pid, parent, command in processes() if parent == first]
    facts.told("children while it runs", len(children))
    made.end()
    _came(facts, "asked to leave, it leaves", until(lambda: not made.pids()))
    left = {pid for pid, _, _ in processes()} & {pid for pid, _ in children}
    facts.held("none of its children stays", not left, len(left))


def _came(facts: Facts, name: str, took: float) -> None:
    facts.held(name, took >= 0, f"{took:.1f}" if took >= 0 else f"not within {PATIENCE_S:g}", "s")


if __name__ == "__main__":
    sys.exit(step(look))
