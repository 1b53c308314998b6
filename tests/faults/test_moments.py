import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest

from app.bridge.playground import Playground
from app.bridge.traces import KEPT_ANSWERS
from app.controls import Controls, Mode
from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Emit, StopFlag
from app.engine.types import ENDLESS, Failure, Finish, Limits, LoadRequest, Reason, Request
from app.records.journal import open_journal
from app.state import SETTLED, Phase
from tests.faults.full import times
from tests.faults.soak.holdings import Holdings, holdings
from tests.faults.windows import ENDLESS_TEXT, Scene, Waiting, scene
from tests.ui.desk import QUICK

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("qapp")]

YEAR_S = 365 * 24 * 3600.0
NIGHT_S = 8 * 3600.0
TASKS = Path("/proc/self/task")
FLAT_KB = 5_000
OF_A_SESSION = 50
"""Each raw page that is sent again leaves a branch behind, which is no leak."""


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


class Empty(EchoEngine):
    """Opens nothing."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Failure:
        return Failure("It is broken.", "Choose another.")


def test_stop_of_a_worker_that_stalls_keeps_its_text(tmp_path: Path) -> None:
    with scene(tmp_path, lambda: Stalled(QUICK)) as made:
        made.playground.send("Hello")
        made.until(lambda: made.state.phase is Phase.GENERATING)
        assert made.playground.set_controls(replace(made.state.controls, observe=3))
        made.playground.stop()
        made.until_ready()
        assert made.state.last_run is not None and made.state.last_run.text


@pytest.mark.parametrize("by", [-10 * YEAR_S, YEAR_S], ids=["back", "forth"])
def test_clock_that_jumps_leaves_texts_and_figures_sound(
    by: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two runs, and once more before the next start."""
    usual = time.time
    with scene(tmp_path) as made:
        made.say("before")
        monkeypatch.setattr(time, "time", lambda: usual() + by)
        made.say("after")
        _assert_sound(made)
        made.playground.new_session()
        made.say("another one")
    monkeypatch.setattr(time, "time", lambda: usual() + 2 * by)
    with scene(tmp_path) as made:
        said = {turn.text for info in made.journal.sessions.rows() for turn in made.journal.sessions.turns(info.id)}
        assert said >= {"before", "after", "another one"}
        _assert_sound(made)


def _assert_sound(made: Scene) -> None:
    """No figure is one that only a clock which went backwards could have made."""
    for info in made.journal.sessions.rows():
        for row in made.journal.runs.rows(info.id):
            figures = (row.first_token, row.elapsed, row.speed_mean, row.end_to_end)
            assert not any(value is not None and value < 0 for value in figures), figures
    assert made.state.phase in SETTLED


def test_night_between_two_tokens_leaves_the_figures_finite(tmp_path: Path) -> None:
    ahead = [0.0]

    def fall_asleep() -> None:
        ahead[0] = NIGHT_S

    with scene(tmp_path, lambda: Sleeper(lambda: time.monotonic() + ahead[0], fall_asleep)) as made:
        made.say("Good night")
        run = made.state.last_run
        assert run is not None and run.finish.failure is None
        assert (run.summary.figures.speed_mean or 0) > 0
        made.live(200)


def test_stop_fifty_times_is_taken_once_and_leaves_the_next_run_alone(tmp_path: Path) -> None:
    with scene(tmp_path, lambda: EchoEngine(ENDLESS_TEXT)) as made:
        made.playground.set_controls(replace(made.state.controls, limits=Limits(30)))
        made.playground.send("Go")
        made.until(lambda: made.state.phase is Phase.GENERATING)
        assert sum(made.playground.stop() for _ in range(50)) == 1
        made.until_ready()
        made.say("Go on")
        assert made.state.last_run is not None and made.state.last_run.finish.reason is Reason.LENGTH


