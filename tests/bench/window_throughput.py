"""What the window costs the model: tokens/s with it and without, by turns, in one process."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from app.bridge.worker import EngineFactory
from app.engine.protocol import Collect, Engine
from tests.bench.segments import FEWEST_PAIRS, WANTED_PAIRS, Ratio, ratio_of
from tests.bench.sources import Pace, SimulatedEngine
from tests.bench.window_gate import Changeover, Gate
from tests.bench.window_naive import NaiveStage
from tests.bench.window_stage import Stage

PACES = {
    "50": Pace(50, 4.0),
    "200": Pace(200, 1.2),
    "800": Pace(800, 0.35),
    "2000": Pace(2000, 0.15),
    "400_tight": Pace(400, 2.1),
}
"""The tight one is a small model on a fast device: hardly any time passes in which the interpreter is free."""
REAL_PAIRS = 24
"""A real model's speed varies by itself, so it takes more of them."""


def simulated(pace: str, idle: bool = False) -> Ratio:
    """The program's own window on a simulated accelerator."""
    engine = SimulatedEngine(PACES[pace])
    gate = _gate(lambda _collect: engine, WANTED_PAIRS, idle)
    return _measured(gate, Stage(gate.open, bundled=False))


def real(idle: bool = False) -> Ratio:
    """The program's own window on mlx-lm and the bundled model."""
    gate = _gate(_mlx, 2 * WANTED_PAIRS, idle)
    return _measured(gate, Stage(gate.open), REAL_PAIRS)


def naive(pace: str) -> Ratio:
    """The naive window on a simulated accelerator."""
    application = QApplication.instance() or QApplication([])
    engine = SimulatedEngine(PACES[pace])
    gate = _gate(lambda _collect: engine, WANTED_PAIRS, idle=False)
    stage = NaiveStage(gate.open)
    stage.open()
    stage.run()
    stage.close()
    application.processEvents()
    return ratio_of(gate.pairs)


def _gate(make: EngineFactory, wanted: int, idle: bool) -> Gate:
    return Gate(make, Changeover(), wanted, idle)


def _measured(gate: Gate, stage: Stage, fewest: int = FEWEST_PAIRS) -> Ratio:
    """As many runs as it takes: a real model's context is full after a while."""
    gate.changeover.timers = stage.timers
    stage.open()
    while not gate.done:
        stage.playground.new_session()
        stage.send()
        run = stage.until_finished()
        if run.finish.failure is not None:
            raise RuntimeError(run.finish.failure)
    stage.close()
    return ratio_of(gate.pairs, fewest)


def _mlx(collect: Collect) -> Engine:
    from app.engine.mlx.engine import MlxEngine

    return MlxEngine(collect)
