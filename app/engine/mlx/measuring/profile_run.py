"""Profiles a run: the time of each part of a token, and the overhead of measuring it.

MLX computes lazily, so each part is evaluated before the next one begins. The run then loses its parallelism, so the
same run is also timed without profiling.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from enum import Enum, auto
from typing import Any, NamedTuple

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx_lm.generate import GenerationResponse

from app.engine.mlx.caches.prompt_cache import PromptCache
from app.engine.mlx.loaded import LoadedModel
from app.engine.mlx.logprob_recorder import Stopwatch
from app.engine.mlx.run import Generation, ModelHook, UncachedResponse
from app.engine.mlx.sampler import Processor, Sampler
from app.engine.protocol import Emit, StopFlag
from app.engine.types import ENDLESS, Cancellation, Event, ExactPrompt, Failure, Request, RunProfile, TimePart, Token
from app.i18n import tr

MOST_TOKENS = 64
UNCOUNTED = 2
"""Number of first tokens that are not timed: one ends the prefill, the next is computed at the same time."""
BEHIND = -1
"""Key for the time after the layers, in place of a layer's index."""
SHORT = Failure(tr("The answer is too short for a profile."), tr("Generate a longer answer."), kind="short")


class ProfileClock:
    """Attributes all time to names, nested ones to the innermost."""

    def __init__(self) -> None:
        self.on = False
        self.seconds: dict[object, float] = {}
        self.passes = 0.0
        """Seconds of the model's forward passes, measured separately."""
        self._names: list[object] = [TimePart.REST]
        self._since = time.perf_counter()

    def begin(self) -> None:
        """Start to count."""
        self.become(self._names[-1])
        self.seconds.clear()
        self.passes = 0.0

    def become(self, name: object) -> None:
        """Rename the current section."""
        now = time.perf_counter()
        self.add(self._names[-1], now - self._since)
        self._since, self._names[-1] = now, name

    def named(self, name: object) -> PartTimer:
        return PartTimer(self, name)

    def enter(self, name: object) -> None:
        self.become(self._names[-1])
        self._names.append(name)

    def leave(self) -> None:
        self.become(None)
        self._names.pop()

    def add(self, name: object, seconds: float) -> None:
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds


class PartTimer(Stopwatch):
    """Attributes the time inside it to a name."""

    def __init__(self, clock: ProfileClock, name: object) -> None:
        super().__init__(time.perf_counter)
        self._clock, self._name = clock, name

    def __enter__(self) -> None:
        self._clock.enter(self._name)

    def __exit__(self, *_: object) -> None:
        self._clock.leave()


class ProfileMode(Enum):
    """How finely a run is timed."""

    PLAIN = auto()
    PARTS = auto()
    LAYERS = auto()


class PassTiming(NamedTuple):
    """Seconds for one token: in total, by part or layer, and in the model's forward passes."""

    token: float
    seconds: dict[object, float]
    passes: float


class TimedRun(Generation):
    """A run that ignores EOS tokens and times its parts, from the second token on."""

    def __init__(self, clock: ProfileClock, mode: ProfileMode, *given: Any) -> None:
        super().__init__(*given)
        self._clock, self._times_parts = clock, mode is not ProfileMode.PLAIN
        self._end_ids = frozenset()
        self.seconds, self.passes = dict[object, float](), 0.0
        if self._recorder is not None and self._times_parts:
            self._recorder.spent = clock.named(TimePart.CANDIDATES)

    def _take(self, response: GenerationResponse | UncachedResponse, now: float) -> None:
        clock = self._clock
        with clock.named(TimePart.TEXT):
            super()._take(response, now)
        clock.on = True
        if len(self._reply.ids) == UNCOUNTED:
            clock.begin()
        self.seconds, self.passes = dict(clock.seconds), clock.passes

    def _sampler(self) -> Sampler:
        return self._timed(TimePart.SAMPLER, super()._sampler())

    def _processors(self) -> list[Processor]:
        if not self._times_parts:
            return super()._processors()
        constraint, recorder = self._constraint and self._constraint.process, self._recorder
        parts = [
            (TimePart.FORM if each == constraint else TimePart.PROCESSORS, each) for each in self._own_processors()
        ]
        own: list[Processor] = [self._timed(*each) for each in parts]
        if recorder and own and not self._drafts:
            own.append(recorder.process)
        return [*own, self._timed(TimePart.PROCESSORS, self._budget.process)] if self._budget else own

    def _target(self) -> Module:
        return self._pass(TimePart.MODEL, super()._target())

    def _draft_target(self) -> Module:
        return self._pass(TimePart.DRAFT, super()._draft_target())

    def _pass(self, part: TimePart, module: Module) -> Module:
        if not self._times_parts:
            return module
        clock = self._clock

        def begin(_count: int) -> bool:
            if clock.on:
                clock.enter(part)
                clock.passes -= time.perf_counter() * (part is TimePart.MODEL)
            return clock.on

        def end(logits: mx.array) -> None:
            mx.eval(logits)
            clock.passes += time.perf_counter() * (part is TimePart.MODEL)
            clock.leave()

        return ModelHook(module, begin, end)

    def _timed(self, part: TimePart, work: Callable[..., mx.array]) -> Callable[..., mx.array]:
        if not self._times_parts:
            return work
        clock = self._clock

        def timed(*given: mx.array) -> mx.array:
            if not clock.on:
                return work(*given)
            with clock.named(part):
                found = work(*given)
                mx.eval(found)
            return found

        return timed


