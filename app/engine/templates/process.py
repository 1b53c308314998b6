"""The parent's side of the template child process."""

import os
import select
import signal
import time
from collections.abc import Sequence

from app.engine.protocol import is_cancelled
from app.engine.system_load import resident_bytes
from app.engine.templates.child import HEAD, LENGTH, READY, TOO_LARGE
from app.engine.types import Failure
from app.i18n import tr
from app.platform.child_process import ChildProcess
from app.platform.startup import TEMPLATE_SWITCH, child_command, child_environment

PROCESSOR_S = 1.0
"""Seconds of processor time for one request. Real templates take 1 ms, the longest conversations some 10 ms."""
START_S = 20.0
"""Seconds to start; the program may have to be read from disk."""
ANSWER_S = 10.0
"""Seconds of wall-clock time: on a busy computer, a second of processor time takes several."""
LOOK_MS = 20
"""Milliseconds between checks of a child that sends nothing."""
MOMENT_S = 0.2
"""Minimum time for an answer that is no longer needed, since starting another child takes as long."""
RESIDENT_BYTES = 500_000_000
AT_ONCE = 65_536


class TemplateEndedError(BaseException):
    """The child was killed. Not an `Exception`, so that code that tries alternatives doesn't continue."""

    def __init__(self, failure: Failure, again: bool = False) -> None:
        super().__init__(failure.what)
        self.failure = failure
        self.again = again
        """The template isn't the cause: it may be rendered again."""


def template_command(processor_s: float = PROCESSOR_S) -> list[str]:
    return [*child_command(TEMPLATE_SWITCH), str(processor_s)]


class TemplateProcess:
    """One child process. Its answers are bytes of limited length."""

    def __init__(self, command: Sequence[str] = ()) -> None:
        try:
            # In "/", so that no module is imported from the user's folder.
            self._child = ChildProcess(command or template_command(), child_environment(os.environ), folder="/")
        except OSError as error:
            raise _silent(str(error), again=True) from None
        self.pid = self._child.pid
        self._stdin, self._stdout = self._child.stdin.fileno(), self._child.stdout.fileno()
        os.set_blocking(self._stdin, False)
        self._ready = False
        self._asked_at = 0.0

    @property
    def is_idle(self) -> bool:
        """Whether the child runs and has sent nothing, as expected before a request."""
        return not self._ready or not _failure(self._stdout, select.POLLIN, 0)

    def ask(self, question: bytes, most: int) -> tuple[bytes, bytes]:
        """Return kind and content of the answer. Raises TemplateEndedError if there is none."""
        self._asked_at = time.monotonic()
        self._become_ready()
        end = time.monotonic() + ANSWER_S
        self._write(LENGTH.pack(len(question)) + question, end)
        return self._answer(most, end)

    def _become_ready(self) -> None:
        if self._ready:
            return
        try:
            self._ready = self._answer(0, time.monotonic() + START_S) == (READY, b"")
        except TemplateEndedError as error:
            raise TemplateEndedError(error.failure, again=True) from None
        if not self._ready:
            raise _silent("no beginning", again=True)

    def end(self) -> int:
        """Kill and reap the child. Return its exit code, or the negative number of the signal that ended it."""
        return self._child.end()

    def _answer(self, most: int, end: float) -> tuple[bytes, bytes]:
        kind, size = HEAD.unpack(self._read(HEAD.size, end))
        if size > most or kind == TOO_LARGE:
            raise _too_large()
        return kind, self._read(size, end)

    def _write(self, said: bytes, end: float) -> None:
        left = memoryview(said)
        while left:
            self._wait(self._stdin, select.POLLOUT, end)
            try:
                left = left[os.write(self._stdin, left) :]
            except OSError:
                raise self._end_error() from None

    def _read(self, size: int, end: float) -> bytes:
        parts = []
        while size:
            self._wait(self._stdout, select.POLLIN, end)
            part = os.read(self._stdout, min(size, AT_ONCE))
            if not part:
                raise self._end_error()
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _wait(self, pipe: int, event: int, end: float) -> None:
        while True:
            told, now = _failure(pipe, event, LOOK_MS), time.monotonic()
            if now > end:
                raise _silent("no answer in time")
            if told:
                return
            if now > self._asked_at + MOMENT_S and is_cancelled():
                raise _silent("stopped", again=True)
            if resident_bytes(self.pid) > RESIDENT_BYTES:
                raise _too_large()

    def _end_error(self) -> TemplateEndedError:
        """Kill the child and return the error for its end; a later signal doesn't change its exit code."""
        code = self.end()
        if code in (-signal.SIGPROF, -signal.SIGXCPU):
            return _ended(tr("This model's chat template takes too long, so it was stopped."))
        return _silent(f"returncode={code}")


def _failure(pipe: int, event: int, wait_ms: int) -> bool:
    waiting = select.poll()
    waiting.register(pipe, event)
    return bool(waiting.poll(wait_ms))


def _too_large() -> TemplateEndedError:
    return _ended(tr("The output of this model's chat template is too large, so it was stopped."))


def _silent(details: str, again: bool = False) -> TemplateEndedError:
    return _ended(tr("The process that renders this model's chat template didn't respond."), details, again)


def _ended(what: str, details: str = "", again: bool = False) -> TemplateEndedError:
    todo = tr("Switch Mode to Raw, use another copy of the model, or open it again to try once more.")
    return TemplateEndedError(Failure(what, todo, details, "prompt"), again)
