"""How long the worker goes on after a click on Stop, and the same engine without a window after its stop flag."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

from app.__main__ import bundled_model
from app.controls import Mode
from app.engine.protocol import StopFlag
from app.engine.types import Event, Finish, LoadRequest, Prefill, RawPrompt, Reason, Request, Token
from tests.bench.lengths import length
from tests.bench.machine import Delays, all_threads, is_disturbed
from tests.bench.sources import PROSE
from tests.bench.window_stage import ENDLESSLY, PATIENCE_S, Stage, live
from tests.bench.window_throughput import PAGE, mlx_engine

STOPS = length(16, 1)
DECODE_S = 0.2
PROMPT_CHARACTERS = 4_000
Click = tuple[float, bool]
"""Milliseconds, and whether the machine had a hand in them."""
RAW = replace(ENDLESSLY, mode=Mode.RAW)


@dataclass(frozen=True, slots=True)
class Stops:
    """Milliseconds from each click until the worker was idle, those that the machine disturbed apart."""

    taken_ms: list[float]
    disturbed: list[float]


def stop_decode() -> Stops:
    """In the middle of a reply of the bundled model."""
    stage = Stage()
    stage.open()
    taken: list[Click] = []
    for _ in range(STOPS):
        stage.playground.new_session()
        stage.send()
        stage.until(stage.playground.advanced, lambda: stage.stop_button.isEnabled() and stage.tokens > 0)
        live(DECODE_S)
        taken.append(_click(stage))
    stage.close()
    return _stops(taken)


def stop_prefill() -> Stops:
    """While the bundled model reads a prompt nearly as long as its context."""
    stage = Stage()
    stage.open()
    taken: list[Click] = []
    for number in range(STOPS):
        stage.playground.new_session()
        stage.send(long_prompt(number), RAW)
        # On a machine that stands still the prompt may be read between two frames: such a click counts for nothing.
        stage.until(stage.playground.advanced, lambda: stage.prefilled > 0 or stage.tokens > 0)
        click = _click(stage)
        run = stage.runs[-1]
        if run.finish.reason is Reason.STOPPED and not run.ids:
            taken.append(click)
    stage.close()
    return _stops(taken)


def long_prompt(number: int) -> str:
    """Something new at its beginning, or the cache would have all of it."""
    return f"{number} " + (PROSE * 9)[:PROMPT_CHARACTERS]


def bare_stop_decode() -> Stops:
    with _bare() as stop:
        return _stops([stop(PAGE, Token, DECODE_S)[0] for _ in range(STOPS)])


def bare_stop_prefill() -> Stops:
    with _bare() as stop:
        stopped = [stop(replace(PAGE, prompt=RawPrompt(long_prompt(each))), Prefill, 0.0) for each in range(STOPS)]
    return _stops([click for click, finish in stopped if finish.reason is Reason.STOPPED and not finish.tokens])


Stopping = Callable[[Request, type[Event], float], tuple[Click, Finish]]
"""Begins a run, waits for an event of this type and for so long, and asks the run to stop."""


@contextmanager
def _bare() -> Iterator[Stopping]:
    """The bundled model in an engine on a thread of its own."""
    with ThreadPoolExecutor(1) as thread:
        engine = thread.submit(mlx_engine).result()
        thread.submit(engine.load, LoadRequest(str(bundled_model())), lambda event: None, StopFlag()).result()

        def stop(request: Request, kind: type[Event], seconds: float) -> tuple[Click, Finish]:
            begun, flag = threading.Event(), StopFlag()

            def emit(event: Event) -> None:
                if isinstance(event, kind) and not (isinstance(event, Prefill) and not event.done):
                    begun.set()

            run = thread.submit(engine.generate, request, emit, flag)
            begun.wait(PATIENCE_S)
            time.sleep(seconds)
            delays = Delays(*all_threads())
            delayed, asked = delays.seconds(), time.perf_counter()
            flag.ask()
            finish = run.result()
            taken = 1000 * (time.perf_counter() - asked)
            return (taken, is_disturbed(taken, delayed, delays.seconds())), finish

        yield stop
        thread.submit(engine.close).result()


def _click(stage: Stage) -> Click:
    delays = Delays(*all_threads())
    delayed, clicked = delays.seconds(), time.perf_counter()
    stage.stop_button.click()
    stage.until_finished()
    taken = 1000 * (time.perf_counter() - clicked)
    return taken, is_disturbed(taken, delayed, delays.seconds())


def _stops(clicks: list[Click]) -> Stops:
    clean = [taken for taken, disturbed in clicks if not disturbed]
    return Stops(clean, [taken for taken, disturbed in clicks if disturbed])
