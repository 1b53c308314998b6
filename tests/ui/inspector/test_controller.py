"""The one cursor: what is pointed at or picked in one place is so in all of them, and lets go in time."""

from dataclasses import replace
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTableView,
    QTabWidget,
    QWidget,
)

from app.bridge import reading
from app.controls import Controls
from app.engine.echo.engine import Knobs
from app.engine.meter.frame import Frame
from app.engine.meter.trace import Trace
from app.engine.types import Failure, LoadRequest, Reason, Token
from app.settings import Layout, Settings
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import View
from app.ui.inspector import InspectorPanel, Subject, controller
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.shell.main_window import MainWindow
from tests.late import held_back
from tests.ui.desk import QUICK, Desk, act, named
from tests.ui.inspector.choices import choice
from tests.ui.program import Program

SHORT = replace(QUICK, replies=("One two three four five six. 🌊",))
SLOW = Knobs(replies=("word " * 400,), tokens_per_second=200, prefill_per_second=0, load_seconds=0)
SHOWN = Settings(layout=Layout(side_tab="inspector"), controls=Controls(observe=3))


UNRECORDED = Settings(layout=Layout(side_tab="inspector"), controls=Controls())


class Bench:
    """A window with the inspector open; what text and graph are told is written down, and done."""

    def __init__(self, desk: Desk, monkeypatch: pytest.MonkeyPatch, settings: Settings, knobs: Knobs) -> None:
        self.desk = desk
        self.window: MainWindow = desk.ready(settings, knobs)
        self.text = named(self.window, Transcript, "transcript")
        self.graph = named(self.window, SpeedGraph, "speed_graph")
        self.panel = named(self.window, InspectorPanel, "inspector")
        self.told = Mock()
        for part, names in (
            (self.text, ("mark_token", "point_token", "mark_stretch", "reveal_token")),
            (self.graph, ("point_token", "mark_stretch", "show_trace")),
        ):
            for name in names:
                note = getattr(self.told, f"{'text' if part is self.text else 'graph'}_{name}")
                note.side_effect = getattr(part, name)
                monkeypatch.setattr(part, name, note)

    @property
    def subject(self) -> Subject:
        assert self.panel.subject is not None
        return self.panel.subject

    @property
    def place(self) -> int:
        return self.subject.token.place

    @property
    def trace(self) -> Trace:
        """That of the last answer."""
        trace = self.window.playground.traces.of(self.window.playground.state.turns[-1].id)
        assert trace is not None
        return trace

    def last(self, name: str) -> tuple[object, ...]:
        """What was told last."""
        return tuple(getattr(self.told, name).call_args.args)

    def send(self, text: str = "Hello") -> None:
        self.desk.send(self.window, text)

    def press(self, name: str) -> None:
        named(self.window, QAbstractButton, name).click()


