"""The child process that quantizes a model and compares it with the original: JSON on stdin and stdout."""

import gc
import json
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from queue import Queue
from typing import Any, TypeVar

from app.engine import types
from app.engine.distributions import Distributions
from app.engine.errors import UserError, unexpected_failure
from app.engine.jobs import CompareTokens, ScoreTokens
from app.engine.meter.speeds import mean_speed
from app.engine.protocol import Collect, Engine, StopFlag
from app.engine.types import (
    Cancellation,
    Failure,
    LoadRequest,
    Model,
    RawPrompt,
    TokenDifference,
    TokenPrompt,
    TokenScores,
)
from app.files import json_reader, regular_files
from app.i18n import tr
from app.perplexity.statistics import model_difference, standard_error
from app.quantization.choice import GROUPS, QuantizationCost

Answer = TypeVar("Answer")
TOKENS, RUNS, LONGEST_S = 48, 25, 2.0
"""Speed measurement: tokens of a run, the most runs, and their total time in seconds."""
LARGEST_BYTES = 1_000_000
"""The largest text that both models score, in bytes."""
BEGINNING = 200
"""Characters of the text that make the prompt of a speed run."""
NEVER = -100.0
"""The logit bias of EOS tokens."""


class QuantizationComparison:
    """Compares models with the original, whose distributions are computed once and stored on disk."""

    def __init__(self, engine: Engine, original: str, text: str) -> None:
        self._engine, self._text, self._stop = engine, text, StopFlag()
        model = self._open(original)
        ids = require_result(engine.render(RawPrompt(text))).ids[: model.context]
        self._tokens, self._kept = TokenPrompt(ids), Distributions(len(ids) - 1, model.vocabulary)
        self._nats = _nats(
            require_result(engine.run_job(ScoreTokens(self._tokens, kept=self._kept), _tell_first_half, self._stop))
        )
        self._speed = self._measured(model)

    def against(self, made: str) -> QuantizationCost:
        """Compare a model with the original. Both have the same tokenizer, so the tokens are the same."""
        model, found = self._open(made), list[TokenDifference]()
        self._kept.rewind()
        nats = _nats(
            require_result(
                self._engine.run_job(CompareTokens(self._tokens, self._kept, found), _tell_second_half, self._stop)
            )
        )
        worse = [after - before for before, after in zip(self._nats, nats, strict=True)]
        kl, mean = model_difference(found), math.fsum(worse) / len(worse)
        known = (mean, standard_error(worse), kl.kl_mean, kl.kl_standard_error, kl.same_first)
        pace, memory = self._measured(model), self._engine.memory().active
        return QuantizationCost(*known, pace, self._speed, memory, model.format.unpacked)

    def _open(self, name: str) -> Model:
        return require_result(self._engine.load(LoadRequest(name), lambda event: None, self._stop))

    def _measured(self, model: Model) -> float | None:
        """Return the highest speed of several runs, which other programs slowed down least."""
        sampling = types.Sampling(temperature=0.0, logit_bias=tuple((token, NEVER) for token, _ in model.eos))
        request = types.Request(RawPrompt(self._text[:BEGINNING]), sampling, types.Limits(TOKENS))
        begun, found = time.monotonic(), list[float]()
        for _ in range(RUNS):
            finish = self._engine.generate(request, lambda event: None, self._stop)
            pace = mean_speed(finish.tokens, finish.times.first_token, finish.times.last_token)
            if pace is not None:
                found.append(pace)
            if found and time.monotonic() > begun + LONGEST_S:
                break
        return max(found, default=None)


class QuantizationWorker:
    """Executes requests of the parent process. The original is scored once for all comparisons."""

    def __init__(self, engine_of: Callable[[Collect], Engine]) -> None:
        self._engine_of = engine_of
        self._comparison: QuantizationComparison | None = None

    def do(self, order: Mapping[str, Any]) -> dict[str, Any]:
        from app.engine.mlx import quantize

        if order["do"] == "foresee":
            return quantize.predict_conversion(Path(order["folder"]), order["choice"], GROUPS)
        if order["do"] == "convert":
            quantize.convert(Path(order["folder"]), Path(order["to"]), order["choice"], _tell)
            gc.collect()
            return {}
        if self._comparison is None:
            engine = self._engine_of(gc.collect)
            text = regular_files.read(Path(order["text"]), LARGEST_BYTES).decode("utf-8")
            self._comparison = QuantizationComparison(engine, order["folder"], text)
        return asdict(self._comparison.against(order["made"]))


def main(engine_of: Callable[[Collect], Engine]) -> int:
    orders: Queue[str] = Queue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    bench = QuantizationWorker(engine_of)
    while True:
        try:
            _say("done", bench.do(json_reader.parse(orders.get())))
        except UserError as refused:
            _say("failed", asdict(refused.failure))
        except Exception as error:
            failure = unexpected_failure(tr("This model could not be quantized."), tr("Try another model."), error)
            _say("failed", asdict(failure))


def require_result(outcome: Answer | Failure | Cancellation) -> Answer:
    """Return a successful result; raise UserError for a failure. It can't be a stop, which ends the process."""
    if isinstance(outcome, Failure):
        raise UserError.of(outcome)
    assert not isinstance(outcome, Cancellation)
    return outcome


def _nats(weighed: TokenScores) -> list[float]:
    """Return the surprisals in nats of all tokens except the first."""
    return [-weight.logprob for weight in weighed.weights if weight is not None]


def _listen(orders: Queue[str]) -> None:
    """Read requests from stdin. End this process when the pipe closes, because the parent process has ended."""
    for line in sys.stdin:
        orders.put(line)
    os._exit(0)


def _tell(event: types.Event) -> None:
    if isinstance(event, types.Loading | types.Prefill):
        _say("progress", {"done": event.done, "total": event.total})


def _tell_first_half(event: types.Event) -> None:
    """Report the pass of the original model, which precedes that of the quantized one."""
    if isinstance(event, types.Prefill):
        _tell(replace(event, total=2 * event.total))


def _tell_second_half(event: types.Event) -> None:
    if isinstance(event, types.Prefill):
        _tell(replace(event, done=event.total + event.done, total=2 * event.total))


def _say(what: str, told: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps({"say": what, **told}) + "\n")
    sys.stdout.flush()
