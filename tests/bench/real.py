"""A real model of 135 million parameters: the window, recording, unpacked weights and the first token.

`make real-model` makes it. Without it all rows are inconclusive, and say so.
"""

import os
import tempfile
from dataclasses import replace
from pathlib import Path

from mlx_lm.convert import convert
from PySide6.QtCore import QObject, Signal

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import Collect, Engine
from app.engine.types import KV, Limits, LoadRequest, Request, TokenPrompt
from app.state import Phase
from tests.bench.engine import GREEDY, Bench, bare_speed, observing_row
from tests.bench.lengths import length
from tests.bench.pairing import compare
from tests.bench.promised import BARS
from tests.bench.row import Row
from tests.bench.start import first_tokens, starts_row
from tests.bench.window_stage import ENDLESSLY, Stage, wait

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
MODEL = Path(os.environ.get("SLUICE_BENCH_MODEL") or CACHE / "sluice-tests" / "SmolLM2-135M-Instruct")
MISSING = "the real model isn't here: run make real-model"
TOKENS = length(48, 12)
PROMPT_TOKENS = length(200, 20)
PAIRS, FEW_PAIRS, STARTS = length(10, 1), length(3, 1), length(5, 1)
OBSERVED = 10


def rows() -> list[Row]:
    if not (MODEL / "config.json").is_file():
        return [Row(name, None, {"why": MISSING}) for name in BARS["real"]]
    throughput, observing = _throughput(), _observing()
    with tempfile.TemporaryDirectory() as folder:
        unpacking = _unpacking(Path(folder) / "8-bit")
    first = starts_row("real.first_token_ratio", first_tokens(MODEL, STARTS))
    return [throughput, observing, unpacking, first]


class BareLoop(QObject):
    """mlx-lm's own loop on the engine's thread, while the window rests."""

    ended = Signal()

    def __init__(self, engine: MlxEngine, ids: tuple[int, ...]) -> None:
        super().__init__()
        self.speed = 0.0
        self._engine, self._ids = engine, ids

    def run(self) -> None:
        main = self._engine._main
        assert main is not None
        self.speed = bare_speed(main.module, main.tokenizer, self._ids, TOKENS)
        self.ended.emit()


def _throughput() -> Row:
    """Whole runs by turns: in the window with candidates recorded, and in mlx-lm's own loop."""
    engines: list[MlxEngine] = []

    def make(collect: Collect) -> Engine:
        engines.append(MlxEngine(collect))
        return engines[0]

    stage = Stage(make)
    stage.open()
    playground = stage.playground
    playground.load(LoadRequest(str(MODEL)))
    stage.until_phase(Phase.READY)
    playground.set_controls(replace(ENDLESSLY, limits=Limits(TOKENS), observe=OBSERVED))

    def window_speed() -> float:
        playground.new_session()
        playground.send("Tell me all about rivers.")
        return stage.until_finished().summary.figures.speed_mean or 0.0

    window_speed()
    prompt = stage.runs[-1].prompt
    assert prompt is not None
    bare = BareLoop(engines[0], prompt.ids)

    def speed_of_bare_loop() -> float:
        until_ended = wait(bare.ended)
        playground._runner.order(bare.run)
        until_ended()
        return bare.speed

    compared = compare(window_speed, speed_of_bare_loop, PAIRS)
    stage.close()
    detail = compared.detail() | {"bare_tokens_per_second": round(bare.speed, 2)}
    return Row("real.throughput_ratio", compared.median, detail)


def _observing() -> Row:
    bench = Bench(MODEL, "")
    bench.request = replace(bench.request, limits=Limits(TOKENS))
    try:
        return observing_row(bench, "real.observe_cost", replace(GREEDY, logit_bias=bench.no_end), PAIRS)
    finally:
        bench.engine.unload()  # close would end MLX's streams of this thread


def _unpacking(folder: Path) -> Row:
    """Prefill with 8-bit weights unpacked to float32 ÷ with the packed ones."""
    convert(str(MODEL), str(folder), quantize=True, q_bits=8, q_group_size=64, dtype="float16")
    unpacked, packed = Bench(folder, ""), Bench(folder, "", keeps_packed=True)
    try:
        compared = compare(lambda: _prefill_speed(unpacked), lambda: _prefill_speed(packed), FEW_PAIRS)
    finally:
        unpacked.engine.close()
        packed.engine.close()
    return Row("real.unpack_prefill_gain", compared.median, compared.detail() | {"prompt_tokens": PROMPT_TOKENS})


def _prefill_speed(bench: Bench) -> float:
    ids = tuple(bench.ids[index % len(bench.ids)] for index in range(PROMPT_TOKENS))
    times = bench.play(Request(TokenPrompt(ids), GREEDY, Limits(1), KV(reuse=False)))[0].times
    return PROMPT_TOKENS / (times.prefill_ended - times.prefill_started)
