"""The one cursor: what is pointed at or picked in one place is so in all of them, and lets go in time."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import Mock

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QTableView

from app.controls import Controls
from app.engine.echo import Knobs
from app.engine.trace import Trace
from app.settings import Layout, Settings
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import View
from app.ui.inspector import InspectorPanel, Subject, controller
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import QUICK, WAIT_MS, Desk, act, named

SHORT = replace(QUICK, replies=("One two three four five six. 🌊",))
SLOW = Knobs(replies=("word " * 400,), tokens_per_second=200, prefill_per_second=0, load_seconds=0)
SHOWN = Settings(layout=Layout(inspector_shown=True), controls=Controls(observe=3))


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
    bench.desk.qtbot.waitUntil(lambda: bench.panel.subject is not None and bench.place > 3, timeout=WAIT_MS)
    assert bench.subject.growing
    assert bench.place == bench.subject.of - 1
    assert not bench.told.text_mark_token.called
    bench.text.token_picked.emit(1, 1)
    count = bench.subject.of
    bench.desk.qtbot.waitUntil(lambda: bench.subject.of > count, timeout=WAIT_MS)
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
    bench.press("close_inspector")
    assert not bench.panel.isVisible()
    assert bench.last("text_mark_token") == (-1, None)


def test_a_replay_has_the_graph_to_itself(bench: Bench) -> None:
    playground = bench.window.playground
    run = playground.state.last_run
    assert run is not None
    with bench.desk.qtbot.waitSignal(playground.replayed, timeout=WAIT_MS):
        playground.replay(run.request)
    bench.text.token_pointed.emit(1, 2)
    assert bench.last("graph_point_token") == (None,)
    assert bench.place == 2


def test_a_pass_over_a_prompt_leaves_the_graph_to_the_answer(bench: Bench) -> None:
    playground = bench.window.playground
    with bench.desk.qtbot.waitSignal(playground.weighed, timeout=WAIT_MS):
        assert playground.weigh((20, 21, 22))
    bench.text.token_pointed.emit(1, 2)
    assert bench.last("graph_point_token") == (2,)


def test_without_candidates_the_last_token_is_shown_and_recording_offered(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(desk, monkeypatch, Settings(layout=Layout(inspector_shown=True)), SHORT)
    bench.send()
    assert bench.place == len(bench.trace) - 1
    assert not named(bench.window, QTableView, "candidates").isVisible()
    bench.press("inspector_record")
    assert bench.window.playground.state.controls.observe > 0
    assert not named(bench.window, QAbstractButton, "inspector_record").isVisible()


def test_the_token_view_is_a_press_away(bench: Bench) -> None:
    bench.press("inspector_tokens")
    assert bench.text.view is View.TOKENS
    assert bench.last("text_reveal_token") == (1, bench.place)
    assert not named(bench.window, QAbstractButton, "inspector_tokens").isVisible()
    act(bench.window, "view_plain").trigger()
    assert named(bench.window, QAbstractButton, "inspector_tokens").isVisible()


def shown(window: MainWindow) -> dict[str, bool]:
    """What is to be seen of the right side; buttons and menu say the same."""
    found = {}
    for name in ("controls", "inspector"):
        action: QAction = act(window, f"toggle_{name}")
        found[name] = window.findChild(QAbstractButton, f"{name}_button").isChecked()  # type: ignore[union-attr]
        assert action.isChecked() is found[name]
    assert found["inspector"] is named(window, InspectorPanel, "inspector").isVisible()
    return found


def test_in_a_narrow_window_the_controls_step_aside_and_come_back(desk: Desk) -> None:
    window = desk.ready()
    window.resize(1000, 700)
    act(window, "toggle_inspector").trigger()
    assert shown(window) == {"controls": False, "inspector": True}
    act(window, "toggle_controls").trigger()
    assert shown(window) == {"controls": True, "inspector": False}
    act(window, "toggle_controls").trigger()
    assert shown(window) == {"controls": False, "inspector": True}
    act(window, "toggle_controls").trigger()
    act(window, "toggle_inspector").trigger()
    desk.qtbot.waitUntil(lambda: shown(window)["inspector"])
    window.resize(1600, 1000)
    assert shown(window) == {"controls": True, "inspector": True}
    window.resize(900, 600)
    assert shown(window) == {"controls": False, "inspector": True}
    assert window.width() == 900
    act(window, "toggle_inspector").trigger()
    assert shown(window) == {"controls": True, "inspector": False}


def test_the_inspector_is_found_as_it_was_left(desk: Desk) -> None:
    window = desk.ready()
    window.resize(1600, 1000)
    assert not shown(window)["inspector"]
    named(window, QAbstractButton, "inspector_button").click()
    window.close()
    kept = desk.kept[0]
    assert kept.layout.inspector_shown
    assert kept.layout.controls_shown
    assert len(kept.layout.columns) == 4
    assert all(kept.layout.columns)
    assert shown(desk.ready(kept))["inspector"]
