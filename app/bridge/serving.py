"""A server of one's own as a child process: started, watched until it answers, started over when it breaks down."""

import re
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal, Slot

from app.bridge.tasks import Tasks, elsewhere
from app.engine.types import Failure, Server
from app.serving.commands import MISSED
from app.serving.types import KEY_VARIABLE, Condition, Stage
from app.words import tr

POLL_MS, WATCH_MS = 300, 5_000
DELAYS_S = (1.0, 4.0, 15.0)
"""So long it waits before it is started over, each time after another breakdown."""
MOST_SILENCES = 3
"""So often in a row it may not answer within its time: the machine may be busy."""
UP = (Stage.READY, Stage.SILENT)
STEADY_S = 60.0
"""Whoever has answered for so long begins with the shortest wait again."""
PATIENCE_S = 2.0
LAST_WORDS_MS = 1_000
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
OURS = re.compile(r'"GET /(health|v1/models) ')
"""What the watching itself leaves in the log."""
LINES_KEPT, LINE_CHARACTERS = 40, 2_000
WATCHING = "watching"


class ServerProcess(QObject):
    """`changed` with its Condition, `logged` with whole lines of what it says."""

    changed = Signal(object)
    logged = Signal(str)

    def __init__(self, parent: QObject | None = None, delays_s: Sequence[float] = DELAYS_S) -> None:
        super().__init__(parent)
        self.delays_s = tuple(delays_s)
        self._command: Sequence[str] = ()
        self._address = self._key = ""
        self._breakdowns = self._silences = 0
        self._ready_at = 0.0
        self._was_ready = False
        self._missed = False
        self._rest = b""
        self._last: deque[str] = deque(maxlen=LINES_KEPT)
        self._parting: list[Callable[[], None]] = []
        """What is to be done when it has left."""
        self.condition = Condition()
        self._tasks = Tasks(self)
        self._process = QProcess(self)
        self._process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)
        self._poll = QTimer(self, singleShot=True)
        self._poll.setObjectName("server_poll")
        self._poll.timeout.connect(self._look)
        self._again = QTimer(self, singleShot=True)
        self._again.setObjectName("server_again")
        self._again.timeout.connect(self._begin)

    @property
    def pid(self) -> int:
        """0 while it doesn't run."""
        return self._process.processId()

    def start(self, command: Sequence[str], environment: Mapping[str, str], address: str) -> None:
        """Run it; it answers at this address when it is up."""
        if self.condition.is_on:
            return
        self._command, self._address = command, address
        self._breakdowns, self._was_ready, self._key = 0, False, environment.get(KEY_VARIABLE, "")
        made = QProcessEnvironment()
        for name, value in environment.items():
            made.insert(name, value)
        self._process.setProcessEnvironment(made)
        self._begin()

    @Slot()
    def stop(self) -> None:
        """At once: it has nothing to lose, and its own children go with it."""
        self._rest_all()
        self._show(Condition())
        self._process.kill()

    async def gone(self) -> None:
        """When what was stopped has left: until then it has its port, and a large model's memory is long given back."""
        if self.pid:
            await elsewhere(self._parting.append, lambda: None)

    def close(self) -> None:
        """Nothing of it is left when this returns."""
        self._rest_all()
        self._tasks.close()
        self._process.blockSignals(True)
        self._process.kill()
        self._process.waitForFinished(LAST_WORDS_MS)

    @Slot()
    def _begin(self) -> None:
        self._last.clear()
        self._rest, self._missed = b"", False
        self._show(Condition(Stage.STARTING))
        self._process.start(self._command[0], list(self._command[1:]))
        self._poll.start(POLL_MS)

    @Slot()
    def _look(self) -> None:
        """Whether it answers; then, every few seconds, whether it is well."""
        if self.condition.stage in UP:
            self._tasks.start(self._hear_health(), WATCHING)
        else:
            self._tasks.start(self._hear_answer(), WATCHING)

    async def _hear_answer(self) -> None:
        failure = await self._tasks.tried(_answer, self._address, self._key)
        if self.condition.stage is not Stage.STARTING:
            return
        if failure is None:
            self._was_ready, self._ready_at, self._silences = True, time.monotonic(), 0
            self._show(Condition(Stage.READY))
            self._poll.start(WATCH_MS)
        else:
            self._end_if_dead(failure, POLL_MS)

    async def _hear_health(self) -> None:
        failure = await self._tasks.tried(_ailment, self._address)
        if self.condition.stage not in UP:
            return
        self._silences = self._silences + 1 if failure is not None and failure.kind == "silent" else 0
        stage = Stage.READY if self._silences < MOST_SILENCES else Stage.SILENT
        if stage is not self.condition.stage:
            self._show(Condition(stage))
        self._end_if_dead(failure, WATCH_MS)

    def _end_if_dead(self, failure: Failure | None, next_ms: int) -> None:
        """It may say itself that what writes in it has died: its process would go on saying so."""
        if failure is not None and failure.kind == "server":
            self._process.kill()
        else:
            self._poll.start(next_ms)

    @Slot()
    def _on_finished(self) -> None:
        while self._parting:
            self._parting.pop()()
        self._read()
        if self._rest:
            self._log(self._rest)
            self._rest = b""
        if self.condition.stage in (Stage.STARTING, *UP):
            self._break_down()

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._rest_all()
            self._show(Condition(Stage.FAILED, self._process.errorString()))

    def _break_down(self) -> None:
        """One that never answered would fail in the same way again; not so a ring whose processes missed each other."""
        self._poll.stop()
        if self.condition.stage in UP and time.monotonic() - self._ready_at >= STEADY_S:
            self._breakdowns = 0
        said = self._last[-1] if self._last else tr("It ended without a word.")
        if not (self._was_ready or self._missed) or self._breakdowns >= len(self.delays_s):
            self._show(Condition(Stage.FAILED, said))
            return
        wait_s = self.delays_s[self._breakdowns]
        self._breakdowns += 1
        self._show(Condition(Stage.WAITING, said, wait_s))
        self._again.start(round(1000 * wait_s))

    @Slot()
    def _read(self) -> None:
        """What comes may end anywhere, also within a character or a colour: only whole lines are read."""
        *whole, self._rest = (self._rest + bytes(self._process.readAllStandardOutput().data())).split(b"\n")
        for line in whole:
            self._log(line)

    def _log(self, said: bytes) -> None:
        line = COLOURS.sub("", said.decode("utf-8", "replace")).rstrip()[:LINE_CHARACTERS]
        if line and OURS.search(line) is None:
            self._last.append(line)
            self._missed = self._missed or MISSED in line
            self.logged.emit(line)

    def _show(self, condition: Condition) -> None:
        self.condition = condition
        self.changed.emit(condition)

    def _rest_all(self) -> None:
        self._poll.stop()
        self._again.stop()
        self._tasks.drop(WATCHING)


# Called aside, where it doesn't matter that the HTTP client takes long to import.


def _answer(address: str, key: str) -> Failure | None:
    """None: it lists its models, and says that it is well."""
    from app.engine.remote import directory

    reached = directory.test(Server(address), key, PATIENCE_S)
    return reached if isinstance(reached, Failure) else _ailment(address)


def _ailment(address: str) -> Failure | None:
    from app.engine.remote import directory

    return directory.ailment(address, PATIENCE_S)
