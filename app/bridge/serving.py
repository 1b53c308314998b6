"""Sluice's own server as a child process: starts it, checks that it answers, restarts it after a crash."""

import re
import subprocess
import time
from asyncio import Event
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import IO

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.bridge.tasks import CrossThreadCallback, Tasks
from app.engine.types import Failure, Server
from app.i18n import tr
from app.platform.child_process import ChildProcess
from app.serving.commands import RING_FAILED
from app.serving.types import KEY_VARIABLE, ServerStage, ServerStatus

POLL_MS, WATCH_MS = 300, 5_000
DELAYS_S = (1.0, 4.0, 15.0)
"""Seconds before a restart, longer after each crash."""
MAX_TIMEOUTS = 3
"""Number of timeouts in a row that are allowed, since the computer may be busy."""
UP = (ServerStage.READY, ServerStage.SILENT)
STEADY_S = 60.0
"""Seconds without a crash after which the delays start over."""
PATIENCE_S = 2.0
ANSI_COLORS = re.compile(r"\x1b\[[0-9;]*m")
HEALTH_CHECKS = re.compile(r'"GET /(health|v1/models) ')
"""Log lines of the health checks."""
LINES_KEPT, LINE_BYTES = 40, 2_000
WATCHING = "watching"


class ServerProcess(QObject):
    """The server process. Emits `changed` with the ServerStatus and `logged` with each line of output."""

    changed = Signal(object)
    logged = Signal(str)
    _line_read = Signal(object)
    """A line of output, from the reading thread; empty when the process has ended and is reaped."""

    def __init__(self, parent: QObject | None = None, delays_s: Sequence[float] = DELAYS_S) -> None:
        super().__init__(parent)
        self.delays_s = tuple(delays_s)
        self._command: Sequence[str] = ()
        self._environment: Mapping[str, str] = {}
        self._address = self._key = ""
        self._breakdowns = self._silences = 0
        self._ready_at = 0.0
        self._was_ready = False
        self._missed = False
        self._last: deque[str] = deque(maxlen=LINES_KEPT)
        self.condition = ServerStatus()
        self._tasks = Tasks(self)
        self._child: ChildProcess | None = None
        self._wire = CrossThreadCallback(self._line_read.emit)
        self._gone = Event()
        self._gone.set()
        self._line_read.connect(self._on_line)
        self._poll = QTimer(self, singleShot=True)
        self._poll.setObjectName("server_poll")
        self._poll.timeout.connect(self._check_process)
        self._again = QTimer(self, singleShot=True)
        self._again.setObjectName("server_again")
        self._again.timeout.connect(self._begin)

    @property
    def pid(self) -> int:
        return self._child.pid if self._child is not None else 0

    def start(self, command: Sequence[str], environment: Mapping[str, str], address: str) -> None:
        """Start the process, which serves at this address."""
        if self.condition.is_on:
            return
        self._command, self._environment, self._address = command, environment, address
        self._breakdowns, self._was_ready, self._key = 0, False, environment.get(KEY_VARIABLE, "")
        self._begin()

    def stop(self) -> None:
        """Kill the process and its children; it has no state to save."""
        self._stop_timers()
        self._show(ServerStatus())
        self._kill()

    async def gone(self) -> None:
        """Wait until a stopped server has ended: until then it uses its port, and freeing a large model takes long."""
        await self._gone.wait()

    def close(self) -> None:
        """Kill the process. The thread that reads its output reaps it; `Tasks.wait_for_writes` waits for that."""
        self._stop_timers()
        self._wire.cut()
        self._tasks.close()
        self._kill()

    def _begin(self) -> None:
        self._last.clear()
        self._missed = False
        self._show(ServerStatus(ServerStage.STARTING))
        try:
            self._child = ChildProcess(self._command, self._environment, subprocess.STDOUT)
        except OSError as error:
            self._show(ServerStatus(ServerStage.FAILED, str(error)))
            return
        self._gone.clear()
        self._tasks.start(self._read(self._child))
        self._poll.start(POLL_MS)

    async def _read(self, child: ChildProcess) -> None:
        await self._tasks.complete(partial(_follow, child, self._wire))

    def _check_process(self) -> None:
        """Check whether the server answers; afterwards, every few seconds, whether it is healthy."""
        if self.condition.stage in UP:
            self._tasks.start(self._check_health(), WATCHING)
        else:
            self._tasks.start(self._check_answer(), WATCHING)

    async def _check_answer(self) -> None:
        failure = await self._tasks.try_in_thread(_answer, self._address, self._key)
        if self.condition.stage is not ServerStage.STARTING:
            return
        if failure is None:
            self._was_ready, self._ready_at, self._silences = True, time.monotonic(), 0
            self._show(ServerStatus(ServerStage.READY))
            self._poll.start(WATCH_MS)
        else:
            self._end_if_dead(failure, POLL_MS)

    async def _check_health(self) -> None:
        failure = await self._tasks.try_in_thread(_health_failure, self._address)
        if self.condition.stage not in UP:
            return
        self._silences = self._silences + 1 if failure is not None and failure.kind == "silent" else 0
        stage = ServerStage.READY if self._silences < MAX_TIMEOUTS else ServerStage.SILENT
        if stage is not self.condition.stage:
            self._show(ServerStatus(stage))
        self._end_if_dead(failure, WATCH_MS)

    def _end_if_dead(self, failure: Failure | None, next_ms: int) -> None:
        """Kill a server that reports that its generation thread died, since that never recovers."""
        if failure is not None and failure.kind == "server":
            self._kill()
        else:
            self._poll.start(next_ms)

    def _kill(self) -> None:
        if self._child is not None:
            self._child.kill()

    @Slot(object)
    def _on_line(self, line: bytes) -> None:
        if self._wire.is_cut:  # sent before it was closed
            return
        if line:
            self._log(line)
            return
        self._child = None
        self._gone.set()
        if self.condition.stage in (ServerStage.STARTING, *UP):
            self._restart_or_fail()

    def _restart_or_fail(self) -> None:
        """Restart the server after a crash.

        A server that never answered isn't restarted, since it would fail again. A ring is, if its processes failed to
        connect to each other.
        """
        self._poll.stop()
        if self.condition.stage in UP and time.monotonic() - self._ready_at >= STEADY_S:
            self._breakdowns = 0
        message = self._last[-1] if self._last else tr("The server process ended without output.")
        if not (self._was_ready or self._missed) or self._breakdowns >= len(self.delays_s):
            self._show(ServerStatus(ServerStage.FAILED, message))
            return
        wait_s = self.delays_s[self._breakdowns]
        self._breakdowns += 1
        self._show(ServerStatus(ServerStage.WAITING, message, wait_s))
        self._again.start(round(1000 * wait_s))

    def _log(self, output: bytes) -> None:
        line = ANSI_COLORS.sub("", output.decode("utf-8", "replace")).rstrip()
        if line and HEALTH_CHECKS.search(line) is None:
            self._last.append(line)
            self._missed = self._missed or RING_FAILED in line
            self.logged.emit(line)

    def _show(self, condition: ServerStatus) -> None:
        self.condition = condition
        self.changed.emit(condition)

    def _stop_timers(self) -> None:
        self._poll.stop()
        self._again.stop()
        self._tasks.cancel(WATCHING)


def _follow(child: ChildProcess, line_read: CrossThreadCallback) -> None:
    """Emit each line until all writers have ended, then reap the process. Runs on its own thread."""
    for line in _lines(child.stdout):
        line_read.send(line)
    child.end()
    line_read.send(b"")


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the start of each line, up to LINE_BYTES."""
    while line := stream.readline(LINE_BYTES):
        yield line
        while line and not line.endswith(b"\n"):
            line = stream.readline(LINE_BYTES)


# These run on a worker thread, where the slow import of the HTTP client doesn't matter.


def _answer(address: str, key: str) -> Failure | None:
    """Return None if the server lists its models and is healthy, else the failure."""
    from app.engine.remote import server_probe

    reached = server_probe.test(Server(address), key, PATIENCE_S)
    return reached if isinstance(reached, Failure) else _health_failure(address)


def _health_failure(address: str) -> Failure | None:
    from app.engine.remote import server_probe

    return server_probe.health_failure(address, PATIENCE_S)
