"""The log file: what went wrong inside the program, without a word of what the user or a model wrote.

A thread of its own writes it, since a disk may hang; only what a crash leaves is written at once, by `faulthandler`.
"""

import faulthandler
import logging
import os
import platform
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from logging.handlers import QueueHandler, RotatingFileHandler
from pathlib import Path
from queue import Full, Queue
from types import TracebackType

from app import __version__
from app.files import regular_files

FILE = "sluice.log"
CRASH_FILE = "crash.log"
LARGEST_BYTES = 500_000
OLD_FILES = 3
MOST_LINES = 10_000
"""So many wait for a disk; what comes then is left out."""
LAST_S = 0.25
"""So long the last lines have when the program is left."""
TELLING = (AttributeError, ImportError, MemoryError, NameError, OSError, RecursionError)
"""Errors whose message is about the program and its files; others may quote what was typed."""

_log = logging.getLogger("sluice")
_log.propagate = False
_log.addHandler(logging.NullHandler())


def user_folder() -> Path:
    """The place that the system gives to a program's logs."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Logs" / "Sluice"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "sluice"


def folder_beside(data: Path, own: Path) -> Path:
    """Where logs go when the data is in this folder: in the system's place if `own` is the user's own, else there."""
    return user_folder() if data == own else data


def size_of(folder: Path) -> int:
    """Bytes of all logs in it."""
    return sum(file.stat().st_size for name in (FILE, CRASH_FILE) for file in folder.glob(f"{name}*"))


def begin(folder: Path) -> None:
    """Write into `folder` from now on, unhandled errors too. Where that can't be, there is no log."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in (FILE, CRASH_FILE):
            regular_files.set_aside(folder / name)
        handler = RotatingFileHandler(
            folder / FILE, maxBytes=LARGEST_BYTES, backupCount=OLD_FILES, encoding="utf-8", errors="replace"
        )
        # Stays open for good: a crash has no time to open it.
        faulthandler.enable((folder / CRASH_FILE).open("a", encoding="utf-8"))
    except OSError:
        return
    logging.raiseExceptions = False  # a full disk is no reason to complain at each line
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(threadName)s %(message)s"))
    _log.addHandler(_Aside(handler))
    _log.setLevel(logging.INFO)
    _log.info("Sluice %s, Python %s, %s", __version__, platform.python_version(), platform.platform())
    sys.excepthook = _telling(sys.excepthook)
    threading.excepthook = _telling_of_threads(threading.excepthook)


def end() -> None:
    """Write the rest, for a program that ends in this moment; otherwise its end does that."""
    for handler in _log.handlers:
        handler.close()


def warn(text: str) -> None:
    """A line of its own. It must hold nothing that the user or a model wrote."""
    _log.warning("%s", text)


def describe(error: BaseException) -> str:
    """Which error it is and where it happened."""
    lines = [type(error).__name__]
    if isinstance(error, TELLING):
        lines[0] += f": {error}"
    frames = traceback.extract_tb(error.__traceback__)
    return "\n".join(lines + [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames])


class _Aside(QueueHandler):
    """Hands each line to the thread that writes it into a file."""

    def __init__(self, file: logging.Handler) -> None:
        super().__init__(Queue(MOST_LINES))
        self._file = file
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def close(self) -> None:
        with suppress(Full):
            self.queue.put_nowait(None)
        self._thread.join(LAST_S)
        super().close()

    def _write(self) -> None:
        while (record := self.queue.get()) is not None:
            self._file.handle(record)
        self._file.close()


def _telling(
    before: Callable[[type[BaseException], BaseException, TracebackType | None], object],
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    def tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _log.error("unhandled %s", describe(error))
        before(kind, error, trace)

    return tell


def _telling_of_threads(
    before: Callable[[threading.ExceptHookArgs], object],
) -> Callable[[threading.ExceptHookArgs], None]:
    def tell(told: threading.ExceptHookArgs) -> None:
        if told.exc_value is not None:
            _log.error("unhandled %s", describe(told.exc_value))
        before(told)

    return tell
