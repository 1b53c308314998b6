from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QLabel, QLineEdit, QTableView, QWidget

from app.bridge import journal_reader
from app.bridge.session_store import Opener
from app.controls import Controls
from app.engine.echo import run as echo_run
from app.engine.echo.engine import EchoOptions
from app.engine.echo.run import logprobs_of
from app.engine.echo.script import ScriptedToken
from app.engine.meter.meter import Frame
from app.engine.meter.trace import Trace
from app.engine.types import Failure, Reason, Token, TokenLogprobs
from app.files.settings import Settings
from app.records.journal import open_journal
from app.state import Phase
from app.ui.inspector import controller
from app.ui.inspector.controller import InspectorController
from app.ui.inspector.panel import InspectorPanel
from app.ui.inspector.subject import InspectedToken
from app.ui.tokens.text import NOWHERE
from tests.late import held_back
from tests.ui.inspector.choices import choice
from tests.ui.room import QUICK, Room, Rooms

SHORT = replace(QUICK, replies=("One two three four five six. 🌊",))
SLOW = EchoOptions(replies=("word " * 400,), tokens_per_second=200, prefill_per_second=0, load_seconds=0)
RECORDED = Settings(controls=Controls(observe=3))
UNRECORDED = Settings(controls=Controls(observe=0))


class InspectorRoom(Room):
    """The panel, with a text and a graph that record calls."""

    def __init__(self, rooms: Rooms, settings: Settings, knobs: EchoOptions, opener: Opener | None) -> None:
        super().__init__(rooms, knobs, settings, opener=opener)
        self.marks, self.points = list[tuple[int, int | None]](), list[tuple[int, int | None]]()
        self.stretches, self.revealed = list[tuple[int | None, ...]](), list[tuple[int, int]]()
        self.on_graph: list[int | None] = []
        text = Mock(
            mark_token=lambda *token: self.marks.append(token),
            mark_pointed_token=lambda *token: self.points.append(token),
            mark_stretch=lambda *stretch: self.stretches.append(stretch),
            reveal_token=lambda *token: self.revealed.append(token),
        )
        graph = Mock(mark_token=self.on_graph.append)
        self.panel, self.inside = InspectorPanel(self.theme), QWidget()
        self.inspecting = InspectorController(self.playground, text, graph, self.panel, self.inside, self)
        self.furnish((self.panel, self.inside), (self.inspecting,))

    @property
    def subject(self) -> InspectedToken:
        assert self.panel.subject is not None
        return self.panel.subject

    @property
    def position(self) -> int:
        return self.subject.token.position

    @property
    def trace(self) -> Trace:
        trace = self.playground.traces.of(self.state.turns[-1].id)
        assert trace is not None
        return trace

    @property
    def words(self) -> str:
        return self.part(QLabel, "inspector_words").text()

    def is_recorded(self) -> list[bool]:
        """Return whether alternatives of each token are recorded."""
        return [self.trace.logprobs_at(position) is not None for position in range(len(self.trace))]


def enter(
    rooms: Rooms,
    settings: Settings = RECORDED,
    knobs: EchoOptions = SHORT,
    say: str = "Hello",
    opener: Opener | None = None,
) -> InspectorRoom:
    """Open the room, and send a text if there is one."""
    room = InspectorRoom(rooms, settings, knobs, opener)
    room.enter()
    if say:
        room.send(say)
    return room


@pytest.fixture
def room(rooms: Rooms) -> InspectorRoom:
    return enter(rooms)


def test_click_on_a_word_picks_its_token_while_tokens_are_shown(room: InspectorRoom) -> None:
    text = room.state.turns[-1].text
    room.inspecting.pick_offset(1, False, text.index("four"))
    assert room.trace.token(room.position).text.strip() == "four"
    for page in (room.panel, room.inside):
        page.hide()
    room.inspecting.pick_offset(1, False, text.index("six"))
    room.panel.show()
    assert room.trace.token(room.position).text.strip() == "four"


