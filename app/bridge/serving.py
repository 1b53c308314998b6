"""A server of one's own as a child process: started, watched until it answers, started over when it breaks down."""

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
from app.serving.commands import MISSED
from app.serving.types import KEY_VARIABLE, ServerStage, ServerStatus

POLL_MS, WATCH_MS = 300, 5_000
DELAYS_S = (1.0, 4.0, 15.0)
"""So long it waits before it is started over, each time after another breakdown."""
MOST_SILENCES = 3
"""So often in a row it may not answer within its time: the machine may be busy."""
UP = (ServerStage.READY, ServerStage.SILENT)
STEADY_S = 60.0
"""Whoever has answered for so long begins with the shortest wait again."""
PATIENCE_S = 2.0
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
OURS = re.compile(r'"GET /(health|v1/models) ')
"""What the watching itself leaves in the log."""
LINES_KEPT, LINE_BYTES = 40, 2_000
WATCHING = "watching"


class ServerProcess(QObject):
    """`changed` with its Condition, `logged` with whole lines of what it says."""

    changed = Signal(object)
    logged = Signal(str)
    _heard = Signal(object)
    """From the reading thread: a line, and no bytes when the process has ended and is reaped."""

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
        self._wire = CrossThreadCallback(self._heard.emit)
        self._gone = Event()
        self._gone.set()
        self._heard.connect(self._hear)
        self._poll = QTimer(self, singleShot=True)
        self._poll.setObjectName("server_poll")
        self._poll.timeout.connect(self._look)
        self._again = QTimer(self, singleShot=True)
        self._again.setObjectName("server_again")
        self._again.timeout.connect(self._begin)

    @property
    def pid(self) -> int:
        """0 while it doesn't run."""
        return self._child.pid if self._child is not None else 0

    def start(self, command: Sequence[str], environment: Mapping[str, str], address: str) -> None:
        """Run it; it answers at this address when it is up."""
        if self.condition.is_on:
            return
        self._command, self._environment, self._address = command, environment, address
        self._breakdowns, self._was_ready, self._key = 0, False, environment.get(KEY_VARIABLE, "")
        self._begin()

    @Slot()
    def stop(self) -> None:
        """At once: it has nothing to lose, and its own children go with it."""
        self._rest_all()
        self._show(ServerStatus())
        self._kill()

    async def gone(self) -> None:
        """Wait until a stopped server has ended: until then it has its port, and a large model takes long to free."""
        await self._gone.wait()

    def close(self) -> None:
        """Kill it. The thread that reads its output reaps it, for which `Tasks.wait_for_kept` waits."""
        self._rest_all()
        self._wire.cut()
        self._tasks.close()
        self._kill()

    @Slot()
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
        await self._tasks.kept(partial(_follow, child, self._wire))

    @Slot()
    def _look(self) -> None:
        """Whether it answers; then, every few seconds, whether it is well."""
        if self.condition.stage in UP:
            self._tasks.start(self._hear_health(), WATCHING)
        else:
            self._tasks.start(self._hear_answer(), WATCHING)

    async def _hear_answer(self) -> None:
        failure = await self._tasks.tried(_answer, self._address, self._key)
        if self.condition.stage is not ServerStage.STARTING:
            return
        if failure is None:
            self._was_ready, self._ready_at, self._silences = True, time.monotonic(), 0
            self._show(ServerStatus(ServerStage.READY))
            self._poll.start(WATCH_MS)
        else:
            self._end_if_dead(failure, POLL_MS)

    async def _hear_health(self) -> None:
        failure = await self._tasks.tried(_ailment, self._address)
        if self.condition.stage not in UP:
            return
        self._silences = self._silences + 1 if failure is not None and failure.kind == "silent" else 0
        stage = ServerStage.READY if self._silences < MOST_SILENCES else ServerStage.SILENT
        if stage is not self.condition.stage:
            self._show(ServerStatus(stage))
        self._end_if_dead(failure, WATCH_MS)

    def _end_if_dead(self, failure: Failure | None, next_ms: int) -> None:
        """It may say itself that what writes in it has died: its process would go on saying so."""
        if failure is not None and failure.kind == "server":
            self._kill()
        else:
            self._poll.start(next_ms)

    def _kill(self) -> None:
        if self._child is not None:
            self._child.kill()

    @Slot(object)
    def _hear(self, line: bytes) -> None:
        if self._wire.is_cut:  # it was on its way when this was closed
            return
        if line:
            self._log(line)
            return
        self._child = None
        self._gone.set()
        if self.condition.stage in (ServerStage.STARTING, *UP):
            self._break_down()

    def _break_down(self) -> None:
        """One that never answered would fail in the same way again; not so a ring whose processes missed each other."""
        self._poll.stop()
        if self.condition.stage in UP and time.monotonic() - self._ready_at >= STEADY_S:
            self._breakdowns = 0
        said = self._last[-1] if self._last else tr("It ended without output.")
        if not (self._was_ready or self._missed) or self._breakdowns >= len(self.delays_s):
            self._show(ServerStatus(ServerStage.FAILED, said))
            return
        wait_s = self.delays_s[self._breakdowns]
        self._breakdowns += 1
        self._show(ServerStatus(ServerStage.WAITING, said, wait_s))
        self._again.start(round(1000 * wait_s))

    def _log(self, said: bytes) -> None:
        line = COLOURS.sub("", said.decode("utf-8", "replace")).rstrip()
        if line and OURS.search(line) is None:
            self._last.append(line)
            self._missed = self._missed or MISSED in line
            self.logged.emit(line)

    def _show(self, condition: ServerStatus) -> None:
        self.condition = condition
        self.changed.emit(condition)

    def _rest_all(self) -> None:
        self._poll.stop()
        self._again.stop()
        self._tasks.drop(WATCHING)


def _follow(child: ChildProcess, heard: CrossThreadCallback) -> None:
    """On a thread of its own: hand on each line until all that write them have ended, and reap the process."""
    for line in _lines(child.stdout):
        heard.send(line)
    child.end()
    heard.send(b"")


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The beginning of each line, up to LINE_BYTES."""
    while line := stream.readline(LINE_BYTES):
        yield line
        while line and not line.endswith(b"\n"):
            line = stream.readline(LINE_BYTES)


# Called aside, where it doesn't matter that the HTTP client takes long to import.


def _answer(address: str, key: str) -> Failure | None:
    """None: it lists its models, and says that it is well."""
    from app.engine.remote import directory

    reached = directory.test(Server(address), key, PATIENCE_S)
    return reached if isinstance(reached, Failure) else _ailment(address)


def _ailment(address: str) -> Failure | None:
    from app.engine.remote import directory

    return directory.ailment(address, PATIENCE_S)