@pytest.fixture
def bench(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Bench:
    made = Bench(desk, monkeypatch, SHOWN, SHORT)
    made.send()
    return made


def test_an_answer_is_begun_with_at_its_least_certain_token(bench: Bench) -> None:
    chances = [bench.trace.observed_at(place) for place in range(len(bench.trace))]
    assert bench.subject.token.observed == chances[0]
    assert bench.subject.index == 1
    assert bench.subject.of == len(bench.trace)
    assert not bench.subject.growing
    assert bench.last("text_mark_token") == (1, bench.place)


def test_pointing_in_the_text_marks_the_graph_and_falls_back_to_what_is_picked(bench: Bench) -> None:
    bench.text.token_picked.emit(1, 2)
    assert bench.place == 2
    assert bench.last("text_mark_token") == (1, 2)
    assert bench.last("graph_point_token") == (2,)
    bench.text.token_pointed.emit(1, 4)
    assert bench.place == 4
    assert bench.last("graph_point_token") == (4,)
    assert bench.last("text_mark_token") == (1, 2)
    bench.text.token_pointed.emit(1, -1)
    assert bench.place == 2
    assert bench.last("graph_point_token") == (2,)


def test_pointing_at_the_graph_marks_the_text(bench: Bench) -> None:
    bench.graph.token_pointed.emit(3)
    assert bench.place == 3
    assert bench.last("text_point_token") == (1, 3)
    bench.graph.token_pointed.emit(-1)
    assert bench.last("text_point_token") == (-1, None)
    assert bench.place != 3


def test_a_click_on_the_graph_picks_and_scrolls_there(bench: Bench) -> None:
    bench.graph.token_clicked.emit(5)
    assert bench.place == 5
    assert bench.last("text_reveal_token") == (1, 5)
    assert bench.text.view is View.TOKENS
    assert bench.last("text_mark_token") == (1, 5)
    bench.graph.token_clicked.emit(5000)
    assert bench.place == 5


def test_a_stretch_of_the_graph_is_marked_in_the_text_and_told(bench: Bench) -> None:
    bench.graph.stretch_chosen.emit(1, 4)
    assert bench.last("text_mark_stretch") == (1, 1, 4)
    said = named(bench.window, QLabel, "inspector_stretch")
    assert said.text().startswith("Tokens 2 to 5: mean ")
    bench.graph.stretch_chosen.emit(-1, -1)
    assert bench.last("text_mark_stretch") == (-1, None, None)
    assert said.text() == ""


def test_steps_go_from_what_is_shown_to_its_neighbours(bench: Bench) -> None:
    bench.text.token_picked.emit(1, 2)
    bench.press("inspector_next")
    assert bench.place == 3
    assert bench.last("text_reveal_token") == (1, 3)
    bench.press("inspector_previous")
    bench.press("inspector_previous")
    assert bench.place == 1
    assert bench.last("text_mark_token") == (1, 1)


def test_the_run_s_own_settings_count_not_the_present_ones(bench: Bench) -> None:
    playground = bench.window.playground
    controls = playground.state.controls
    bench.text.token_picked.emit(1, 1)
    ran = bench.subject.sampling
    playground.set_controls(replace(controls, sampling=replace(controls.sampling, top_k=7)))
    bench.text.token_picked.emit(1, 2)
    assert bench.subject.sampling == ran
    assert ran is not None
    assert (ran.top_k, 2 in bench.subject.ends) == (0, True)
    bench.text.token_picked.emit(1, len(bench.trace) - 1)
    assert (bench.subject.token.text, bench.subject.end_text) == ("", "<|end|>")


def test_parts_of_a_character_are_given_together(bench: Bench) -> None:
    parts = next(place for place in range(len(bench.trace)) if len(bench.trace.group(place)) > 1)
    bench.text.token_picked.emit(1, parts)
    assert bench.subject.character == "🌊"
    assert [token.place for token in bench.subject.group] == list(bench.trace.group(parts))


def test_another_answer_s_run_is_drawn_when_it_is_picked_from(bench: Bench) -> None:
    bench.send("And again")
    assert bench.told.graph_show_trace.call_args.args == (bench.trace, 0)
    bench.text.token_pointed.emit(1, 2)
    assert bench.last("graph_point_token") == (None,)
    bench.text.token_picked.emit(1, 2)
    first = bench.window.playground.traces.of(bench.window.playground.state.turns[1].id)
    assert bench.last("graph_show_trace") == (first, 0)
    assert bench.last("graph_point_token") == (2,)


def test_another_session_lets_everything_go(bench: Bench) -> None:
    bench.text.token_picked.emit(1, 2)
    act(bench.window, "new_session").trigger()
    assert bench.panel.subject is None
    assert bench.last("text_mark_token") == (-1, None)
    assert bench.last("graph_show_trace") == (None, 0)
    bench.text.token_picked.emit(1, 2)
    assert bench.panel.subject is None


def test_a_run_lets_go_of_what_was_picked_and_is_followed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller, "FOLLOWING_S", 0.0)
    bench = Bench(desk, monkeypatch, SHOWN, SLOW)
    bench.window.playground.send("Hello")
    bench.desk.qtbot.waitUntil(lambda: bench.panel.subject is not None and bench.place > 3)
    assert bench.subject.growing
    assert bench.place == bench.subject.of - 1
    assert not bench.told.text_mark_token.called
    bench.text.token_picked.emit(1, 1)
    count = bench.subject.of
    bench.desk.qtbot.waitUntil(lambda: bench.subject.of > count)
    assert bench.place == 1
    assert not named(bench.window, QLineEdit, "fork_text").isEnabled()
    assert "Wait until the answer is complete" in named(bench.window, QLabel, "fork_reason").text()
    bench.window.playground.stop()
    bench.desk.until(bench.window, Phase.READY)
    assert named(bench.window, QLineEdit, "fork_text").isEnabled()
    assert (bench.place, bench.subject.growing) == (1, False)