def test_two_windows_on_one_folder_lose_nothing_of_the_first(tmp_path: Path) -> None:
    with scene(tmp_path) as first, scene(tmp_path) as second:
        first.say("of the first")
        second.say("of the second")
        assert second.journal.failure is not None
        first.journal.flush()
        assert [turn.text for turn in first.journal.sessions.turns(first.state.session)][:1] == ["of the first"]


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.EMPTY], ids=lambda phase: phase.value)
def test_quit_in_any_phase_keeps_the_prompt_and_one_run(phase: Phase, tmp_path: Path) -> None:
    knobs = replace(ENDLESS_TEXT, load_seconds=0.2, prefill_per_second=2_000)
    for number in range(times(1, 20)):
        folder = tmp_path / str(number)
        with scene(folder, lambda: EchoEngine(knobs)) as made:
            _bring_into(made, phase)
            made.live(Random(number).randrange(20))
        journal = open_journal(folder)
        found = [turn.text for info in journal.sessions.rows() for turn in journal.sessions.turns(info.id)]
        runs = [run for info in journal.sessions.rows() for run in journal.runs.rows(info.id)]
        journal.close()
        assert found[:1] == ["word " * 500], number
        assert len(runs) == 1, number


def _bring_into(made: Scene, phase: Phase) -> None:
    made.playground.send("word " * 500)
    if phase is Phase.LOADING:
        made.playground.stop()
        made.until_ready()
        made.playground.load(LoadRequest("another"))
    if phase in (Phase.GENERATING, Phase.STOPPING):
        made.until(lambda: made.state.phase is Phase.GENERATING)
    if phase in (Phase.READY, Phase.STOPPING):
        made.playground.stop()
    if phase is Phase.READY:
        made.until_ready()


def test_quit_without_a_model_keeps_what_was_typed(tmp_path: Path) -> None:
    with scene(tmp_path, lambda: Empty(QUICK), Phase.EMPTY) as made:
        made.window._parts.prompt.set_text("not lost")
        made.live(20)
    with scene(tmp_path) as made:
        field = made.window._parts.prompt
        made.until(lambda: field.text() == "not lost", field.edited)


def test_starts_and_stops_leave_memory_threads_and_files_as_they_were(tmp_path: Path) -> None:
    """A journal in memory would rightly grow."""
    waiting, cycles = Waiting(), times(300, 10_000)
    warm_up = min(KEPT_ANSWERS, cycles)
    with _endless(tmp_path, waiting) as playground:
        for number in range(warm_up + cycles):
            if number == warm_up:
                before = _settled()
            if number % OF_A_SESSION == 0:
                playground.new_session()
            playground.send("Go")
            playground.stop()
            assert waiting.until(lambda: playground.state.phase is Phase.READY, playground.changed), number
        after = _settled()
    if before is None or after is None:
        pytest.skip("this system does not list what a process holds")
    assert after.memory_kb - before.memory_kb <= FLAT_KB
    assert (after.threads, after.handles) == (before.threads, before.handles)


@contextmanager
def _endless(folder: Path, waiting: Waiting) -> Iterator[Playground]:
    """Open a playground whose model writes pages without an end."""
    playground = Playground(lambda _collect: EchoEngine(ENDLESS_TEXT), opener=partial(open_journal, folder))
    ready: list[bool] = []
    playground.book.ready.connect(lambda: ready.append(True))
    try:
        playground.open()
        playground.load(LoadRequest("echo"))
        waiting.until(lambda: bool(ready), playground.book.ready)
        waiting.until(lambda: playground.state.phase is Phase.READY, playground.changed)
        limits = replace(playground.state.controls.limits, max_tokens=ENDLESS)
        playground.set_controls(Controls(mode=Mode.RAW, limits=limits))
        yield playground
    finally:
        playground.close()
        # The next one's worker freezes what it finds: this one has to be collectable until then.
        gc.unfreeze()


def _settled() -> Holdings | None:
    """With the threads of libraries, which Python knows nothing of."""
    gc.collect()
    found = holdings()
    return replace(found, threads=len(list(TASKS.iterdir()))) if found is not None else None
