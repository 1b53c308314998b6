"""Stores the current engine step in a small file. A file that exists at the next start is from a step that crashed.

A library may abort, a device may run out of memory, or the system may kill the process. Without the file each start
would repeat the crash, since it opens the last model and renders the last draft.
"""

import fcntl
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from app.engine.types import LoadRequest
from app.files import json_reader, regular_files
from app.files.json_values import UNFIT, read_plain

FILE, PROCESS = "unfinished.json", "process"
MOST_BYTES = 100_000
PATIENCE_S = 0.25


class EngineStep(StrEnum):
    """A step that may end the process."""

    OPENING = "opening"
    READING = "reading"
    """Rendering a prompt with the model's chat template and tokenizer."""


@dataclass(frozen=True, slots=True)
class UnfinishedStep:
    """The engine step during which the last process ended."""

    act: EngineStep
    model: str
    draft: str = ""
    adapter: str = ""
    process: int = 0
    """Process id of the program that wrote the entry, for `forget`; 0 in the entry of an earlier start."""

    @property
    def request(self) -> LoadRequest:
        """The request to try the step again."""
        return LoadRequest(self.model, self.draft or None, adapter=self.adapter or None)


def unfinished(folder: Path) -> UnfinishedStep | None:
    """Return the step in which the last process crashed; None if there is none or another process is in it now.

    A process that uses the same data folder holds a lock on the file.
    """
    try:
        with regular_files.open_regular(folder / FILE, MOST_BYTES) as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            line = _line(file)
        return read_plain(UnfinishedStep, {**json_reader.parse(line), PROCESS: 0}) if line else None
    except UNFIT:
        return None


def forget(folder: Path) -> None:
    """Remove the entry of this process, since it ends normally. That of another process stays.

    A disk that hangs must not keep the window from closing, so this waits only a moment for it.
    """
    thread = threading.Thread(target=_remove_own, args=(folder,), name="crash mark", daemon=True)
    thread.start()
    thread.join(PATIENCE_S)


def _remove_own(folder: Path) -> None:
    with suppress(*UNFIT):
        with regular_files.open_regular(folder / FILE, MOST_BYTES) as file:
            is_ours = json_reader.parse(_line(file))[PROCESS] == os.getpid()
        if is_ours:
            (folder / FILE).unlink()


def _line(file: BinaryIO) -> bytes:
    return file.read(MOST_BYTES).partition(b"\n")[0]


class StepMark:
    """Stores one line in a file, which is locked as long as it is open. A disk that can't be written stores nothing."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._file: int | None = None
        self._has_failed = False

    @contextmanager
    def set(self, unfinished: UnfinishedStep) -> Iterator[None]:
        """Store the step during this block. A load may crash the computer, so it is synced to disk before."""
        self._write(json.dumps(asdict(unfinished)), lasting=unfinished.act is EngineStep.OPENING)
        try:
            yield
        finally:
            self._write("")

    def close(self) -> None:
        """Remove the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
            with suppress(OSError):
                self._path.unlink()

    def _write(self, line: str, lasting: bool = False) -> None:
        """Write in place with one call, so that the file always contains the old or the new line."""
        if self._has_failed:
            return
        try:
            self._file = self._open() if self._file is None else self._file
            os.pwrite(self._file, line.encode() + b"\n", 0)
            if lasting:
                os.fsync(self._file)
        except OSError:
            self._has_failed = True

    def _open(self) -> int:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        regular_files.set_aside(self._path)
        opened = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.truncate(opened, 0)
        except OSError:
            os.close(opened)
            raise
        return opened