def test_a_run_is_followed_a_few_times_a_second_at_most(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller, "FOLLOWING_S", 3600.0)
    bench = Bench(desk, monkeypatch, SHOWN, replace(SLOW, tokens_per_second=1000))
    shown = Mock(side_effect=bench.panel.show_subject)
    monkeypatch.setattr(bench.panel, "show_subject", shown)
    bench.send()
    assert any(call.args[0] is not None and call.args[0].growing for call in shown.call_args_list), "the first is"
    # Before the first token, at the first one, and when the answer is complete.
    assert shown.call_count <= 4
    assert bench.subject.of == len(bench.trace)


def test_nothing_hidden_is_kept_up_to_date(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(desk, monkeypatch, Settings(controls=Controls(observe=3)), SHORT)
    bench.send()
    bench.text.token_pointed.emit(1, 2)
    assert bench.panel.subject is None
    assert bench.last("graph_point_token") == (2,)
    bench.text.token_pointed.emit(1, -1)
    assert not bench.told.text_mark_token.called
    act(bench.window, "toggle_inspector").trigger()
    assert bench.subject.of == len(bench.trace)
    assert bench.last("text_mark_token") == (1, bench.place)
    act(bench.window, "toggle_inspector").trigger()
    assert not bench.panel.isVisible()
    assert bench.last("text_mark_token") == (-1, None)


def test_a_session_that_is_opened_has_its_token_where_only_inside_is_in_sight(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a start too: its tokens are read from the journal, and may come after all else."""
    program.start()
    program.send("Hello")
    program.act("toggle_inside")
    program.quit()
    may_come, late = held_back(reading.trace_of)
    monkeypatch.setattr(reading, "trace_of", late)
    program.start()
    look = program.find(QAbstractButton, "inside_look")
    assert not look.isEnabled()
    may_come.set()
    program.until(look.isEnabled)


def test_a_replay_has_the_graph_to_itself(bench: Bench) -> None:
    playground = bench.window.playground
    run = playground.state.last_run
    assert run is not None
    with bench.desk.qtbot.waitSignal(playground.replayed):
        playground.replay(run.request)
    bench.text.token_pointed.emit(1, 2)
    assert bench.last("graph_point_token") == (None,)
    assert bench.place == 2


def test_a_pass_over_a_prompt_leaves_the_graph_to_the_answer(bench: Bench) -> None:
    playground = bench.window.playground
    with bench.desk.qtbot.waitSignal(playground.weighed):
        assert playground.weigh((20, 21, 22))
    bench.text.token_pointed.emit(1, 2)
    assert bench.last("graph_point_token") == (2,)


def test_without_candidates_the_last_token_is_shown_and_recording_offered(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(desk, monkeypatch, UNRECORDED, SHORT)
    bench.send()
    assert bench.place == len(bench.trace) - 1
    assert not named(bench.window, QTableView, "candidates").isVisible()
    bench.press("inspector_record")
    assert bench.window.playground.state.controls.observe > 0
    assert not named(bench.window, QAbstractButton, "inspector_record").isVisible()


def test_candidates_of_an_answer_without_are_recorded_by_replaying(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(desk, monkeypatch, UNRECORDED, SHORT)
    bench.send()
    bench.text.token_picked.emit(1, 2)
    playground, replay = bench.window.playground, named(bench.window, QAbstractButton, "inspector_replay")
    assert replay.isVisible() and replay.isEnabled()
    page, run = bench.text.plain_text(), playground.state.last_run
    with desk.qtbot.waitSignal(playground.replayed):
        replay.click()
    assert (bench.place, playground.shown.now.run) == (2, run), "back at the token that it was for"
    assert all(bench.trace.observed_at(place) is not None for place in range(len(bench.trace)))
    assert named(bench.window, QTableView, "candidates").isVisible()
    assert not replay.isVisible()
    assert bench.text.plain_text() == page


def test_a_replay_that_goes_another_way_tells_how_far_it_recorded(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(desk, monkeypatch, UNRECORDED, SHORT)
    bench.send()
    bench.text.token_picked.emit(1, 2)
    playground = bench.window.playground
    run = playground.state.last_run
    assert run is not None
    other = replace(run, ids=(*run.ids[:3], 99_999, *run.ids[4:]))
    monkeypatch.setattr(playground, "whole", lambda run: other)
    with desk.qtbot.waitSignal(playground.replayed):
        bench.press("inspector_replay")
    assert "up to token 3" in named(bench.window, QLabel, "inspector_words").text()
    assert [bench.trace.observed_at(place) is not None for place in range(5)] == [True, True, True, False, False]


def test_a_replay_that_is_stopped_or_fails_went_no_other_way(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(desk, monkeypatch, UNRECORDED, SHORT)
    bench.send()
    bench.text.token_picked.emit(1, 2)
    playground, words = bench.window.playground, named(bench.window, QLabel, "inspector_words")
    run, offered = playground.state.last_run, words.text()
    assert run is not None
    tokens = [Token(place, token, "", (), 0.1, observed=choice()) for place, token in enumerate(run.ids)]
    failure = Failure("Memory ran out.", "Close something.")
    stopped, failed = (replace(run.finish, reason=reason) for reason in (Reason.STOPPED, Reason.ERROR))
    monkeypatch.setattr(playground, "replay", lambda request: True)
    for finish, count, said in (
        (stopped, 3, "You stopped it: candidates are recorded up to token 3."),
        (stopped, 0, offered),
        (replace(failed, failure=failure), 3, "The same run failed this time: Memory ran out. Close something."),
        (run.finish, 0, "The same run took another way this time: candidates are recorded up to token 0."),
    ):
        bench.text.token_picked.emit(1, len(run.ids) - 1)
        bench.press("inspector_replay")
        playground.replay_advanced.emit(Frame(tokens=tuple(tokens[:count])))
        playground.replayed.emit(replace(run, finish=finish))
        assert words.text() == said


def opened(bench: Bench, adapter: str | None) -> None:
    """The same model with this adapter on it, or with none."""
    assert bench.window.playground.load(LoadRequest("echo", adapter=adapter))
    bench.desk.until(bench.window, Phase.LOADING)
    bench.desk.until(bench.window, Phase.READY)


def test_what_a_run_without_an_adapter_chose_is_recorded_without_one(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(desk, monkeypatch, UNRECORDED, SHORT)
    bench.send()
    opened(bench, "/adapters/fox")
    bench.text.token_picked.emit(1, 2)
    replay = Mock(side_effect=bench.window.playground.replay)
    monkeypatch.setattr(bench.window.playground, "replay", replay)
    with desk.qtbot.waitSignal(bench.window.playground.replayed):
        bench.press("inspector_replay")
    assert replay.call_args.args[0].sampling.adapter_strength == 0.0
    assert bench.trace.observed_at(2) is not None


def test_what_a_run_with_an_adapter_chose_is_recorded_with_that_alone(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(desk, monkeypatch, UNRECORDED, SHORT)
    opened(bench, "/adapters/fox")
    bench.send()
    bench.text.token_picked.emit(1, 2)
    replay, words = (
        named(bench.window, QAbstractButton, "inspector_replay"),
        named(bench.window, QLabel, "inspector_words"),
    )
    first = "Open echo with the adapter fox first: this run had it."
    for other in (None, "/adapters/owl"):
        assert replay.isVisible() and first not in words.text()
        opened(bench, other)
        assert not replay.isVisible() and first in words.text()
        opened(bench, "/adapters/fox")


def test_after_a_fork_the_inspector_stays_where_it_began(bench: Bench) -> None:
    panel = bench.panel
    for wanted, place in ((panel.candidate_taken, 2), (panel.text_taken, 3)):
        turn = bench.window.playground.state.turns[-1].id
        wanted.emit(1, place, bench.trace.token(4).id if place == 2 else "x")
        bench.desk.until(bench.window, Phase.READY)
        forked = bench.window.playground.state.turns[-1].forked
        assert bench.window.playground.state.turns[-1].id != turn and forked is not None
        assert bench.place == forked.place == place
        assert len(bench.trace) > bench.place + 1
    bench.send("And more")
    assert bench.subject.index == 3, "the next answer is begun with as any other"


def test_the_token_view_is_a_press_away(bench: Bench) -> None:
    bench.press("inspector_tokens")
    assert bench.text.view is View.TOKENS
    assert bench.last("text_reveal_token") == (1, bench.place)
    assert not named(bench.window, QAbstractButton, "inspector_tokens").isVisible()
    act(bench.window, "view_plain").trigger()
    assert named(bench.window, QAbstractButton, "inspector_tokens").isVisible()


def shown(window: MainWindow) -> str:
    """Which page of the right side is to be seen; button and menu say the same."""
    side = named(window, QTabWidget, "side")
    page = side.currentWidget().objectName() if side.isVisible() else ""
    button = named(window, QAbstractButton, "inspector_button")
    assert button.isChecked() is act(window, "toggle_side").isChecked() is bool(page)
    for name in ("controls", "inspector", "exact_prompt"):
        assert act(window, f"toggle_{name}").isChecked() is (name == page)
        assert named(window, QWidget, name).isVisible() is (name == page)
    return page


def test_one_place_at_the_right_has_a_page_for_each(desk: Desk) -> None:
    window = desk.ready()
    window.resize(1000, 700)
    assert shown(window) == "controls"
    for name in ("inspector", "exact_prompt", "controls"):
        act(window, f"toggle_{name}").trigger()
        assert shown(window) == name
    act(window, "toggle_controls").trigger()
    assert shown(window) == ""
    act(window, "toggle_inspector").trigger()
    assert shown(window) == "inspector"
    named(window, QAbstractButton, "inspector_button").click()
    assert shown(window) == ""
    named(window, QAbstractButton, "inspector_button").click()
    assert shown(window) == "inspector"
    window.resize(900, 600)
    assert window.width() == 900
    assert shown(window) == "inspector"


def test_where_text_leaves_room_for_one_column_the_right_side_waits_until_it_is_asked_for(desk: Desk) -> None:
    window = desk.ready()
    window.resize(1000, 700)
    desk.theme.resize(200)
    desk.qtbot.waitUntil(lambda: shown(window) == "")
    act(window, "toggle_exact_prompt").trigger()
    assert shown(window) == "exact_prompt"
    act(window, "toggle_sessions").trigger()
    assert shown(window) == "", "there is room for one"
    desk.theme.resize(100)
    desk.qtbot.waitUntil(lambda: shown(window) == "exact_prompt")


def test_a_token_that_is_picked_brings_its_page(bench: Bench) -> None:
    for action in ("toggle_controls", "toggle_side"):
        act(bench.window, action).trigger()
        assert not bench.panel.isVisible()
        bench.text.token_pointed.emit(1, 1)
        assert not bench.panel.isVisible(), "it was only pointed at"
        bench.text.token_picked.emit(1, 2)
        assert (shown(bench.window), bench.place) == ("inspector", 2)


def test_the_right_side_is_found_as_it_was_left(desk: Desk) -> None:
    window = desk.ready()
    window.resize(1600, 1000)
    act(window, "toggle_inspector").trigger()
    window.close()
    kept = desk.kept[0]
    assert (kept.layout.side_shown, kept.layout.side_tab) == (True, "inspector")
    assert len(kept.layout.columns) == 3
    assert all(kept.layout.columns)
    assert shown(desk.ready(kept)) == "inspector"


def test_what_more_or_a_heading_hides_gives_the_keyboard_to_no_field(desk: Desk) -> None:
    window = desk.ready()
    more, heading = (named(window, QAbstractButton, name) for name in ("more_controls", "fold_sampling"))
    for button in (more, heading):
        if not more.isChecked():
            more.click()
        field = named(window, QWidget, "seed")
        desk.qtbot.waitUntil(field.isVisible)
        field.setFocus()
        assert field.hasFocus()
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click gives it no keyboard, as on a Mac
        button.click()
        assert not field.isVisible()
        assert button.hasFocus()


@pytest.mark.parametrize("place", ["temperature", "fork_text", "exact_prompt_tokens", "session_search"])
def test_what_is_hidden_gives_the_keyboard_to_no_field(bench: Bench, place: str) -> None:
    window, prompt = bench.window, named(bench.window, QPlainTextEdit, "prompt")
    window.resize(1600, 1000)
    pages = {"temperature": "controls", "exact_prompt_tokens": "exact_prompt", "fork_text": "inspector"}
    page = pages.get(place, "")
    other = "toggle_controls" if page == "inspector" else "toggle_inspector"
    ways = ("toggle_side", other) if page else ("toggle_sessions",)
    for way in ways:
        if page and shown(window) != page:
            act(window, f"toggle_{page}").trigger()
        field = named(window, QWidget, place)
        bench.desk.qtbot.waitUntil(field.isVisible)
        field.setFocus()
        act(window, way).trigger()
        assert not field.isVisible()
        now = QApplication.focusWidget()
        assert isinstance(now, (QAbstractButton, QTabBar)) and now.isVisible(), now
        prompt.setFocus()
        act(window, way).trigger()
        assert prompt.hasFocus()