def test_inspector_of_an_answer_begins_at_its_least_probable_token(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    def improbable_four(piece: ScriptedToken, count: int) -> TokenLogprobs:
        made = logprobs_of(piece, count)
        return replace(made, chosen=made.chosen._replace(logprob=-5.0)) if piece.text.strip() == "four" else made

    monkeypatch.setattr(echo_run, "logprobs_of", improbable_four)
    room = enter(rooms)
    assert room.subject.token.text.strip() == "four"
    assert room.subject.token.observed == room.trace.logprobs_at(room.position)
    assert (room.subject.index, room.subject.of, room.subject.growing) == (1, len(room.trace), False)
    assert room.marks[-1] == (1, room.position)


def test_pointing_in_the_text_moves_the_graph_and_ends_at_the_picked_token(room: InspectorRoom) -> None:
    room.inspecting.pick_in_text(1, 2)
    assert (room.position, room.marks[-1], room.on_graph[-1]) == (2, (1, 2), 2)
    room.inspecting.point_in_text(1, 4)
    assert (room.position, room.marks[-1], room.on_graph[-1]) == (4, (1, 2), 4)
    room.inspecting.point_in_text(1, NOWHERE)
    assert (room.position, room.on_graph[-1]) == (2, 2)


def test_pointing_at_the_graph_points_in_the_text(room: InspectorRoom) -> None:
    room.inspecting.point_on_graph(3)
    assert (room.position, room.points[-1]) == (3, (1, 3))
    room.inspecting.point_on_graph(NOWHERE)
    assert room.points[-1] == (NOWHERE, None)
    assert room.position != 3


def test_click_on_the_graph_picks_the_token_and_shows_it_in_the_text(room: InspectorRoom) -> None:
    wanted = QSignalSpy(room.inspecting.wanted)
    room.inspecting.click_on_graph(5)
    assert (room.position, room.revealed[-1], room.marks[-1]) == (5, (1, 5), (1, 5))
    assert room.act("view_tokens").isChecked() and wanted.count() == 1
    room.inspecting.click_on_graph(5000)
    assert room.position == 5


def test_stretch_of_the_graph_is_marked_in_the_text_and_described(room: InspectorRoom) -> None:
    said = room.part(QLabel, "inspector_stretch")
    room.inspecting.mark_stretch(1, 4)
    assert room.stretches[-1] == (1, 1, 4)
    assert said.text().startswith("Tokens 2 to 5: mean ")
    room.inspecting.mark_stretch(NOWHERE, NOWHERE)
    assert (room.stretches[1:], said.text()) == ([(NOWHERE, None, None)], "")


def test_steps_go_from_the_shown_token_to_its_neighbors(room: InspectorRoom) -> None:
    room.inspecting.pick_in_text(1, 2)
    room.press("inspector_next")
    assert (room.position, room.revealed[-1]) == (3, (1, 3))
    room.press("inspector_previous")
    room.press("inspector_previous")
    assert (room.position, room.marks[-1]) == (1, (1, 1))


def test_inspector_shows_the_settings_of_the_run_and_not_the_present_ones(room: InspectorRoom) -> None:
    controls = room.state.controls
    room.inspecting.pick_in_text(1, 1)
    ran = room.subject.sampling
    room.playground.set_controls(replace(controls, sampling=replace(controls.sampling, top_k=7)))
    room.inspecting.pick_in_text(1, 2)
    assert room.subject.sampling == ran
    assert ran is not None
    assert (ran.top_k, 2 in room.subject.ends) == (0, True)
    room.inspecting.pick_in_text(1, len(room.trace) - 1)
    assert (room.subject.token.text, room.subject.end_text) == ("", "<|end|>")


def test_picked_token_of_an_earlier_answer_is_on_the_graph(room: InspectorRoom) -> None:
    room.send("And again")
    room.inspecting.point_in_text(1, 2)
    assert room.on_graph[-1] is None
    room.inspecting.pick_in_text(1, 2)
    assert (room.on_graph[-1:], room.playground.shown.now.index) == ([2], 1)


def test_other_session_has_no_token(room: InspectorRoom) -> None:
    room.inspecting.pick_in_text(1, 2)
    room.playground.new_session()
    assert room.panel.subject is None
    assert room.marks[-1] == (NOWHERE, None)
    room.inspecting.pick_in_text(1, 2)
    assert room.panel.subject is None


def test_streaming_run_is_followed_until_a_token_is_picked(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller, "FOLLOW_S", 0.0)
    room = enter(rooms, knobs=SLOW, say="")
    room.playground.send("Hello")
    room.until(lambda: room.panel.subject is not None and room.position > 3)
    assert room.subject.growing
    assert room.position == room.subject.of - 1
    assert room.marks == []
    room.inspecting.pick_in_text(1, 1)
    count = room.subject.of
    room.until(lambda: room.subject.of > count)
    assert room.position == 1
    assert not room.part(QLineEdit, "fork_text").isEnabled()
    assert "Wait until the answer is complete" in room.part(QLabel, "fork_reason").text()
    room.playground.stop()
    room.until_phase(Phase.READY)
    assert room.part(QLineEdit, "fork_text").isEnabled()
    assert (room.position, room.subject.growing) == (1, False)


def test_streaming_run_is_followed_at_a_limited_rate(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller, "FOLLOW_S", 3600.0)
    room, shown = enter(rooms, knobs=replace(SLOW, tokens_per_second=1000), say=""), list[InspectedToken | None]()
    show = room.panel.show_subject

    def note(subject: InspectedToken | None) -> None:
        shown.append(subject)
        show(subject)

    monkeypatch.setattr(room.panel, "show_subject", note)
    room.send()
    assert any(each is not None and each.growing for each in shown)
    # Before the first token, at the first one, and when the answer is complete.
    assert len(shown) <= 4
    assert room.subject.of == len(room.trace)


def test_hidden_panel_is_not_updated(rooms: Rooms) -> None:
    room = enter(rooms, say="")
    room.panel.hide()
    room.inside.hide()
    room.send()
    room.inspecting.point_in_text(1, 2)
    assert (room.panel.subject, room.on_graph[-1]) == (None, 2)
    room.inspecting.point_in_text(1, NOWHERE)
    assert room.marks == []
    room.panel.show()
    assert room.subject.of == len(room.trace)
    assert room.marks[-1] == (1, room.position)
    room.panel.hide()
    assert room.marks[1:] == [(NOWHERE, None)]


def test_late_trace_selects_a_token_where_only_the_other_page_is_shown(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opener = partial(open_journal, tmp_path)
    first = enter(rooms, opener=opener)
    session = first.state.session
    first.close()
    may_come, late = held_back(journal_reader.trace_of)
    monkeypatch.setattr(journal_reader, "trace_of", late)
    room = enter(rooms, say="", opener=opener)
    room.panel.hide()
    marked = QSignalSpy(room.inspecting.marked)
    assert room.playground.open_session(session)
    room.until(lambda: room.state.session == session)
    assert marked.count() == 0
    may_come.set()
    room.until(lambda: marked.count() > 0)
    assert marked.at(0)[0] == 1


def test_rerun_has_no_token_of_the_page_on_its_graph(room: InspectorRoom) -> None:
    run = room.state.last_run
    assert run is not None
    with room.qtbot.waitSignal(room.playground.replayed):
        room.playground.replay(run.request)
    room.inspecting.point_in_text(1, 2)
    assert (room.on_graph[-1], room.position) == (None, 2)


def test_recorder_of_an_answer_without_alternatives_records_them(rooms: Rooms) -> None:
    room = enter(rooms, UNRECORDED)
    assert room.position == len(room.trace) - 1
    assert not room.part(QTableView, "candidates").isVisible()
    room.inspecting.pick_in_text(1, 2)
    turns, run = room.state.turns, room.state.last_run
    with room.qtbot.waitSignal(room.playground.replayed):
        room.press("inspector_replay")
    assert (room.position, room.playground.shown.now.run) == (2, run)
    assert all(room.is_recorded())
    assert room.part(QTableView, "candidates").isVisible()
    assert not room.part(QWidget, "inspector_replay").isVisible()
    assert room.state.turns == turns


def test_recorder_of_a_different_rerun_says_how_far_it_recorded(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    room = enter(rooms, UNRECORDED)
    room.inspecting.pick_in_text(1, 2)
    run = room.state.last_run
    assert run is not None
    other = replace(run, ids=(*run.ids[:3], 99_999, *run.ids[4:]))
    monkeypatch.setattr(room.playground, "load_full", lambda run: other)
    with room.qtbot.waitSignal(room.playground.replayed):
        room.press("inspector_replay")
    assert "up to token 3" in room.words
    assert room.is_recorded()[:5] == [True, True, True, False, False]


def test_recorder_of_a_stopped_or_failed_rerun_names_the_cause(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    room = enter(rooms, UNRECORDED)
    room.inspecting.pick_in_text(1, 2)
    run, offered = room.state.last_run, room.words
    assert run is not None
    tokens = [Token(position, token, "", (), 0.1, observed=choice()) for position, token in enumerate(run.ids)]
    failure = Failure("Memory ran out.", "Close something.")
    stopped, failed = (replace(run.finish, reason=reason) for reason in (Reason.STOPPED, Reason.ERROR))
    monkeypatch.setattr(room.playground, "replay", lambda request: True)
    for finish, count, said in (
        (stopped, 3, "Stopped by you: alternatives are recorded up to token 3."),
        (stopped, 0, offered),
        (replace(failed, failure=failure), 3, "The repeated run failed: Memory ran out. Close something."),
        (run.finish, 0, "The repeated run differed: alternatives are recorded up to token 0."),
    ):
        room.inspecting.pick_in_text(1, len(run.ids) - 1)
        room.press("inspector_replay")
        room.playground.replay_advanced.emit(Frame(tokens=tuple(tokens[:count])))
        room.playground.replayed.emit(replace(run, finish=finish))
        assert room.words == said


def test_inspector_after_a_fork_stays_where_it_began(room: InspectorRoom) -> None:
    for position, given in ((2, {"ids": (room.trace.token(4).id,)}), (3, {"text": "x"})):
        turn = room.state.turns[-1].id
        assert room.playground.fork(1, position, **given)
        room.until_phase(Phase.READY)
        forked = room.state.turns[-1].forked
        assert room.state.turns[-1].id != turn and forked is not None
        assert room.position == forked.place == position
        assert len(room.trace) > room.position + 1
    room.send("And more")
    assert room.subject.index == 3


def test_show_tokens_switches_to_the_token_view(room: InspectorRoom) -> None:
    tokens = room.part(QWidget, "inspector_tokens")
    room.press("inspector_tokens")
    assert room.act("view_tokens").isChecked() and not tokens.isVisible()
    assert room.revealed[-1] == (1, room.position)
    room.act("view_tokens").setChecked(False)
    assert tokens.isVisible()