@contextmanager
def layers_timed(module: Module, clock: ProfileClock) -> Iterator[None]:
    """Time each layer of the model by its index. The time before the first one is the model's."""
    numbers = {id(layer): number for number, layer in enumerate(getattr(module, "layers", ()))}
    usual = {kind: kind.__call__ for kind in {type(layer) for layer in getattr(module, "layers", ())}}

    def timed(work: Callable[..., Any]) -> Callable[..., Any]:
        def call(layer: Module, *given: Any, **named: Any) -> Any:
            number = numbers.get(id(layer))
            if number is None or not clock.on:
                return work(layer, *given, **named)
            if number == 0:
                mx.eval(given[:1])
                clock.become(BEHIND)
            with clock.named(number):
                found = work(layer, *given, **named)
                mx.eval(found)
            return found

        return call

    for kind, work in usual.items():
        setattr(kind, "__call__", timed(work))  # noqa: B010
    try:
        yield
    finally:
        for kind, work in usual.items():
            setattr(kind, "__call__", work)  # noqa: B010


def measure_run(
    main: LoadedModel,
    draft: LoadedModel | None,
    prompt: ExactPrompt,
    request: Request,
    emit: Emit,
    keep: Emit,
    stop: StopFlag,
    weights: int,
) -> RunProfile | Failure | Cancellation:
    """Repeat the run untimed, by part, by layer, and back; the faster of each pair counts. No cache is reused."""
    most = request.limits.max_tokens
    most = MOST_TOKENS if most == ENDLESS else min(most, MOST_TOKENS)
    request = replace(request, limits=replace(request.limits, max_tokens=most), interval=1)
    given, taken = (main, draft, PromptCache(), prompt, request), dict[ProfileMode, PassTiming]()
    for way in (*ProfileMode, *reversed(ProfileMode)):
        clock, arrivals = ProfileClock(), list[float]()
        run = TimedRun(clock, way, *given, _timed_emit(arrivals, clock, emit, keep), stop, weights)
        with layers_timed(main.module, clock) if way is ProfileMode.LAYERS else nullcontext():
            finish = run.go()
        count = len(arrivals) - UNCOUNTED
        if stop.asked or finish.failure is not None or count < 1:
            return Cancellation() if stop.asked else finish.failure or SHORT
        token = (arrivals[-1] - arrivals[UNCOUNTED - 1]) / count
        if way not in taken or token < taken[way].token:
            taken[way] = PassTiming(
                token, {name: took / count for name, took in run.seconds.items()}, run.passes / count
            )
    return _profile_of(count, taken)


def _timed_emit(arrivals: list[float], clock: ProfileClock, emit: Emit, keep: Emit) -> Emit:
    """Time an event: CPU time counts as handing over, waiting time as waiting for the window."""

    def hear(event: Event) -> None:
        if isinstance(event, Token):
            arrivals.append(event.at)
        with clock.named(TimePart.HANDING):
            began, worked = time.perf_counter(), time.thread_time()
            emit(event)
            waited = time.perf_counter() - began - (time.thread_time() - worked)
        clock.add(TimePart.WAITING, max(0.0, waited))
        clock.add(TimePart.HANDING, -max(0.0, waited))
        with clock.named(TimePart.JOURNAL):
            keep(event)

    return hear


def _profile_of(count: int, taken: dict[ProfileMode, PassTiming]) -> RunProfile:
    parts, layers = taken[ProfileMode.PARTS].seconds, taken[ProfileMode.LAYERS]
    numbers = sorted(each for each in layers.seconds if isinstance(each, int) and each != BEHIND)
    return RunProfile(
        tokens=count,
        parts=tuple((part, parts.get(part, 0.0)) for part in TimePart),
        layers=tuple(layers.seconds.get(name, 0.0) for name in (TimePart.MODEL, *numbers, BEHIND)),
        unobserved=taken[ProfileMode.PLAIN].token,
        observed=sum(parts.values()),
        layered=layers.token,
        passes=layers.passes,
    )
