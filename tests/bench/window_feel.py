"""How the window feels while text streams: how late it is to react and to paint, and what its own thread uses."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QApplication, QWidget

from app.engine.meter.meter import Frame
from app.engine.types import Token
from tests.bench.lengths import length
from tests.bench.machine import Delays, is_disturbed
from tests.bench.sources import Pace, SimulatedEngine
from tests.bench.window_naive import NaiveStage, NaiveWindow
from tests.bench.window_stage import PaintWatch, Stage, live

BEAT_MS = 10
STREAMING_S = length(10.0, 0.2)
SETTLING_S = length(1.0, 0.1)
FEWEST_SAMPLES = 100
FEWEST_CLEAN = 0.5
"""Where more than half must be left out, what is left is no fair choice any more."""


class Samples:
    """Milliseconds, without those in which the machine had a hand."""

    def __init__(self, threads: tuple[int, ...]) -> None:
        self.values: list[float] = []
        self.disturbed: list[float] = []
        self._delays = Delays(*threads)
        self._delayed = self._delays.seconds()

    @property
    def enough(self) -> bool:
        clean = len(self.values)
        return clean >= FEWEST_SAMPLES and clean >= FEWEST_CLEAN * (clean + len(self.disturbed))

    def watch(self, thread: int) -> None:
        """What keeps this one from running, disturbs too."""
        self._delays.add(thread)

    def take(self, values: list[float]) -> None:
        """What was measured since the last call."""
        before, self._delayed = self._delayed, self._delays.seconds()
        if values and is_disturbed(max(values), before, self._delayed):
            self.disturbed += values
        else:
            self.values += values


class Heartbeat(QObject):
    """How much later than due a precise timer comes round in the window's event loop, in ms."""

    def __init__(self, *threads: int, beat_ms: int = BEAT_MS) -> None:
        super().__init__()
        self.late = Samples(threads)
        self._beat_ms = beat_ms
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._last = 0.0

    def start(self) -> None:
        """Harmless when it beats already."""
        if not self._timer.isActive():
            self._last = time.perf_counter()
            self._timer.start(self._beat_ms)

    def stop(self) -> None:
        self._timer.stop()

    @Slot()
    def _beat(self) -> None:
        now = time.perf_counter()
        self.late.take([max(0.0, (now - self._last) * 1000 - self._beat_ms)])
        self._last = now


class Arrivals(QObject):
    """How long tokens take from their arrival until a text has been painted with them."""

    def __init__(self, viewport: QWidget, *threads: int) -> None:
        super().__init__()
        self.latencies = Samples(threads)
        self._waiting: list[float] = []
        self._watch = PaintWatch(viewport, self._painted)

    @Slot(object)
    def note_frame(self, frame: Frame) -> None:
        self._waiting += [token.at for token in frame.tokens]

    @Slot(object)
    def note(self, token: Token) -> None:
        self._waiting.append(token.at)

    def _painted(self) -> None:
        now = time.monotonic()
        self.latencies.take([(now - at) * 1000 for at in self._waiting])
        self._waiting.clear()


@dataclass(frozen=True, slots=True)
class Feel:
    late_ms: Samples
    latencies: Samples
    cpu_percent: float


def feel(pace: Pace) -> Feel:
    """The program's own window while a simulated accelerator streams at this pace."""
    engine = SimulatedEngine(pace)
    stage = Stage(lambda _collect: engine, bundled=False)
    stage.open()
    stage.send()
    viewport, advanced = stage.transcript.viewport(), stage.playground.advanced
    felt = _feel(engine, viewport, lambda arrivals: advanced.connect(arrivals.note_frame))
    stage.stop()
    stage.close()
    return felt


def plain_feel(pace: Pace) -> Feel:
    """The same of a plain text field: the control in the same run."""
    application = QApplication.instance() or QApplication([])
    engine, window = SimulatedEngine(pace), NaiveWindow()
    stage = NaiveStage(lambda _collect: engine, window)
    stage.open()
    ended = stage.begin()
    queued = Qt.ConnectionType.QueuedConnection
    felt = _feel(engine, window.text.viewport(), lambda arrivals: stage.responded.connect(arrivals.note, queued))
    stage.ask()
    ended()
    stage.close()
    application.processEvents()
    return felt


def _feel(engine: SimulatedEngine, viewport: QWidget, connect: Callable[[Arrivals], object]) -> Feel:
    live(SETTLING_S)
    # Before the heartbeat beats: it would itself be a third of what is measured.
    used, began = time.thread_time(), time.perf_counter()
    live(STREAMING_S)
    used, took = time.thread_time() - used, time.perf_counter() - began
    window = threading.get_native_id()
    heartbeat, arrivals = Heartbeat(window, engine.thread), Arrivals(viewport, window, engine.thread)
    connect(arrivals)
    heartbeat.start()
    live(STREAMING_S)
    heartbeat.stop()
    return Feel(heartbeat.late, arrivals.latencies, 100 * used / took)
