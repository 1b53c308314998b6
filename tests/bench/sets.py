"""What a batch gains over one row after another, with the same answers."""

import time
from dataclasses import replace
from functools import partial
from pathlib import Path

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import ChatPrompt, Limits, LoadRequest, Model, Request, Sampling
from app.evaluation.evaluation_run import run_evaluation
from app.evaluation.reading import open_set
from app.evaluation.types import Check, CheckKind, Evaluation, EvaluationVariant, PromptSet
from tests.bench.lengths import length
from tests.bench.pairing import compare
from tests.bench.row import Row

RESOURCES = Path(__file__).parents[2] / "resources"
ROWS = length(64, 4)
PAIRS = length(8, 1)
TOGETHER = 16


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
        self._study = Evaluation(
            "counting", some, some.template, (EvaluationVariant("one", request),), Check(CheckKind.EQUAL)
        )
        self._said: list[str] = []

    def seconds(self, together: int) -> float:
        started = time.perf_counter()
        made = run_evaluation(self.engine, replace(self._study, together=together), self.model, StopFlag())
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
    return [Row("sets.batch_gain", found[0.0].median, detail)]
