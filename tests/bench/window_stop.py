"""How long the worker goes on after a click on Stop."""

import time
from dataclasses import dataclass, replace

from app.controls import Mode
from app.engine.types import Reason
from tests.bench.lengths import length
from tests.bench.machine import Delays, all_threads, is_disturbed
from tests.bench.sources import PROSE
from tests.bench.window_stage import ENDLESSLY, Stage

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
    token_ms: float = 0.0
    """How long one token took."""


def stop_decode() -> Stops:
    """In the middle of a reply of the bundled model."""
    stage = Stage()
    stage.open()
    taken: list[Click] = []
    speeds: list[float] = []
    for _ in range(STOPS):
        stage.playground.new_session()
        stage.send()
        stage.until(stage.playground.advanced, lambda: stage.stop_button.isEnabled() and stage.tokens > 0)
        stage.live(DECODE_S)
        taken.append(_click(stage))
        speeds.append(stage.runs[-1].summary.figures.speed_mean or 0.0)
    stage.close()
    return _stops(taken, 1000 / (sum(speeds) / len(speeds)))


def stop_prefill() -> Stops:
    """While the bundled model reads a prompt nearly as long as its context."""
    stage = Stage()
    stage.open()
    taken: list[Click] = []
    for number in range(STOPS):
        stage.playground.new_session()
        # Something new at its beginning, or the cache would have all of it.
        stage.send(f"{number} " + (PROSE * 9)[:PROMPT_CHARACTERS], RAW)
        # On a machine that stands still the prompt may be read between two frames: such a click counts for nothing.
        stage.until(stage.playground.advanced, lambda: stage.prefilled > 0 or stage.tokens > 0)
        click = _click(stage)
        run = stage.runs[-1]
        if run.finish.reason is Reason.STOPPED and not run.ids:
            taken.append(click)
    stage.close()
    return _stops(taken)


def _click(stage: Stage) -> Click:
    delays = Delays(*all_threads())
    delayed, clicked = delays.seconds(), time.perf_counter()
    stage.stop_button.click()
    stage.until_finished()
    taken = 1000 * (time.perf_counter() - clicked)
    return taken, is_disturbed(taken, delayed, delays.seconds())


def _stops(clicks: list[Click], token_ms: float = 0.0) -> Stops:
    clean = [taken for taken, disturbed in clicks if not disturbed]
    return Stops(clean, [taken for taken, disturbed in clicks if disturbed], token_ms)
