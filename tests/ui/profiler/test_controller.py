from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel, QTableView

from app.engine.echo.engine import EchoEngine
from app.engine.jobs import CountReads, Job, MeasureDecoding, MeasureRun, MeasureSpeeds, Result
from app.engine.protocol import Emit, StopFlag
from app.engine.system_load import ExternalLoad
from app.engine.types import (
    Cancellation,
    DecodeSpeed,
    DraftModel,
    ExactPrompt,
    Failure,
    LoadRequest,
    Matrix,
    Model,
    PeakSpeeds,
    PromptEvent,
    RunProfile,
    StepReads,
    TimePart,
)
from app.number_format import two_percent
from app.roofline import measuring, report
from app.roofline.roofline import DRAFTED, EXCEEDED, Roofline
from app.state import Phase
from app.ui.instruments.controller import InstrumentsController
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.instruments.strip import ReadOuts, Strip
from app.ui.profiler import controller
from app.ui.profiler.controller import EARLIER, ProfilerController, ProfilerWindow
from tests.patience import WAIT_S
from tests.ui.cells import cells
from tests.ui.room import QUICK, Room, Rooms

READS = StepReads(0, 1_000_000, 0, 400_000, 250_000, Matrix(10, 10, 400, "float32"), ((1_000, 1 << 40),))
WHERE = RunProfile(
    46, tuple((part, 0.001) for part in TimePart), (0.001, 0.003, 0.004, 0.002), 0.008, 0.010, 0.011, 0.010
)
TOLD = "a long answer " * 20


class Measured(EchoEngine):
    """A machine that reads a gigabyte a second: 1,000 tokens/s at the most."""

    def run_job(self, job: Job[Result], emit: Emit, stop: StopFlag) -> Result | Failure | Cancellation:
        found: Any = WHERE
        if isinstance(job, CountReads):
            found = READS.at(job.context)
        elif isinstance(job, MeasureSpeeds):
            found = self.speeds(job.working_set)
        elif isinstance(job, MeasureDecoding):
            found = DecodeSpeed(800.0, 0.0, 5_000.0)
        return cast("Result", found)

    def speeds(self, working_set: int) -> PeakSpeeds:
        return PeakSpeeds(1e9, 1e9, 1e9, working_set)


