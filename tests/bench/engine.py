"""What our engine costs beside mlx-lm's own loop, and what cache, draft model and observing are worth or cost."""

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx_lm import load, stream_generate
from mlx_lm.tokenizer_utils import TokenizerWrapper

from app.engine.mlx.caches.disk_cache import LEAST
from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import (
    KV,
    Event,
    ExactPrompt,
    Finish,
    FormatKind,
    Limits,
    LoadRequest,
    Model,
    OutputFormat,
    RawPrompt,
    Request,
    Sampling,
    Token,
    TokenPrompt,
    Tuning,
)
from app.experiments.draft_prediction import check_drafts, measure_gain, with_draft
from tests.bench.lengths import length
from tests.bench.pairing import compare
from tests.bench.row import Row

MODELS = Path(__file__).parents[2] / "resources" / "models"
PAIRS = length(24, 1)
FEW_PAIRS = length(6, 1)
TOKENS = length(100, 10)
HISTORY_TOKENS = length(1_500, 100)
DRAFT_TOKENS = 3
COUNTS = (2, 4)[: length(2, 1)]
"""Numbers of draft tokens whose speed-up is predicted and measured."""
PREDICTED = (
    "Tell me a long story about a fox.",
    "Write a story about a small boat.",
    "Once upon a time there was",
    "Repeat this list: red, green, blue, red, green, blue, red,",
    "def area(width, height):\n    return width * height\n\ndef area(",
    "What should I know about the moon?",
    "Write a poem about winter.",
    "The fox saw a bird. The bird saw a fox. The fox",
)[: length(8, 1)]
"""Each is predicted and measured with both sources and numbers: 32 predictions."""
PREDICTION_PAIRS = length(3, 1)
STORY = RawPrompt("Tell me a long story about a fox.")
GREEDY = Sampling(temperature=0)
DRAWN = {"": GREEDY, ".drawn": Sampling(temperature=0.7, top_p=0.95)}
NEAR = length(40, 4)
"""How many tokens around a position its speed is taken from."""
WORDS = {"type": "array", "minItems": 1_000, "items": {"type": "string", "minLength": 3, "maxLength": 30}}
POSITIONS = {100: length(100, 10), 400: length(400, 40)}


class Bench:
    """A model in our engine, and in mlx-lm's own loop."""

    def __init__(
        self, folder: Path = MODELS / "demo", draft: str = str(MODELS / "demo-draft"), keeps_packed: bool = False
    ) -> None:
        self.engine = MlxEngine()
        self.engine.tune(Tuning(keeps_packed=keeps_packed))
        model = self.engine.load(LoadRequest(str(folder), draft), lambda event: None, StopFlag())
        assert isinstance(model, Model), model
        self.model = model
        self.no_end = tuple((token, -100.0) for token, _ in model.eos)
        self._folder = folder
        prompt = self.engine.render(STORY)
        assert isinstance(prompt, ExactPrompt)
        self.ids = list(prompt.ids)
        self.request = Request(TokenPrompt(prompt.ids), GREEDY, Limits(TOKENS), KV(reuse=False))

    def play(self, request: Request) -> tuple[Finish, list[Token]]:
        events: list[Event] = []
        finish = self.engine.generate(request, events.append, StopFlag())
        assert finish.failure is None, finish.failure
        return finish, [event for event in events if isinstance(event, Token)]

    def speed(self, request: Request) -> Callable[[], float]:
        return lambda: mean_speed([token.at for token in self.play(request)[1]])

    @cached_property
    def bare(self) -> tuple[Module, TokenizerWrapper]:
        """The model as mlx-lm itself loads it."""
        module, tokenizer = load(str(self._folder))
        module.set_dtype(mx.float32)  # as the engine raises it here
        return module, tokenizer

    def bare_speed(self) -> float:
        return bare_speed(*self.bare, self.ids, TOKENS)

    def first_token_s(self, request: Request) -> float:
        times = self.play(request)[0].times
        return times.first_token - times.sent


