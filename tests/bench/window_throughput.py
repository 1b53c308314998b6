"""What the window costs the model: tokens/s with it and without, by turns, in one process."""

import gc
from collections.abc import Callable

from PySide6.QtWidgets import QApplication

from app.__main__ import bundled_model
from app.engine.protocol import Collect, Engine
from app.engine.types import ENDLESS, KV, Limits, RawPrompt, Request, Sampling
from tests.bench.segments import FEWEST_PAIRS, WANTED_PAIRS, Ratio, ratio_of
from tests.bench.sources import Pace, SimulatedEngine
from tests.bench.window_gate import Gate
from tests.bench.window_naive import UNENDING, CarelessWindow, NaiveStage, NaiveWindow
from tests.bench.window_stage import Stage
from tests.busy import busy

PACES = {
    "20": Pace(20, 4.0),
    "50": Pace(50, 4.0),
    "200": Pace(200, 1.2),
    "800": Pace(800, 0.35),
    "2000": Pace(2000, 0.15),
    "400_tight": Pace(400, 2.1),
}
"""The tight one is a small model on a fast device: hardly any time passes in which the interpreter is free."""
REAL_PAIRS = 24
"""A real model's speed varies by itself, so it takes more of them."""
NO_END = ((2, -100.0),)
"""The demo model's end token, made so unlikely that it never comes."""
PAGE = Request(
    RawPrompt("The river"), Sampling(temperature=0.0, logit_bias=NO_END), Limits(ENDLESS), kv=KV(reuse=False)
)


def simulated(pace: str, idle: bool = False) -> Ratio:
    """The program's own window on a simulated accelerator."""
    engine = SimulatedEngine(PACES[pace])
    gate = Gate(lambda _collect: engine, WANTED_PAIRS, idle)
    return _measured(gate, Stage(gate.open, bundled=False))


def real(idle: bool = False) -> Ratio:
    """The program's own window on mlx-lm and the bundled model."""
    gate = Gate(mlx_engine, 2 * WANTED_PAIRS, idle)
    return _measured(gate, Stage(gate.open), REAL_PAIRS)


def careless(pace: str) -> Ratio:
    """The careless window on a simulated accelerator."""
    engine = SimulatedEngine(PACES[pace])
    gate = Gate(lambda _collect: engine, WANTED_PAIRS)
    _run_naive(gate, CarelessWindow, "naive", UNENDING)
    return ratio_of(gate.pairs)


def beside_neighbour() -> tuple[Ratio, Ratio]:
    """The program's own window and a naive one on mlx-lm and the bundled model, while another process has a core.

    The bare stretches have the same neighbour; who else is there is not asked.
    """
    ours, naive = (Gate(mlx_engine, WANTED_PAIRS) for _ in range(2))
    with busy():
        _measured(ours, Stage(ours.open))
        _run_naive(naive, NaiveWindow, str(bundled_model()), PAGE)
    return ratio_of(ours.pairs, REAL_PAIRS), ratio_of(naive.pairs, REAL_PAIRS)


def _run_naive(gate: Gate, window: Callable[[], NaiveWindow | CarelessWindow], model: str, request: Request) -> None:
    application = QApplication.instance() or QApplication([])
    stage = NaiveStage(gate.open, window(), model)
    stage.open()
    while not gate.done:
        stage.begin(request)()
    stage.close()
    application.processEvents()


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


def mlx_engine(collect: Collect = gc.collect) -> Engine:
    from app.engine.mlx.engine import MlxEngine

    return MlxEngine(collect)
