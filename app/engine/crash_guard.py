"""What the engine is at stands in a small file; if it still stands there at the next start, the program ended at it.

Nothing can be caught where a library aborts, a device runs out of memory or the system ends the program. Without this
it would be tried again at every start: the model of last time is opened, and what was typed last is read.
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
"""So long a disk is waited for; the engine has other things to do than to mark what it does."""
LASTING_S = 2.0
"""And so long before a load, which takes longer itself."""
CLOSING_S = 1.0


class Act(StrEnum):
    """What may end the program."""

    OPENING = "opening"
    READING = "reading"
    """A prompt, by the model's template and tokenizer."""


@dataclass(frozen=True, slots=True)
class UnfinishedStep:
    """What the engine was at when the program ended."""

    act: Act
    model: str
    draft: str = ""
    adapter: str = ""
    process: int = 0
    """Whose mark it is; of no use where it has ended."""

    @property
    def request(self) -> LoadRequest:
        """To try it again."""
        return LoadRequest(self.model, self.draft or None, adapter=self.adapter or None)


def unfinished(folder: Path) -> UnfinishedStep | None:
    """What the last start did not come back from; None: it ended in peace, in the middle of something else, or not yet.

    Another window may be on the same data: whoever marks there holds the file as long as it lives.
    """
    try:
        with regular_files.open_regular(folder / FILE, MOST_BYTES) as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            line = _line(file)
        return read_plain(UnfinishedStep, {**json_reader.parse(line), PROCESS: 0}) if line else None
    except UNFIT:
        return None


def forget(folder: Path) -> None:
    """The program leaves in order, whatever its engine is at. What another window is at stays."""
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
    """One line in a file, written by a thread of its own: a disk that hangs holds up nobody but that."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE
        self._changed = threading.Condition()
        self._line, self._lasting = "", False
        self._wanted = self._written = 0
        self._late = self._closing = self._failed = False
        self._thread: threading.Thread | None = None

    @contextmanager
    def set(self, unfinished: UnfinishedStep) -> Iterator[None]:
        """Mark it within the block. A load may end the whole computer, so its mark is on the disk before it begins."""
        self.write(json.dumps(asdict(unfinished)), lasting=unfinished.act is Act.OPENING)
        try:
            yield
        finally:
            self.write("")

    def write(self, line: str, lasting: bool = False) -> None:
        """It stands there when this returns, unless the disk takes longer than anybody waits."""
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
        """Nothing is left of it."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            # Not joined: to Python the engine's thread is a stranger, and `join` would enter it in its books for good.
            self._changed.wait_for(lambda: self._thread is None, CLOSING_S)

    def _is_written(self) -> bool:
        return self._written == self._wanted

    def _run(self) -> None:
        with suppress(OSError):  # where nothing can be kept, nothing is
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
        """In place, and in one go: whenever the program ends, there is one line or the other."""
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
