"""A gate between an engine and the window: open in every other segment, shut in those between."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.bridge.worker import EngineFactory
from app.engine.protocol import Collect, Emit, Engine, StopFlag
from app.engine.system_load import others_s
from app.engine.types import Event, Finish, Request, Token
from tests.bench.segments import SEGMENT_S, Pair, Segment, enough, window_first

SETTLING_TOKENS = 3
"""Left out after each change, since the engine got ahead while the window was changing over."""
PATIENCE_S = 10.0


class Changeover(QObject):
    """Stops the window's timers for a bare segment and starts them again; the worker waits for it."""

    wanted = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.timers: Callable[[], list[QTimer]] = list
        self._stopped: list[QTimer] = []
        self._done = threading.Event()
        self.wanted.connect(self._change)

    def change(self, showing: bool) -> None:
        """On the worker's thread. What was posted to the window before has been worked off afterwards."""
        self._done.clear()
        self.wanted.emit(showing)
        self._done.wait(PATIENCE_S)

    @Slot(bool)
    def _change(self, showing: bool) -> None:
        if showing:
            for timer in self._stopped:
                timer.start()
            self._stopped = []
        elif not self._stopped:
            self._stopped = self.timers()
            for timer in self._stopped:
                timer.stop()
        self._done.set()


class Gate:
    """An engine around an engine. It asks its run to end when there are pairs enough."""

    def __init__(self, make: EngineFactory, wanted: int, idle: bool = False) -> None:
        self.changeover = Changeover()
        self._make = make
        self._wanted = wanted
        self._idle = idle
        """Nothing passes even while the window is on: the two kinds of segments are then the same."""
        self.pairs: list[Pair] = []

    @property
    def done(self) -> bool:
        return enough(self.pairs, self._wanted)

    def open(self, collect: Collect) -> Engine:
        """Make the engine, on the worker's thread, with this gate before its runs."""
        engine = self._make(collect)
        self._generate, engine.generate = engine.generate, self.generate  # type: ignore[method-assign]
        return engine

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        self._emit, self._stop = emit, stop
        self._first: Segment | None = None
        self._showing = self._open = True
        self._settling = SETTLING_TOKENS
        self._warm = False
        try:
            return self._generate(request, self._pass, stop)
        finally:
            self.changeover.change(True)

    def _pass(self, event: Event) -> None:
        if self._open:
            self._emit(event)
        if isinstance(event, Token):
            self._count()

    def _count(self) -> None:
        if self._settling:
            self._settling -= 1
            if not self._settling:
                self._tokens = 0
                self._taken = others_s()
                self._began = time.perf_counter()
            return
        self._tokens += 1
        seconds = time.perf_counter() - self._began
        if seconds >= SEGMENT_S:
            self._end_segment(seconds)

    def _end_segment(self, seconds: float) -> None:
        taken = others_s()
        share = (taken - self._taken) / seconds if taken is not None and self._taken is not None else None
        segment = Segment(self._tokens, seconds, share)
        if not self._warm:
            self._warm = True  # the first segment of a run is left out
        elif self._first is None:
            self._first = segment
        else:
            self._add(self._first, segment)
            self._first = None
        if self.done:
            self._stop.ask()
        else:
            self._begin_segment()

    def _add(self, first: Segment, second: Segment) -> None:
        bare, window = (second, first) if window_first(len(self.pairs)) else (first, second)
        self.pairs.append(Pair(bare, window))

    def _begin_segment(self) -> None:
        showing = window_first(len(self.pairs)) == (self._first is None)
        if showing != self._showing:
            self._showing = showing
            self.changeover.change(showing)
        self._open = showing and not self._idle
        self._settling = SETTLING_TOKENS