def rows() -> list[Row]:
    bench = Bench()
    try:
        observing = [observing_row(bench, f"engine.observe_cost{name}", sampling) for name, sampling in DRAWN.items()]
        cache = (_first_token(bench), _return(bench), _restart(bench), *_cache(bench))
        rows = [_throughput(bench), *observing, *cache, _draft(bench), _prediction(bench)]
        return [*rows, _constrained(bench)]
    finally:
        bench.engine.close()


def _throughput(bench: Bench) -> Row:
    compared = compare(bench.speed(bench.request), bench.bare_speed, PAIRS)
    return Row("engine.throughput_ratio", compared.median, compared.detail())


def observing_row(bench: Bench, name: str, sampling: Sampling, pairs: int = PAIRS) -> Row:
    """Where something is drawn, what it is drawn from is reckoned too."""
    bare = replace(bench.request, sampling=sampling)
    compared = compare(bench.speed(bare), bench.speed(replace(bare, observe=10)), pairs)
    interval = [1 - 1 / ratio for ratio in compared.interval]
    return Row(name, 1 - 1 / compared.median, compared.detail() | {"interval": interval})


def _first_token(bench: Bench) -> Row:
    """The second turn of a long conversation: with its history in the cache, and without."""
    history = tuple(bench.ids[index % len(bench.ids)] for index in range(HISTORY_TOKENS))
    short = Limits(2)
    turns = iter(range(1_000))

    def second_turn(reuse: bool) -> float:
        kv = KV(reuse=reuse)
        bench.play(replace(bench.request, prompt=TokenPrompt(history), limits=short, kv=KV()))
        question = TokenPrompt((*history, *(7 + (next(turns) + place) % 90 for place in range(12))))
        return bench.first_token_s(replace(bench.request, prompt=question, limits=short, kv=kv))

    compared = compare(lambda: second_turn(False), lambda: second_turn(True), FEW_PAIRS)
    return Row("engine.cache_first_token_gain", compared.median, compared.detail())


def _return(bench: Bench) -> Row:
    """Coming back to a long session from another one: with what was kept of it, and read anew."""
    turns = iter(range(1_000))

    def come_back(reuse: bool) -> float:
        """Its model has had other things to do, and there is one more question."""
        for session in (1, 2):
            history = TokenPrompt(_history(bench, session))
            bench.play(replace(bench.request, prompt=history, limits=Limits(2), kv=KV(), session=session))
        question = TokenPrompt((*_history(bench, 1), 7 + next(turns) % 90))
        asked = replace(bench.request, prompt=question, limits=Limits(2), kv=KV(reuse=reuse), session=1)
        bench.engine.render(question)  # as it is foreseen while somebody types
        return bench.first_token_s(asked)

    compared = compare(lambda: come_back(False), lambda: come_back(True), FEW_PAIRS)
    return Row("engine.return_gain", compared.median, compared.detail())


