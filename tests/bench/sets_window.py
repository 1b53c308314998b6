"""The window of prompt sets with ten thousand rows: how late it is in each phase, and what an answer leaves behind."""

import tempfile
import threading
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel

from app.__main__ import ENGINES
from app.engine.protocol import Collect, Engine
from app.engine.types import Limits
from app.sets.types import Progress
from app.ui.sets.view import ARMS, RESULTS, SetsView
from tests.bench.lengths import length
from tests.bench.machine import resident_bytes
from tests.bench.window_feel import Heartbeat, Samples
from tests.bench.window_stage import Stage

ROWS = length(10_000, 200)
OPENINGS = length(5, 1)
OPENING_S = length(1.5, 0.5)
REST_S, COUNT_S, WARM_S, RUN_S, STOP_S = (length(each, 0.3) for each in (3.0, 6.0, 6.0, 20.0, 4.0))
BEAT_MS = 4
MOST_TOKENS = 6
OPENING, RUNNING = "opening", "running"

Part = TypeVar("Part", bound=QObject)


class SetsWindow(QObject):
    """On the bundled model, with the user before it."""

    def __init__(self) -> None:
        super().__init__()
        self._threads = [threading.get_native_id()]
        self._stage = Stage(self._engine)
        self._stage.open()
        self._playground = self._stage.playground
        controls = self._playground.state.controls
        self._playground.set_controls(replace(controls, limits=Limits(MOST_TOKENS)))
        self._part(QAction, "action_prompt_sets").trigger()
        self._view = self._part(SetsView, "sets_window")
        self._done = 0
        self._playground.studying.progressed.connect(self._note)
        self.late: dict[str, Samples] = {}
        self.openings: list[Samples] = []
        self.bytes_per_answer = 0.0
        """What the process has more of while it runs."""

    def live(self) -> None:
        """All phases, one after another."""
        self._stage.live(WARM_S)  # until all is imported that is imported ahead
        self._watch("at rest", REST_S)
        with tempfile.TemporaryDirectory() as folder:
            for number in range(OPENINGS):
                self._view.file_taken.emit(_many(Path(folder) / f"many {number}.csv"))
                self.openings.append(self._watch(OPENING, OPENING_S))
        assert str(ROWS // 1000) in self._part(QLabel, "sets_title").text()
        self._watch("counting", COUNT_S)
        self._view.turn_to(ARMS)
        self._run()
        self._view.turn_to(RESULTS)
        self._press(stops=True)
        self._watch("stopping", STOP_S)
        self._press(stops=False)
        self._watch("going on", RUN_S)
        self._press(stops=True)

    def close(self) -> None:
        self._stage.close()

    def _run(self) -> None:
        self._press(stops=False)
        self._stage.live(WARM_S)
        before, began = resident_bytes(), self._done
        self._watch(RUNNING, RUN_S)
        self.bytes_per_answer = (resident_bytes() - before) / max(1, self._done - began)

    def _press(self, *, stops: bool) -> None:
        """One button does both."""
        assert self._view.foot.going is stops
        self._view.foot.button.click()

    def _watch(self, phase: str, seconds: float) -> Samples:
        """Let it live for so long, and see how late it is."""
        heartbeat = Heartbeat(*self._threads, beat_ms=BEAT_MS)
        heartbeat.start()
        self._stage.live(seconds)
        heartbeat.stop()
        self.late[phase] = heartbeat.late
        return heartbeat.late

    def _engine(self, collect: Collect) -> Engine:
        """Made on the thread it lives on."""
        self._threads.append(threading.get_native_id())
        return ENGINES["mlx"](collect)

    def _part(self, kind: type[Part], name: str) -> Part:
        part = self._stage.window.findChild(kind, name)
        assert part is not None, name
        return part

    @Slot(object)
    def _note(self, progress: Progress) -> None:
        self._done = progress.done


def _many(path: Path) -> Path:
    """A set of that many rows, none too long."""
    sums = ((row % 20, row % 13) for row in range(ROWS))
    path.write_text("\n".join(["prompt,expected", *(f"{one}+{other} =,{one + other}" for one, other in sums)]), "utf-8")
    return path
