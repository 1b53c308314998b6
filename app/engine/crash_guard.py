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
"""Maximum seconds to wait for the disk before a step."""
LASTING_S = 2.0
"""The same before a load."""
CLOSING_S = 1.0


class Act(StrEnum):
    """A step that may end the process."""

    OPENING = "opening"
    READING = "reading"
    """Rendering a prompt with the model's chat template and tokenizer."""


@dataclass(frozen=True, slots=True)
class UnfinishedStep:
    """The engine step during which the last process ended."""

    act: Act
    model: str
    draft: str = ""
    adapter: str = ""
    process: int = 0
    """Process id of the program that stored it; unused after its end."""

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
    """Remove the entry of this process, since it ends normally. That of another process stays."""
    aside = threading.Thread(target=_forget, args=(folder,), daemon=True)
    aside.start()
    aside.join(PATIENCE_S)


def _forget(folder: Path) -> None:
    with suppress(*UNFIT):
        with regular_files.open_regular(folder / FILE, MOST_BYTES) as file:
            ours = json_reader.parse(_line(file))[PROCESS] == os.getpid()
        if ours:
            (folder / FILE).unlink()


def _line(file: BinaryIO) -> bytes:
    return file.read(MOST_BYTES).partition(b"\n")[0]


class Mark:
    """Stores one line in a file, on its own thread, so that a hanging disk doesn't block the engine."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE
        self._changed = threading.Condition()
        self._line, self._lasting = "", False
        self._wanted = self._written = 0
        self._late = self._closing = self._failed = False
        self._thread: threading.Thread | None = None

    @contextmanager
    def set(self, unfinished: UnfinishedStep) -> Iterator[None]:
        """Store the step during this block. A load may crash the computer, so it is synced to disk before."""
        self.write(json.dumps(asdict(unfinished)), lasting=unfinished.act is Act.OPENING)
        try:
            yield
        finally:
            self.write("")

    def write(self, line: str, lasting: bool = False) -> None:
        """Write a line and wait until it is written, up to the maximum wait."""
        with self._changed:
            if self._thread is None and not self._failed:
                self._thread = threading.Thread(target=self._run, name="crash guard", daemon=True)
                self._thread.start()
            self._line, self._lasting = line, lasting
            self._wanted += 1
            self._changed.notify_all()
            patience = LASTING_S if lasting else PATIENCE_S
            self._late = not self._changed.wait_for(self._is_written, 0 if self._late else patience)

    def close(self) -> None:
        """Remove the file."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            # Not joined: the engine thread is no Python thread, and `join` would register a dummy for it permanently.
            self._changed.wait_for(lambda: self._thread is None, CLOSING_S)

    def _is_written(self) -> bool:
        return self._written == self._wanted

    def _run(self) -> None:
        with suppress(OSError):  # the disk can't be written, so nothing is stored
            self._file.parent.mkdir(parents=True, exist_ok=True)
            regular_files.set_aside(self._file)
            opened = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.truncate(opened, 0)
                while self._write_next(opened):
                    pass
            finally:
                os.close(opened)
            self._file.unlink()
        with self._changed:
            self._thread, self._failed = None, not self._closing
            self._changed.notify_all()

    def _write_next(self, file: int) -> bool:
        """Write in place with one call, so that the file always contains the old or the new line."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing or not self._is_written())
            wanted, line, lasting = self._wanted, self._line, self._lasting
            if self._is_written():
                return False
        os.pwrite(file, line.encode() + b"\n", 0)
        if lasting:
            os.fsync(file)
        with self._changed:
            self._written = wanted
            self._changed.notify_all()
        return True
