"""Where tokens come from: a simulated accelerator, which costs what a real one costs, and text for it to write."""

import math
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from app.engine.jobs import Job, Result
from app.engine.protocol import Emit, StopFlag
from app.engine.types import (
    ENDLESS,
    Alternative,
    Cancellation,
    Channel,
    ExactPrompt,
    Failure,
    Finish,
    LoadRequest,
    Memory,
    Model,
    Prefill,
    PromptEvent,
    PromptPart,
    PromptSource,
    PromptSpan,
    Reason,
    Request,
    Reusable,
    SamplingStats,
    SpelledToken,
    Times,
    Token,
    TokenLogprobs,
    TopTokens,
    Tuning,
    VisibleText,
)

ANSWER = (Path(__file__).parent / "answer.md").read_text("utf-8")
"""Written as models write: headings, lists, tables, code and much prose."""
_PARAGRAPHS = [part.replace("\n", " ") for part in ANSWER.split("\n\n") if part[:1].isalpha()]
PROSE = "".join(f"{part}\n\n" for part in _PARAGRAPHS)
ONE_LINE = "".join(f"{part} " for part in _PARAGRAPHS)
MEMORY_S = 0.25
_PIECE = re.compile(r"\n+| ?\w{1,5}| ?[^\w\s]+| +")


def pieces(text: str) -> list[str]:
    """The text in pieces of a token's size; joined they are the text."""
    return _PIECE.findall(text)


@dataclass(frozen=True, slots=True)
class Pace:
    """A model on an accelerator: what it takes on the device, and in the interpreter to tell the device."""

    tokens_per_second: float
    python_ms: float


class Work:
    """Keeps the interpreter busy for a fixed number of steps, as building a model's graph does.

    Never for a fixed time: whoever waits for the interpreter must come out later, not with less work done.
    """

    def __init__(self, milliseconds: float) -> None:
        trial = 20_000
        quickest = min(_timed(trial) for _ in range(20))
        self._steps = round(trial * milliseconds / 1000 / quickest)

    def do(self) -> None:
        _work(self._steps)


class SimulatedEngine:
    """Like mlx-lm it queues one token ahead: while the device works on one, the next is being prepared."""

    def __init__(self, pace: Pace, text: str = ANSWER) -> None:
        self._period = 1.0 / pace.tokens_per_second
        self._work = Work(pace.python_ms)
        self._text = text
        self.thread = 0
        """Where it generates."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        return model_of(request)

    def render(self, source: PromptSource) -> ExactPrompt | Failure:
        return PROMPT

    def token_texts(self, source: PromptSource) -> tuple[SpelledToken, ...] | Failure:
        return ()

    def reusable(self, ids: tuple[int, ...], request: Request) -> Reusable:
        return Reusable()

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        self.thread = threading.get_native_id()
        started = begin(emit)
        writer = Writer(self._text, request.observe)
        limit = math.inf if request.limits.max_tokens == ENDLESS else request.limits.max_tokens
        free_at = time.perf_counter()
        done_at = 0.0
        remembered = time.monotonic()
        while not stop.asked and writer.written < limit:
            self._work.do()
            now = time.perf_counter()
            free_at = max(free_at, now) + self._period
            if done_at:
                time.sleep(max(0.0, done_at - now))
                at = time.monotonic()
                emit(writer.token(at))
                if at - remembered >= MEMORY_S:
                    remembered = at
                    emit(memory_at(writer.written))
            done_at = free_at
        return finish_of(stop, started, writer.written, math.isfinite(limit))

    def run_job(self, job: Job[Result], emit: Emit, stop: StopFlag) -> Result | Failure | Cancellation:
        return Cancellation()

    def tune(self, tuning: Tuning) -> None:
        pass

    def has_model(self) -> bool:
        return True

    def memory(self) -> Memory:
        return memory_at(0)

    def unload(self) -> None:
        pass

    def close(self) -> None:
        pass


class Writer:
    """Makes tokens of a text that never ends."""

    def __init__(self, text: str, observe: int = 0) -> None:
        self._pieces: Iterator[str] = cycle(pieces(text))
        self._observe = observe
        self._characters = 0
        self.written = 0

    def token(self, at: float) -> Token:
        text = next(self._pieces)
        observed = observation(text, self.written, self._observe) if self._observe else None
        shown = (VisibleText(Channel.NORMAL, text, self._characters),)
        token = Token(self.written, self.written % 2048, text, shown, at, False, observed)
        self.written += 1
        self._characters += len(text)
        return token


def observation(text: str, number: int, count: int) -> TokenLogprobs:
    """New objects for each token, as a real engine makes them."""
    top = tuple(
        Alternative((number + rank) % 2048, f"{text}{rank}", -0.7 * (rank + 1) - number * 1e-9, 10.0 - rank)
        for rank in range(count)
    )
    drawn = SamplingStats(0.4 + number * 1e-9, 500, number * 1e-9, number * 2e-9)
    return TokenLogprobs(top[0], 1, TopTokens.of(top), 1.5 + number * 1e-9, 0.001, 0.1, drawn)


def begin(emit: Emit) -> float:
    """What comes before the first token; tells when it began."""
    started = time.monotonic()
    emit(PromptEvent(PROMPT, 0, len(PROMPT.ids)))
    emit(Prefill(0, len(PROMPT.ids), started))
    emit(Prefill(len(PROMPT.ids), len(PROMPT.ids), time.monotonic()))
    return started


def finish_of(stop: StopFlag, started: float, tokens: int, limited: bool) -> Finish:
    now = time.monotonic()
    reason = Reason.STOPPED if stop.asked else Reason.LENGTH
    times = Times(stop.made_at, started, started, started, now, stop.asked_at, now)
    return Finish(reason, "length" if limited else None, tokens, times, new=len(PROMPT.ids))


def model_of(request: LoadRequest) -> Model:
    return Model("simulated", Path(request.model), "simulated", 10**9, 10**9, None, 2048, ((2, "</s>"),))


def memory_at(tokens: int) -> Memory:
    kv = 100_000 * tokens
    return Memory(10**9 + kv, 10**7, 10**9 + kv, 16 * 10**9, 10**9, kv)


def _prompt() -> ExactPrompt:
    text = "Tell me all about rivers."
    words = re.findall(r" ?\S+", text)
    ends = [sum(len(word) for word in words[: number + 1]) for number in range(len(words))]
    offsets = tuple(zip([0, *ends[:-1]], ends, strict=True))
    return ExactPrompt(text, tuple(range(len(words))), offsets, (PromptSpan(PromptPart.USER, 0, len(text)),))


def _timed(steps: int) -> float:
    started = time.perf_counter()
    _work(steps)
    return time.perf_counter() - started


def _work(steps: int) -> int:
    total = 0
    for step in range(steps):
        total += step & 7
    return total


PROMPT = _prompt()
