"""Whether a token costs the window more when much has been written: processor time of its thread, and memory."""

import gc
import os
import threading
import time
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Slot

from app.engine.meter.meter import Frame
from app.engine.protocol import Emit, StopFlag
from app.engine.system_load import resident_bytes
from app.engine.types import Finish, Request
from app.ui.document.turns import AnswerView
from tests.bench.lengths import length
from tests.bench.sources import ANSWER, ONE_LINE, PROSE, Pace, SimulatedEngine, Writer, begin, finish_of, pieces
from tests.bench.window_stage import ENDLESSLY, Stage

EARLY_TOKENS = length(1_000, 100)
LATE_TOKENS = length(100_000, 1_500)
LINE_TOKENS = length(20_000, 500)
MEASURED_TOKENS = length(2_000, 100)
LEAD_TOKENS = length(200, 20)
"""Streamed before the measuring begins, so that nothing of the filling up falls into it."""
PACE = length(400.0, 10_000.0)
HELPING = 1_000
"""Tokens at a time, to get to a long text soon."""
PATIENCE_S = 60.0
OBSERVED = 10


class Clock:
    """The clock of all that is measured here: put forward, so that a long run does not take long."""

    def __init__(self) -> None:
        self._real = time.monotonic
        self._ahead = 0.0

    def now(self) -> float:
        return self._real() + self._ahead

    def put_forward(self, seconds: float) -> None:
        self._ahead += seconds


@dataclass(frozen=True, slots=True)
class Stretch:
    """So many tokens in helpings at no time, then so many at a steady pace."""

    filled: int
    streamed: int


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one token, in microseconds; a window that painted less often would look cheaper, so that is told too."""

    us: float
    tokens_per_frame: float

    def detail(self) -> dict[str, float]:
        return {"us": round(self.us), "tokens_per_frame": round(self.tokens_per_frame, 1)}


class FillingEngine(SimulatedEngine):
    """Writes a text that is long already, and then goes on at the usual pace."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(Pace(PACE, 0.01))
        self.text = ANSWER
        self.plan: tuple[Stretch, ...] = ()
        self.shown = threading.Event()
        """To be set when a frame has been shown: the next helping waits for it."""
        self._clock = clock

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        started = begin(emit)
        writer = Writer(self.text, request.observe)
        for stretch in self.plan:
            while writer.written < stretch.filled:
                self._help(writer, emit, min(HELPING, stretch.filled - writer.written))
            for _ in range(stretch.streamed):
                time.sleep(1 / PACE)
                emit(writer.token(time.monotonic()))
            self.shown.clear()
            self.shown.wait(PATIENCE_S)
        return finish_of(stop, started, writer.written, limited=True)

    def _help(self, writer: Writer, emit: Emit, count: int) -> None:
        self.shown.clear()
        began = time.monotonic()
        self._clock.put_forward(count / PACE)
        for number in range(count):
            emit(writer.token(began + number / PACE))
        self.shown.wait(PATIENCE_S)


class Ledger(QObject):
    """What the window's thread had used by which token."""

    def __init__(self, engine: FillingEngine) -> None:
        super().__init__()
        self._engine = engine
        self._entries: list[tuple[int, float]] = []

    @Slot(object)
    def note(self, frame: Frame) -> None:
        self._entries.append((frame.metrics.tokens, time.thread_time()))
        self._engine.shown.set()

    def cost(self, start: int, end: int) -> Cost:
        """Per token, between two numbers of tokens."""
        inside = [entry for entry in self._entries if start <= entry[0] <= end]
        (first, before), (last, after) = inside[0], inside[-1]
        return Cost(1e6 * (after - before) / (last - first), (last - first) / (len(inside) - 1))


class Growth:
    """The program's own window, and an engine that has already written much."""

    def __init__(self, view: AnswerView) -> None:
        self._clock = Clock()
        time.monotonic = self._clock.now
        self._engine = FillingEngine(self._clock)
        self.stage = Stage(lambda _collect: self._engine, bundled=False)
        self.stage.open()
        self.stage.show(view)

    def costs(self, text: str, *positions: int, observe: int = 0) -> list[Cost]:
        """Per token, around each of these positions of one answer; the same words are measured at each."""
        period = len(pieces(text))
        starts = [round(position / period) * period for position in positions]
        streamed = LEAD_TOKENS + max(1, round(MEASURED_TOKENS / period)) * period
        ledger = self._write(text, tuple(Stretch(start, streamed) for start in starts), observe)
        return [ledger.cost(start + LEAD_TOKENS, start + streamed) for start in starts]

    def bytes_per_token(self, observe: int) -> float:
        """Kept by the program when a long run is over."""
        self._write(ANSWER, (Stretch(EARLY_TOKENS, 0),), observe)
        before = _settled_bytes()
        self._write(ANSWER, (Stretch(LATE_TOKENS, 0),), observe, anew=False)
        return (_settled_bytes() - before) / LATE_TOKENS

    def _write(self, text: str, plan: tuple[Stretch, ...], observe: int = 0, anew: bool = True) -> Ledger:
        ledger = Ledger(self._engine)
        self.stage.playground.advanced.connect(ledger.note)
        self._engine.text, self._engine.plan = text, plan
        if anew:
            self.stage.playground.new_session()
        self.stage.send(controls=replace(ENDLESSLY, observe=observe))
        self.stage.until_finished()
        self.stage.playground.advanced.disconnect(ledger.note)
        return ledger


def growth(view: AnswerView, observe: int = 0) -> list[Cost]:
    """Of a token early and late in a long answer."""
    long = Growth(view)
    costs = long.costs(ANSWER, EARLY_TOKENS, LATE_TOKENS, observe=observe)
    long.stage.close()
    return costs


def one_line(view: AnswerView) -> list[Cost]:
    """Of a token in text with paragraphs, and far into a line that never ends."""
    long = Growth(view)
    usual = long.costs(PROSE, EARLY_TOKENS)
    endless = long.costs(ONE_LINE, LINE_TOKENS)
    long.stage.close()
    return usual + endless


def memory(observe: int) -> float:
    """Bytes per token that stay when a long run is over."""
    long = Growth(AnswerView.MARKDOWN)
    kept = long.bytes_per_token(observe)
    long.stage.close()
    return kept


def _settled_bytes() -> int:
    gc.collect()
    found = resident_bytes(os.getpid())
    assert found, "the system reports no memory"
    return found
