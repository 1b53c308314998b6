from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QDialog, QLabel, QTableView

from app.engine.echo.engine import EchoEngine
from app.engine.jobs import Job, MeasureDraftSteps, ProposeTokens, Result
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Cancellation, DraftModel, Failure, LoadRequest, Model, StepTimes, TokenPrompt
from app.state import Phase
from app.ui.runs.controller import RunsController
from tests.patience import WAIT_S
from tests.ui.cells import cells
from tests.ui.room import QUICK, Room, Rooms

TEXT = "one two three four five six seven eight nine ten "
REPLY = replace(QUICK, replies=(TEXT,), draft_every=3)


class Drafting(EchoEngine):
    """A draft model that proposes the right tokens, and is fast."""

    times = StepTimes(1.0, (1.0, *8 * [1.25]), (1.0, *8 * [1.5]))

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        model = super().load(request, emit, stop)
        return replace(model, draft=DraftModel("small", Path("small"), 1, 1)) if isinstance(model, Model) else model

    def run_job(self, job: Job[Result], emit: Emit, stop: StopFlag) -> Result | Failure | Cancellation:
        found: Any = (self.times, self.times)
        if isinstance(job, ProposeTokens):
            assert isinstance(job.source, TokenPrompt)
            found = (job.source.ids[job.answer :],)
        return cast("Result", found)


class Slow(Drafting):
    """Every draft is slower than none."""

    times = StepTimes(1.0, (1.1, *8 * [20.0]), (1.1, *8 * [20.0]))


class Wrong(Slow):
    """The draft model proposes wrong tokens."""

    def run_job(self, job: Job[Result], emit: Emit, stop: StopFlag) -> Result | Failure | Cancellation:
        found: Any = super().run_job(job, emit, stop)
        return cast("Result", ([-1] * len(found[0]),)) if isinstance(job, ProposeTokens) else found


class Endless(Drafting):
    def run_job(self, job: Job[Result], emit: Emit, stop: StopFlag) -> Result | Failure | Cancellation:
        if isinstance(job, MeasureDraftSteps) and stop.wait(WAIT_S):
            return Cancellation()
        return super().run_job(job, emit, stop)


class DraftRoom(Room):
    def __init__(self, rooms: Rooms, engine: type[EchoEngine] = Drafting) -> None:
        super().__init__(rooms, REPLY, engine=engine)
        self.runs = RunsController(self.playground, self.notice, self.theme, Path(), self)
        self.furnish((), (self.runs,))
        self.enter()

    def check_last(self, answer: str = "") -> str:
        """Check the last run; return the answer to the question."""
        if not self.state.turns:
            self.send("Go")
        self.runs.show_last()
        button = self.part(QAbstractButton, "check_drafts")
        self.until(button.isVisible)
        button.click()
        label = self.part(QLabel, "draft_check_answer")
        self.until(lambda: label.text().startswith(answer) and (not answer or self.state.phase is Phase.READY))
        return label.text()

    def rows(self) -> list[list[str]]:
        return cells(self.part(QTableView, "draft_check_table"))


def test_check_shows_the_fastest_draft_first_and_measures_it(rooms: Rooms) -> None:
    room = DraftRoom(rooms)
    assert room.check_last("Yes").endswith("with the draft model and 5 tokens per step.")
    assert room.part(QDialog, "draft_check_window").windowTitle() == "Would a Draft Have Helped? – Run 1"
    assert len(room.rows()) == 4 and room.rows()[0][:4] == ["Draft model small", "5", "100 %", "83 %"]
    room.press("draft_check_measure")
    room.until_phase(Phase.READY)
    label = room.part(QLabel, "draft_check_answer")
    room.until(lambda: "Measured with the draft model and 5 tokens per step" in label.text())
    assert room.rows()[0][5] and not any(row[5] for row in room.rows()[1:])
    assert room.part(QAbstractButton, "draft_check_measure").isEnabled(), "prompt lookup is next"
    room.press("draft_check_copy")
    assert QGuiApplication.clipboard().text().count("| Prompt lookup") == 3


def test_check_of_slow_drafts_says_no(rooms: Rooms) -> None:
    assert (
        DraftRoom(rooms, Slow)
        .check_last("No")
        .startswith("No: the fastest draft is prompt lookup and 1 token per step")
    )


def test_check_of_drafts_without_an_accepted_token_says_so(rooms: Rooms) -> None:
    assert DraftRoom(rooms, Wrong).check_last("No") == "No: not one draft token would have been accepted."


def test_check_that_is_stopped_or_refused_says_why(rooms: Rooms) -> None:
    room = DraftRoom(rooms, Endless)
    room.check_last()
    room.until_phase(Phase.PREFILLING)
    assert room.part(QLabel, "draft_check_answer").text().startswith("Measuring the decode steps")
    room.press("draft_check_stop")
    room.check_last("Stopped.")
    assert not room.part(QTableView, "draft_check_table").isVisible()
    room.load("echo-2")
    room.until_phase(Phase.READY)
    assert "first, which generated this run" in room.check_last("Open echo")


def test_check_ends_with_its_window(rooms: Rooms) -> None:
    room = DraftRoom(rooms, Endless)
    room.check_last()
    room.until_phase(Phase.PREFILLING)
    room.part(QDialog, "draft_check_window").reject()
    assert room.state.phase is Phase.STOPPING
    room.until_phase(Phase.READY)
