"""Time: engines that stall, clocks that jump, hands that are faster than the window."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest import mock

from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Emit, Engine, StopFlag
from app.engine.types import Finish, LoadRequest, Reason, Request
from app.state import SETTLED, Phase
from tests.faults.cycles import cycled
from tests.faults.leaving import quit_in, quit_in_an_experiment, quit_without_a_model
from tests.faults.table import Row
from tests.faults.windows import ENDLESS_TEXT, QUICK, Scene, scene

POINT = "time"
YEAR_S = 365 * 24 * 3600.0
NIGHT_S = 8 * 3600.0
PREFILL = replace(QUICK, prefill_per_second=1, context=100_000)
"""A prompt of sixty tokens takes a minute to be read."""


def rows() -> list[Row]:
    """In full."""
    return [
        stalled(),
        slow_prefill(),
        *(clock_jumped(by) for by in (-10 * YEAR_S, -YEAR_S, YEAR_S)),
        slept(),
        cycled(),
        stopped_often(),
        sent_during_load(),
        *(quit_in(phase, 20) for phase in Phase if phase is not Phase.EMPTY),
        quit_without_a_model(),
        quit_in_an_experiment(20),
        two_at_once(),
    ]


class Stalled(EchoEngine):
    """Says nothing more after a few tokens until it is asked to stop, as a device that has stalled would."""

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        finish = super().generate(request, emit, stop)
        stop.wait(3600)
        return replace(finish, reason=Reason.STOPPED)


class Sleeper(EchoEngine):
    """In the middle of its answer the clock goes on by a night, as after the lid was closed."""

    def __init__(self, clock: Callable[[], float], fall_asleep: Callable[[], None]) -> None:
        super().__init__(QUICK, clock)
        self._fall_asleep = fall_asleep

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        count = 0

        def counted(event: object) -> None:
            nonlocal count
            count += 1
            if count == 20:
                self._fall_asleep()
            emit(event)  # type: ignore[arg-type]

        return super().generate(request, counted, stop)


def stalled() -> Row:
    """The window lives on, and Stop is heard."""
    with _scene(lambda: Stalled(QUICK)) as made:
        made.playground.send("Hello")
        made.until(lambda: made.state.phase is Phase.GENERATING)
        alive = made.playground.set_controls(replace(made.state.controls, observe=3))
        made.playground.stop()
        made.until_ready()
        run = made.state.last_run
        lost = [] if run is not None and run.text and alive else ["the text is gone, or the window stood still"]
    return Row(POINT, "a worker that has stalled", 1, tuple(lost))


def slow_prefill() -> Row:
    """A minute to be read: Stop ends it there, and the next run is as any other."""
    with _scene(lambda: EchoEngine(PREFILL)) as made:
        made.playground.send("word " * 60)
        made.until(lambda: made.state.phase is Phase.PREFILLING)
        made.playground.stop()
        began = time.monotonic()
        made.until_ready()
        took = time.monotonic() - began
        run = made.state.last_run
        stopped = run is not None and run.finish.reason is Reason.STOPPED
        lost = [] if stopped and took < 5 else [f"stopped {stopped} after {took:.1f} s"]
    return Row(POINT, "Stop in a prefill of a minute", 1, tuple(lost))


def clock_jumped(by: float) -> Row:
    """The wall clock jumps between two runs and at the next start: figures, order and texts stay sound."""
    lost: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        usual = time.time
        with scene(Path(folder)) as made:
            made.say("before")
            with mock.patch("time.time", lambda: usual() + by):
                made.say("after")
                lost += _unsound(made)
                made.playground.new_session()
                made.say("another one")
                made.until_ready()
        with mock.patch("time.time", lambda: usual() + 2 * by), scene(Path(folder)) as made:
            said = {turn.text for info in made.journal.sessions.rows() for turn in made.journal.sessions.turns(info.id)}
            lost += [f"“{text}” is gone" for text in ("before", "after", "another one") if text not in said]
            lost += _unsound(made)
    return Row(POINT, f"the clock jumps by {by / YEAR_S:+.0f} year", 1, tuple(lost))


def slept() -> Row:
    """A night between two tokens: the figures stay finite, and the window draws them at once."""
    now = [time.monotonic()]

    def clock() -> float:
        return max(now[0], time.monotonic() + (now[0] - start))

    start = now[0]

    def fall_asleep() -> None:
        now[0] += NIGHT_S

    with _scene(lambda: Sleeper(clock, fall_asleep)) as made:
        made.say("Good night")
        run = made.state.last_run
        figures = run.summary.figures if run is not None else None
        whole = figures is not None and (figures.speed_mean or 0) > 0 and run is not None
        lost = [] if whole and run is not None and run.finish.failure is None else [f"{figures}"]
        made.live(200)
    return Row(POINT, "a night of sleep in a run", 1, tuple(lost))


def stopped_often() -> Row:
    """Fifty times in a row, and the run after it is not touched by any of them."""
    with _scene(lambda: EchoEngine(ENDLESS_TEXT)) as made:
        controls = made.state.controls
        made.playground.set_controls(replace(controls, limits=replace(controls.limits, max_tokens=200)))
        made.playground.send("Go")
        made.until(lambda: made.state.phase is Phase.GENERATING)
        taken = sum(made.playground.stop() for _ in range(50))
        made.until_ready()
        made.say("Go on")
        run = made.state.last_run
        whole = run is not None and run.finish.reason is Reason.LENGTH
        lost = [] if taken == 1 and whole else [f"{taken} were taken, and the next run ended with {run}"]
    return Row(POINT, "Stop pressed fifty times", 50, tuple(lost))


def sent_during_load() -> Row:
    """What was typed stays until it can go, and goes then."""
    with _scene(lambda: EchoEngine(replace(QUICK, load_seconds=0.3))) as made:
        prompt = made.window._parts.prompt
        made.playground.load(LoadRequest("another"))
        prompt.set_text("not lost")
        made.window._features.prompt.send("not lost")
        stays = not made.state.turns and prompt.text() == "not lost"
        made.until(lambda: made.state.phase is Phase.READY and bool(made.state.turns))
        went = made.state.turns[0].text == "not lost" and not prompt.text()
        lost = [] if stays and went else [f"the prompt is {prompt.text()!r}, the page {made.state.turns!r:.200}"]
    return Row(POINT, "Send during a load", 1, tuple(lost))


def two_at_once() -> Row:
    """Two windows on one folder: the second one says so and works in memory; the first one loses nothing."""
    lost: list[str] = []
    with tempfile.TemporaryDirectory() as folder, scene(Path(folder)) as first, scene(Path(folder)) as second:
        first.say("of the first")
        second.say("of the second")
        if second.journal.failure is None:
            lost.append("the second one does not tell that it keeps nothing")
        first.journal.flush()
        texts = [turn.text for turn in first.journal.sessions.turns(first.state.session)]
        if texts[:1] != ["of the first"]:
            lost.append(f"the first one has {texts}")
    return Row(POINT, "two instances on one folder", 1, tuple(lost))


def _unsound(made: Scene) -> Iterator[str]:
    """Figures that only a clock which went backwards could have made."""
    for info in made.journal.sessions.rows():
        for row in made.journal.runs.rows(info.id):
            figures = (row.first_token, row.elapsed, row.speed_mean, row.end_to_end)
            if any(value is not None and value < 0 for value in figures):
                yield f"a run has {figures}"
    if made.state.phase not in SETTLED:
        yield f"the phase is {made.state.phase}"


@contextmanager
def _scene(engine: Callable[[], Engine]) -> Iterator[Scene]:
    with tempfile.TemporaryDirectory() as folder, scene(Path(folder), engine) as made:
        yield made
