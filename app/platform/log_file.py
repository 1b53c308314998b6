"""The log file: errors of the program, without texts of the user or a model.

A separate thread writes it, since a disk may hang; `faulthandler` writes crashes immediately.
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
"""The most lines that wait for the disk; further ones are dropped."""
LAST_S = 0.25
"""Seconds to write the last lines at shutdown."""
LOGGED_IN_FULL = (AttributeError, ImportError, MemoryError, NameError, OSError, RecursionError)
"""Exceptions whose messages are logged; others may quote the user's texts."""

_log = logging.getLogger("sluice")
_log.propagate = False
_log.addHandler(logging.NullHandler())


def user_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Logs" / "Sluice"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "sluice"


def folder_beside(data: Path, own: Path) -> Path:
    """Return the folder for logs: the system's one if the data folder is `own`, else the data folder itself."""
    return user_folder() if data == own else data


def size_of(folder: Path) -> int:
    return sum(file.stat().st_size for name in (FILE, CRASH_FILE) for file in folder.glob(f"{name}*"))


def begin(folder: Path) -> None:
    """Start logging into `folder`, also of unhandled errors. If that fails, there is no log."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in (FILE, CRASH_FILE):
            regular_files.set_aside(folder / name)
        handler = RotatingFileHandler(
            folder / FILE, maxBytes=LARGEST_BYTES, backupCount=OLD_FILES, encoding="utf-8", errors="replace"
        )
        # Stays open, since a crash can't open it.
        faulthandler.enable((folder / CRASH_FILE).open("a", encoding="utf-8"))
    except OSError:
        return
    logging.raiseExceptions = False  # on a full disk: no error message for each line
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(threadName)s %(message)s"))
    _log.addHandler(_QueuedFile(handler))
    _log.setLevel(logging.INFO)
    _log.info("Sluice %s, Python %s, %s", __version__, platform.python_version(), platform.platform())
    sys.excepthook = _log_errors(sys.excepthook)
    threading.excepthook = _log_thread_errors(threading.excepthook)


def end() -> None:
    """Write pending lines before a forced exit."""
    for handler in _log.handlers:
        handler.close()


def warn(text: str) -> None:
    """Log a line. It must not contain texts of the user or a model."""
    _log.warning("%s", text)


def describe(error: BaseException) -> str:
    """Return the error's type and traceback."""
    lines = [type(error).__name__]
    if isinstance(error, LOGGED_IN_FULL):
        lines[0] += f": {error}"
    frames = traceback.extract_tb(error.__traceback__)
    return "\n".join(lines + [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames])


class _QueuedFile(QueueHandler):
    """Log handler that passes records to the thread that writes them."""

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


def _log_errors(
    before: Callable[[type[BaseException], BaseException, TracebackType | None], object],
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    def log(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _log.error("unhandled %s", describe(error))
        before(kind, error, trace)

    return log


def _log_thread_errors(
    before: Callable[[threading.ExceptHookArgs], object],
) -> Callable[[threading.ExceptHookArgs], None]:
    def log(details: threading.ExceptHookArgs) -> None:
        if details.exc_value is not None:
            _log.error("unhandled %s", describe(details.exc_value))
        before(details)

    return log