def _restart(bench: Bench) -> Row:
    """The same after a start: what was kept comes from the disk, and is read there in the time that is measured."""
    turns = iter(range(1_000))
    main = bench.engine._main
    assert main is not None

    def come_back(reuse: bool) -> float:
        bench.engine.forget(0)
        bench.play(replace(bench.request, prompt=TokenPrompt(_history(bench, 1)), limits=Limits(2), kv=KV(), session=1))
        bench.engine.save()
        bench.engine._cache.clear()  # as a start does
        bench.engine._open_disk_cache()
        question = TokenPrompt((*_history(bench, 1), 7 + next(turns) % 90))
        main.previewed = None
        asked = replace(bench.request, prompt=question, limits=Limits(2), kv=KV(reuse=reuse), session=1)
        finish, _ = bench.play(asked)
        assert (finish.reused > HISTORY_TOKENS // 2) == (reuse and HISTORY_TOKENS > LEAST)
        return finish.times.first_token - finish.times.sent

    with tempfile.TemporaryDirectory() as folder:
        bench.engine.tune(Tuning(saved_bytes=10**9, saved_to=folder))
        compared = compare(lambda: come_back(False), lambda: come_back(True), FEW_PAIRS)
        bench.engine.tune(Tuning())
    return Row("engine.restart_gain", compared.median, compared.detail())


def _history(bench: Bench, session: int) -> tuple[int, ...]:
    """A long conversation, from its first token on another than any other's."""
    own = (7 + session % 90, 7 + session // 90)
    return (*own, *(bench.ids[(index * session) % len(bench.ids)] for index in range(HISTORY_TOKENS)))


def _cache(bench: Bench) -> list[Row]:
    """Tokens per second at a position, with the cache against the bare loop."""
    sampling = replace(GREEDY, logit_bias=bench.no_end)
    request = replace(bench.request, sampling=sampling, limits=Limits(POSITIONS[400] + NEAR))
    cached = [token.at for token in bench.play(request)[1]]
    bare = [token.at for token in bench.play(replace(request, kv=KV(enabled=False)))[1]]
    rows = []
    for position in POSITIONS:
        near = slice(POSITIONS[position] - NEAR, POSITIONS[position] + NEAR)
        gain = mean_speed(cached[near]) / mean_speed(bare[near])
        detail = {"with": mean_speed(cached[near]), "without": mean_speed(bare[near])}
        rows.append(Row(f"engine.cache_gain_at_{position}", gain, detail))
    return rows


def _draft(bench: Bench) -> Row:
    drafted = replace(bench.request, draft_tokens=DRAFT_TOKENS)
    compared = compare(bench.speed(drafted), bench.speed(bench.request), FEW_PAIRS * 2)
    counts = bench.play(drafted)[0].drafted
    assert counts is not None
    detail = compared.detail() | {"accepted": counts.accepted / counts.proposed, "steps": counts.steps}
    return Row("engine.draft_gain", compared.median, detail)


def _prediction(bench: Bench) -> Row:
    """Predicted against measured speed-up of every draft that can be run."""
    errors, detail = [], {}
    for text in PREDICTED:
        prompt = bench.engine.render(RawPrompt(text))
        assert isinstance(prompt, ExactPrompt)
        request = replace(bench.request, prompt=TokenPrompt(prompt.ids))
        answer = [token.id for token in bench.play(request)[1]]
        check = check_drafts(bench.engine, bench.model, request, answer, lambda event: None, StopFlag())
        for each in check.predictions:
            if each.count in COUNTS and with_draft(request, each) is not None:
                measured = measure_gain(bench.engine, check, each, lambda event: None, StopFlag(), PREDICTION_PAIRS)
                found = measured.measured[-1][1].middle
                errors.append(abs(each.speedup.middle / found - 1))
                detail[f"{each.longest or 'model'}, {each.count} per step: {text}"] = [each.speedup.middle, found]
    return Row("engine.draft_prediction_error", statistics.median(errors), detail)


def _constrained(bench: Bench) -> Row:
    """Held to a schema that goes on for ever, against free."""
    free = replace(bench.request, sampling=replace(GREEDY, logit_bias=bench.no_end))
    held = replace(free, form=OutputFormat().put(FormatKind.SCHEMA, json.dumps(WORDS)))
    compared = compare(bench.speed(held), bench.speed(free), PAIRS)
    return Row("engine.constrained_ratio", compared.median, compared.detail())


def bare_speed(module: Module, tokenizer: TokenizerWrapper, ids: Sequence[int], tokens: int) -> float:
    """Tokens/s of mlx-lm's own loop."""
    responses = stream_generate(module, tokenizer, list(ids), max_tokens=tokens)
    return mean_speed([time.monotonic() for _ in responses])


def mean_speed(arrivals: list[float]) -> float:
    return (len(arrivals) - 1) / (arrivals[-1] - arrivals[0])