class Drafting(Measured):
    """With a draft model beside it."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        model = super().load(request, emit, stop)
        return replace(model, draft=DraftModel("small", Path("small"), 1, 1)) if isinstance(model, Model) else model


class Endless(Measured):
    """Until it is stopped."""

    def run_job(self, job: Job[Result], emit: Emit, stop: StopFlag) -> Result | Failure | Cancellation:
        if isinstance(job, MeasureRun):
            for _ in range(2):
                emit(PromptEvent(ExactPrompt("", (), (), ()), 0, 0))
        if isinstance(job, MeasureRun) and stop.wait(WAIT_S):
            return Cancellation()
        return super().run_job(job, emit, stop)


class SpeedRoom(Room):
    """The profiler, and the instruments, which show the limit."""

    def __init__(self, rooms: Rooms, folder: Path, engine: type[EchoEngine]) -> None:
        super().__init__(rooms, replace(QUICK, replies=(TOLD,), tokens_per_second=500.0), engine=engine)
        strip = Strip(self.theme)
        self.speed = ProfilerController(self.playground, self.theme, folder, self)
        instruments = InstrumentsController(self.playground, strip, self.theme, self)
        self.speed.ceiling_known.connect(instruments.show_ceiling)
        self.furnish((strip,), (self.speed, instruments))


def opened(rooms: Rooms, folder: Path, engine: type[EchoEngine] = Measured) -> SpeedRoom:
    room = SpeedRoom(rooms, folder, engine)
    room.enter()
    return room


def press(room: SpeedRoom, way: str) -> tuple[str, list[tuple[str, str]]]:
    room.act("measure_speed").trigger()
    room.part(QAbstractButton, f"speed_{way}").click()
    room.until_phase(Phase.READY)
    rows = [(name, value) for name, value, *_ in cells(room.part(QTableView, "speed_table"))]
    return room.part(QLabel, "speed_said").text(), rows


def limits(room: SpeedRoom) -> list[float]:
    graph = room.findChildren(SpeedGraph)[0]
    return graph.scene.curve.limit_line(graph.scene.axis)[1]


def test_profile_of_the_last_run_shows_parts_and_layers(rooms: Rooms, tmp_path: Path) -> None:
    room = opened(rooms, tmp_path)
    assert not room.act("measure_closely").isEnabled()
    room.send("Go")
    room.act("measure_closely").trigger()
    room.until_phase(Phase.READY)
    said, rows = room.part(QLabel, "speed_said").text(), dict(press(room, "run")[1])
    assert said == "The model takes 10 % and sampling 10 % of 8.00 ms per token."
    aside = room.part(QLabel, "speed_aside").text()
    assert "8.00 ms" in aside and "10.0 ms (+25 %)" in aside and "(+38 %)" in aside
    assert rows["The model"] == "0.800 ms · 10 %" and rows["The model: layer 1"] == "0.320 ms · 40 % of the model"
    of_model = [float(value.split()[0]) for name, value in rows.items() if name.startswith("The model: ")]
    assert sum(of_model) == pytest.approx(0.8), "they are the model's, of which there is a row above"
    assert "Shares are scaled to the first." in aside
    assert rows["Waiting for the window"]
    room.part(QAbstractButton, "speed_copy").click()
    assert "| The model: layer 0 | 0.240 ms · 30 % of the model |" in QGuiApplication.clipboard().text()
    assert len(room.state.turns) == 2, "the page is as it was"


def test_profile_is_disabled_without_a_run_and_for_a_run_of_another_model(rooms: Rooms, tmp_path: Path) -> None:
    room = opened(rooms, tmp_path)
    room.act("measure_speed").trigger()
    offered = {name: room.part(QAbstractButton, f"speed_{name}").isEnabled() for name in ("run", "machine", "stop")}
    assert offered == {"run": False, "machine": True, "stop": False}
    room.send("Go")
    told, run = room.part(QLabel, "speed_run_told"), room.part(QAbstractButton, "speed_run")
    usual = told.text()
    for model, allowed in (("another", False), ("echo", True)):
        assert room.playground.load(LoadRequest(model))
        room.until_phase(Phase.READY)
        assert run.isEnabled() is room.act("measure_closely").isEnabled() is allowed
        assert (told.text() == usual) is allowed and ("which has other token ids" in told.text()) is not allowed


def test_report_shows_no_speedup_and_small_shares() -> None:
    rare = tuple((part, 0.000_006 if part is TimePart.SAMPLER else 0.001) for part in TimePart)
    busy = replace(WHERE, observed=0.007, parts=rare)
    assert "timing 7.00 ms (no measurable slowdown), with per-layer" in report.slowed(busy)
    assert report.answer(busy).endswith("sampling under 0.1 % of 8.00 ms per token.")
    assert ("Sampling the token", "0.007 ms · under 0.1 %") in [row[:2] for row in report.time_rows(busy)]


def test_machine_limit_is_stored_and_falls_with_the_context(rooms: Rooms, tmp_path: Path) -> None:
    room = opened(rooms, tmp_path)
    room.send("Go")
    assert limits(room) == []
    said, rows = press(room, "machine")
    assert said.startswith("The run reached 80 % of the memory-bandwidth limit of 1,000 tok/s: memory")
    assert dict(rows)["Time per token: memory"] == "1.00 ms · 80 %"
    bars = room.findChildren(ProfilerWindow)[0]._bars.shares
    assert bars[:4] == pytest.approx([1.0, 0.8, 0.0, 0.8]) and not any(bars[6:])
    assert rows[0] == ("Bandwidth limit", "1,000 tok/s") and [name for name, _ in rows[-3:]] == [
        "Model",
        "Machine",
        "Versions",
    ]
    table = room.part(QTableView, "speed_table")
    table.window().resize(560, 320)
    room.theme.resize(150)
    room.until(lambda: table.rowHeight(len(rows) - 1) > table.rowHeight(0))
    room.theme.resize(100)
    falling = limits(room)
    assert falling == sorted(falling, reverse=True) and falling[-1] < falling[0] < 1_000
    room.send("And on")
    assert limits(room)[0] < falling[-1], "behind a longer context"
    again = opened(rooms, tmp_path)
    again.send("Go")
    room.until(lambda: limits(again) == pytest.approx(falling))
    again.act("measure_speed").trigger()
    shown = [again.part(QLabel, name) for name in ("speed_said", "speed_aside")]
    assert [each.text() for each in shown] == [said, EARLIER] and again.part(QTableView, "speed_table").isVisible()
    again.playground.load(LoadRequest("another"))
    again.until(lambda: [each.text() for each in shown] == ["", ""])


class Disturbed(Measured):
    """A machine whose bandwidth was measured while it was busy: at half of the speed of its runs."""

    measurements = 0

    def speeds(self, working_set: int) -> PeakSpeeds:
        Disturbed.measurements += 1
        return PeakSpeeds(4e8, 4e8, 1e9, working_set)


def test_machine_limit_below_a_run_is_measured_again_and_not_shown(rooms: Rooms, tmp_path: Path) -> None:
    room = opened(rooms, tmp_path, Disturbed)
    room.send("Go")
    for expected in (measuring.TRIES, 2 * measuring.TRIES):
        said, rows = press(room, "machine")
        assert said == EXCEEDED.format(speed="400")
        assert rows[:2] == [("Bandwidth limit", "disturbed; measure it again"), ("Measured speed", "800 tok/s")]
        assert Disturbed.measurements == expected and limits(room) == []
    room.speed.ceiling_known.emit(Roofline(READS, PeakSpeeds(1e6, 1e6, 1e9, 1), DecodeSpeed(0.5, 0.0, 1.0)))
    assert limits(room) == [], "an earlier measurement, below this run"
    assert room.part(QLabel, "speed_share").text() == ""


def test_machine_limit_measured_beside_other_programs_is_not_shown(
    rooms: Rooms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ExternalLoad, "share", lambda _self: 0.8)
    room = opened(rooms, tmp_path)
    room.send("Go")
    assert press(room, "machine")[0].startswith("Other programs used 80 % of the processors during the measurement")
    assert limits(room) == [] and list(tmp_path.iterdir()) == []


def test_machine_result_with_a_draft_model_has_a_note(rooms: Rooms, tmp_path: Path) -> None:
    for engine, said in ((Measured, ""), (Drafting, DRAFTED)):
        room = opened(rooms, tmp_path, engine)
        press(room, "machine")
        assert room.part(QLabel, "speed_aside").text() == said


def test_readouts_show_the_share_of_the_bandwidth_limit(
    rooms: Rooms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Measured, "speeds", lambda *_: PeakSpeeds(1e13, 1e13, 1e9, 1))
    room = opened(rooms, tmp_path)
    told = room.part(QLabel, "speed_share")
    room.send("Go")
    assert told.text() == "", "nothing is measured by itself"
    press(room, "machine")
    run = room.state.last_run
    assert run is not None and run.summary.figures.speed_mean
    ceiling = 1e13 / (READS.at((run.finish.prompt_known or 0) + run.finish.tokens // 2).bytes)
    share = two_percent(run.summary.figures.speed_mean / ceiling)
    assert told.text() == f"{share} of the measured bandwidth limit"
    assert f"{share} of the memory-bandwidth limit" in told.toolTip()
    assert ("Share of the bandwidth limit", told.text()) in room.findChildren(ReadOuts)[0].numbers().rows
    room.playground.new_session()
    assert told.text() == ""


def test_result_is_not_replaced_by_an_earlier_one_found_later(
    rooms: Rooms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()
    monkeypatch.setattr(controller, "_find_roofline", lambda *_: None if go_on.wait(WAIT_S) else Failure("late", ""))
    room = opened(rooms, tmp_path, EchoEngine)
    refusal = press(room, "machine")[0]
    with room.qtbot.waitSignal(room.speed.ceiling_known):
        go_on.set()
    room.until(lambda: not room.speed._tasks.count)
    assert room.part(QLabel, "speed_said").text() == refusal
    assert refusal.startswith("The cost of a token on a server")


def test_stop_stays_enabled_when_more_is_requested(rooms: Rooms, tmp_path: Path) -> None:
    room = opened(rooms, tmp_path, Endless)
    room.send("Go")
    room.act("measure_closely").trigger()
    room.speed._measure("machine")
    stop = room.part(QAbstractButton, "speed_stop")
    assert stop.isEnabled()
    step = room.part(QLabel, "speed_step")
    room.until(lambda: step.text() == "Step 2 of 6")
    stop.click()
    room.until_phase(Phase.READY)
    assert not stop.isEnabled() and not step.isVisible()
    assert not room.part(QAbstractButton, "speed_copy").isEnabled(), "a stopped profile shows nothing"
