"""Quitting, whatever the window is doing: it goes, and what was said by then is in the journal."""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Failure, Limits, LoadRequest, RawPrompt, Request
from app.experiments.types import Arm, Plan
from app.records.journal import open_journal
from app.state import Phase
from tests.faults.table import Row
from tests.faults.windows import ENDLESS_TEXT, QUICK, scene

POINT = "time"
REQUEST = Request(RawPrompt("Once"), limits=Limits(40))
TWO_ARMS = Plan("trial", "A trial", "What is it?", (Arm("one", REQUEST), Arm("other", REQUEST)), 50)


class Empty(EchoEngine):
    """Opens nothing."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Failure:
        return Failure("It is broken.", "Choose another.")


def quit_in(phase: Phase, times: int) -> Row:
    """The window goes, and what was said by then is in the journal."""
    lost: list[str] = []
    for number in range(times):
        with tempfile.TemporaryDirectory() as folder:
            lost += (f"time {number}: {what}" for what in _quit(phase, Path(folder), Random(number)))
    return Row(POINT, f"quit while {phase.value}", times, tuple(lost))


def quit_in_an_experiment(times: int) -> Row:
    """Whatever it was doing then: the program ends, and what was said before is in the journal."""
    lost: list[str] = []
    for number in range(times):
        with tempfile.TemporaryDirectory() as folder:
            lost += (f"time {number}: {what}" for what in _quit_experiment(Path(folder), Random(number)))
    return Row(POINT, "quit in an experiment", times, tuple(lost))


def quit_without_a_model() -> Row:
    """What was typed by then is there again."""
    lost: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        with scene(Path(folder), lambda: Empty(QUICK), Phase.EMPTY) as made:
            made.window._parts.prompt.set_text("not lost")
            made.live(20)
        with scene(Path(folder)) as made:
            field = made.window._parts.prompt
            made.until(lambda: field.text() == "not lost", field.edited)
    return Row(POINT, f"quit while {Phase.EMPTY.value}", 1, tuple(lost))


def _quit(phase: Phase, folder: Path, random: Random) -> Iterator[str]:
    knobs = replace(ENDLESS_TEXT, load_seconds=0.2, prefill_per_second=2_000)
    with scene(folder, lambda: EchoEngine(knobs)) as made:
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
        made.live(random.randrange(20))
    journal = open_journal(folder)
    found = [turn.text for info in journal.sessions.rows() for turn in journal.sessions.turns(info.id)]
    running = [run for info in journal.sessions.rows() for run in journal.runs.rows(info.id)]
    journal.close()
    if found[:1] != ["word " * 500]:
        yield f"the journal has {found!r:.100}"
    if len(running) != 1:
        yield f"{len(running)} runs"


def _quit_experiment(folder: Path, random: Random) -> Iterator[str]:
    with scene(folder) as made:
        made.say("before")
        if not made.playground.experiment(TWO_ARMS):
            yield "the experiment was not taken"
        made.live(random.randrange(100))
    journal = open_journal(folder)
    titles = [[turn.text for turn in journal.sessions.turns(info.id)][:1] for info in journal.sessions.rows()]
    if ["before"] not in titles or journal.failure is not None:
        yield f"the journal has {titles}, {journal.failure}"
    journal.close()
