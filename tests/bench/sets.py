"""What a batch gains over one row after another with the same answers, and how the window feels with ten thousand."""

import statistics
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import ChatPrompt, Limits, LoadRequest, Model, Request, Sampling
from app.sets.reading import open_set
from app.sets.study import conduct
from app.sets.types import Arm, Check, CheckKind, PromptSet, Study
from tests.bench.lengths import length
from tests.bench.pairing import compare
from tests.bench.row import Row
from tests.bench.segments import told
from tests.bench.sets_window import OPENING, SetsWindow
from tests.bench.sets_window import ROWS as MANY
from tests.bench.window_parts import worst

RESOURCES = Path(__file__).parents[2] / "resources"
ROWS = length(64, 4)
PAIRS = length(8, 1)
TOGETHER = 16
LEAST = 3
LAG_MS, STEP_MS, KEPT_BYTES = 12.0, 50.0, 4_000.0


class Bench:
    """A model and a study of it."""

    def __init__(self, temperature: float) -> None:
        self.engine = MlxEngine()
        model = self.engine.load(LoadRequest(str(RESOURCES / "models" / "demo")), lambda event: None, StopFlag())
        prompts = open_set(RESOURCES / "sets" / "counting.jsonl")
        assert isinstance(model, Model) and isinstance(prompts, PromptSet)
        self.model = model
        some = replace(prompts, rows=prompts.rows[:ROWS])
        request = Request(ChatPrompt(()), Sampling(temperature=temperature, seed=5), Limits(48))
        self._study = Study("counting", some, some.template, (Arm("one", request),), Check(CheckKind.EQUAL))
        self._said: list[str] = []

    def seconds(self, together: int) -> float:
        started = time.perf_counter()
        made = conduct(self.engine, replace(self._study, together=together), self.model, StopFlag())
        taken, said = time.perf_counter() - started, [each.text for each in made.answers]
        self._said = self._said or said
        assert len(said) == ROWS and said == self._said, "the very same answers"
        return taken


def rows() -> list[Row]:
    found = {}
    for temperature in (0.0, 0.8):
        bench = Bench(temperature)
        try:
            found[temperature] = compare(partial(bench.seconds, 1), partial(bench.seconds, TOGETHER), PAIRS)
        finally:
            bench.engine.unload()
    detail = found[0.0].detail() | {"together": TOGETHER, "rows": ROWS, "drawn at 0.8": found[0.8].median}
    return [Row("sets.batch_gain", found[0.0].median, "times", LEAST, "higher", detail), *_felt()]


def _felt() -> list[Row]:
    window = SetsWindow()
    window.live()
    window.close()
    phases = {name: samples for name, samples in window.late.items() if name != OPENING}
    lag = worst("sets.lag_p99_ms", list(phases.values()), 0.99, LAG_MS)
    clean = [max(each.values) for each in window.openings if each.values]
    every = [max(each.values + each.disturbed) for each in window.openings]
    step = told(statistics.median(clean) if clean else None, statistics.median(every), STEP_MS)
    told_of = {"each": [round(each, 1) for each in clean], "with_disturbed": [round(each, 1) for each in every]}
    return [
        replace(lag, detail={"phases": list(phases), **lag.detail}),
        Row("sets.open_step_ms", step, "ms", STEP_MS, "lower", {"rows": MANY, **told_of}),
        Row("sets.bytes_per_answer", window.bytes_per_answer, "bytes", KEPT_BYTES, "lower"),
    ]
