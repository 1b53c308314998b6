from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from app.bridge.conversation import answered_turns
from app.controls import AT_FIRST, OBSERVED, Controls, Mode
from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Collect, Emit, StopFlag
from app.engine.types import (
    ENDLESS,
    Cancellation,
    ChatPrompt,
    Failure,
    Limits,
    LoadRequest,
    Model,
    RawPrompt,
    Reason,
    Request,
    Role,
    TokenPrompt,
)
from app.experiments.types import Plan
from app.state import Phase, State, Turn
from tests.bridge.playing import ENDLESS_TEXT, QUICK, Player, loaded, playing

TALKATIVE = Controls(limits=Limits(ENDLESS), seed=0)


class Far(EchoEngine):
    """Claims to be on a server."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        found = super().load(request, emit, stop)
        return replace(found, server="there:8080") if isinstance(found, Model) else found


def test_observe_is_on_locally_and_off_on_servers_by_default(qtbot: QtBot) -> None:
    with loaded(qtbot) as player:
        player.playground.set_controls(AT_FIRST)
        assert player.state.is_recording
        assert player.send().request.observe == OBSERVED
        player.playground.set_recording(False)
        assert (player.state.is_recording, player.send().request.observe) == (False, 0)
    with loaded(qtbot, factory=lambda _collect: Far(QUICK)) as player:
        player.playground.set_controls(AT_FIRST)
        assert (player.state.is_recording, player.send().request.observe) == (False, 0)
        player.playground.set_recording(True)
        assert (player.state.is_recording, player.send().request.observe) == (True, OBSERVED)
        player.playground.set_recording(False)
        assert player.send().request.observe == 0
        assert player.state.controls == AT_FIRST, "on this machine it stays as it was"


def test_load_reports_progress_until_the_model_is_ready(qtbot: QtBot) -> None:
    with playing(qtbot, replace(QUICK, load_seconds=0.5)) as player:
        assert player.state.phase is Phase.EMPTY
        player.playground.open()
        player.playground.load(LoadRequest("demo"))
        player.until(lambda: player.state.loading is not None and player.state.loading.done > 0)
        assert player.state.wanted == "demo"
        player.until_phase(Phase.READY)
        assert player.phases == [Phase.LOADING, Phase.READY] and player.state.loading is None
        assert player.state.model is not None and player.state.model.name == "echo"


def test_load_that_fails_leaves_the_playground_usable(qtbot: QtBot) -> None:
    failure = Failure("It is not a model.", "Choose another.")
    with playing(qtbot, replace(QUICK, load_failure=failure)) as player:
        player.playground.open()
        with qtbot.waitSignal(player.playground.failed) as told:
            player.playground.load(LoadRequest("demo"))
        assert told.args == [failure]
        player.until_phase(Phase.EMPTY)
        assert player.state.failure == failure
        player.playground.dismiss_failure()
        assert player.state.failure is None
        assert player.playground.load(LoadRequest("demo"))
        player.until_phase(Phase.EMPTY)


def test_engine_that_can_not_be_made_is_a_failure(qtbot: QtBot) -> None:
    def broken(_collect: Collect) -> EchoEngine:
        raise ImportError("no such library")

    with playing(qtbot, factory=broken) as player:
        with qtbot.waitSignal(player.playground.failed) as told:
            player.playground.open()
        assert "no such library" in told.args[0].details
        player.playground.load(LoadRequest("demo"))
        player.until_phase(Phase.EMPTY)


def test_load_during_a_load_replaces_it(qtbot: QtBot) -> None:
    with playing(qtbot, replace(QUICK, load_seconds=0.3)) as player:
        player.playground.open()
        player.playground.load(LoadRequest("first"))
        player.playground.load(LoadRequest("second"))
        player.until(lambda: player.state.model is not None)
        assert str(player.state.model and player.state.model.folder) == "second"


def test_stop_cancels_the_next_load_too(qtbot: QtBot) -> None:
    with playing(qtbot, replace(QUICK, load_seconds=3600)) as player:
        player.playground.open()
        player.playground.load(LoadRequest("first"))
        player.playground.load(LoadRequest("second"))
        assert player.playground.stop()
        player.until_phase(Phase.EMPTY)
        assert player.phases == [Phase.LOADING, Phase.STOPPING, Phase.EMPTY]
        assert player.state.failure is None


def test_changes_reach_each_listener_in_order(qtbot: QtBot) -> None:
    with playing(qtbot) as player:
        heard: list[Phase] = []

        def meddle(old: State, new: State) -> None:
            if new.phase is Phase.READY and old.phase is Phase.LOADING:
                player.playground.unload()

        player.playground.changed.connect(meddle)
        player.playground.changed.connect(lambda old, new: heard.append(new.phase))
        player.playground.open()
        player.playground.load(LoadRequest("demo"))
        player.until_phase(Phase.EMPTY)
        assert heard[-3:] == [Phase.READY, Phase.STOPPING, Phase.EMPTY]
        assert player.state.model is None


def test_follow_calls_the_slot_only_when_a_named_field_changes(qtbot: QtBot) -> None:
    titles: list[str] = []
    counts: list[None] = []
    with playing(qtbot) as player:
        player.playground.follow(("title", "session"), lambda state: titles.append(state.title), at_once=True)
        player.playground.follow(("is_background",), lambda: counts.append(None))
        for changes in ({"wanted": "demo"}, {"title": "A"}, {"title": "A"}, {"session": 4}, {"experiment": "B"}):
            player.playground._change(**changes)
    assert (titles, len(counts)) == (["", "A", "A"], 1)


def test_finished_comes_after_the_last_frame(player: Player) -> None:
    player.playground.set_controls(TALKATIVE)
    run = player.send()
    assert player.text == run.text == QUICK.replies[0]
    assert player.said[-1] == "finished"
    assert player.said.count("finished") == 1
    # A run this quick may be over before the first frame that would tell it is generating.
    assert [phase for phase in player.phases[2:] if phase is not Phase.GENERATING] == [
        Phase.PREFILLING,
        Phase.READY,
    ]
    assert run.finish.reason is Reason.STOP
    question, answer = player.state.turns
    assert (question.role, question.text) == (Role.USER, "Hello")
    assert (answer.text, answer.runs, answer.open) == (run.text, (run,), False)
    tokens = [token for frame in player.frames for token in frame.tokens]
    assert [token.index for token in tokens] == list(range(run.finish.tokens))
    assert tuple(token.id for token in tokens) == run.ids


def test_stop_keeps_the_text_and_reports_its_latency(qtbot: QtBot) -> None:
    with loaded(qtbot, ENDLESS_TEXT) as player:
        player.playground.set_controls(TALKATIVE)
        player.playground.send("Go")
        player.until(lambda: bool(player.text))
        assert player.playground.stop()
        assert player.phases[-2:] == [Phase.GENERATING, Phase.STOPPING]
        run = player.last()
        assert run.finish.reason is Reason.STOPPED
        assert run.text == player.text != ""
        assert player.state.turns[-1].text == run.text
        assert run.finish.times.ended >= run.finish.times.stop_asked > 0


def test_stop_after_the_end_does_not_stop_the_next_run(player: Player) -> None:
    player.send()
    assert not player.playground.stop()
    assert player.send("And now?").finish.reason is not Reason.STOPPED


def test_stop_in_the_prefill_ends_the_run(qtbot: QtBot) -> None:
    with loaded(qtbot, replace(QUICK, prefill_per_second=20)) as player:
        player.playground.send("word " * 300)
        player.until(lambda: bool(player.frames) and player.frames[-1].prefill is not None)
        assert player.state.phase is Phase.PREFILLING
        player.playground.stop()
        run = player.last()
        assert (run.finish.reason, run.text) == (Reason.STOPPED, "")
        turns = player.state.turns
        assert turns[-1].runs == (run,)
        assert answered_turns((*turns, Turn(Role.USER, "Next"))) == (turns[-1], Turn(Role.USER, "Next"))


def test_send_reuses_the_cache_of_earlier_turns(player: Player) -> None:
    player.playground.set_controls(TALKATIVE)
    first = player.send()
    second = player.send("And then?")
    assert first.finish.reused == 0
    assert second.finish.reused > first.finish.new
    assert [turn.role for turn in player.state.turns] == [Role.USER, Role.ASSISTANT] * 2


def test_continue_sends_the_same_ids(player: Player) -> None:
    player.playground.set_controls(replace(TALKATIVE, limits=Limits(6)))
    first = player.send()
    assert first.finish.reason is Reason.LENGTH
    player.playground.set_controls(TALKATIVE)
    assert player.playground.continue_run()
    second = player.last()
    assert first.prompt is not None
    assert second.request.prompt == TokenPrompt(first.prompt.ids + first.ids)
    assert second.finish.new == 1
    answer = player.state.turns[-1]
    assert answer.text == first.text + second.text == QUICK.replies[0]
    assert answer.runs == (first, second)
    assert not player.playground.continue_run(), "the model has ended by itself"


def test_continue_with_another_model_sends_text_and_no_foreign_ids(player: Player) -> None:
    for mode in (Mode.CHAT, Mode.RAW):
        player.playground.set_controls(replace(TALKATIVE, mode=mode, limits=Limits(6)))
        first = player.send()
        assert first.finish.reason is Reason.LENGTH
        assert player.playground.load(LoadRequest("another"))
        player.until_phase(Phase.READY)
        if mode is Mode.CHAT:
            assert not player.playground.continue_run()
            failure = player.state.failure
            assert failure is not None and failure.kind == "other model" and first.model in failure.todo
            assert player.playground.load(LoadRequest("demo"))
            player.until_phase(Phase.READY)
    assert player.playground.continue_run()
    assert player.last().request.prompt == RawPrompt(f"Hello{first.text}")


def test_regenerate_uses_another_seed(player: Player) -> None:
    first = player.send()
    assert player.playground.regenerate()
    second = player.last()
    assert len(player.state.turns) == 2
    assert second.seed != first.seed
    assert second.request.prompt == first.request.prompt
    assert player.playground.undo()
    assert player.state.turns[-1].runs == (first,)


def test_regenerate_with_a_fixed_seed_keeps_it(player: Player) -> None:
    player.playground.set_controls(Controls(seed=42))
    first = player.send()
    player.playground.regenerate()
    second = player.last()
    assert (first.seed, second.seed) == (42, 42)
    assert first.ids == second.ids


def test_edit_of_an_answer_only_changes_it(player: Player) -> None:
    player.send("One")
    assert player.playground.edit(1, "I said this.")
    assert player.state.phase is Phase.READY
    assert player.state.turns[1].text == "I said this."
    player.send("Two")
    assert "I said this." in str(player.runs[-1].prompt and player.runs[-1].prompt.text)


def test_new_session_is_empty_and_keeps_the_old_one(player: Player) -> None:
    assert not player.playground.new_session()
    player.send("One")
    before = player.state
    assert player.playground.new_session()
    assert (player.state.turns, player.state.session) == ((), 0)
    assert not player.playground.undo()
    assert player.playground.open_session(before.session)
    player.until(lambda: len(player.state.turns) == 2)
    assert player.state.turns[-1].text == before.turns[-1].text


def test_send_in_raw_mode_sends_the_page(player: Player) -> None:
    player.playground.set_controls(Controls(mode=Mode.RAW, limits=Limits(5), seed=0))
    first = player.send("Once upon")
    assert first.request.prompt == RawPrompt("Once upon")
    assert not player.playground.send("")
    second = player.send("Once upon" + first.text)
    assert second.request.prompt == RawPrompt("Once upon" + first.text)
    assert [turn.text for turn in player.state.turns] == ["Once upon" + first.text, second.text]
    assert player.playground.undo()
    assert [turn.text for turn in player.state.turns] == ["Once upon", first.text]


def test_set_controls_with_another_mode_shows_its_own_turns(player: Player) -> None:
    player.send("Hello")
    chat, raw = Controls(limits=Limits(5)), Controls(mode=Mode.RAW, limits=Limits(5))
    said = player.state.turns
    player.playground.set_controls(raw)
    assert player.state.turns == ()
    player.send("Once upon")
    page = player.state.turns
    player.playground.set_controls(chat)
    assert player.state.turns == said
    player.playground.delete(0)
    player.playground.set_controls(raw)
    assert player.state.turns == page
    player.playground.set_controls(chat)
    assert player.playground.undo()
    assert player.state.turns == said


def test_set_controls_during_a_run_keeps_the_mode(qtbot: QtBot) -> None:
    with loaded(qtbot, ENDLESS_TEXT) as player:
        player.playground.set_controls(TALKATIVE)
        player.playground.send("Go")
        assert not player.playground.set_controls(replace(TALKATIVE, mode=Mode.RAW))
        assert player.playground.set_controls(replace(TALKATIVE, seed=5))
        assert (player.state.controls.mode, player.state.controls.seed) == (Mode.CHAT, 5)
        player.playground.stop()
        player.last()


def test_send_leaves_out_arguments_of_another_template(player: Player) -> None:
    player.playground.set_controls(Controls(arguments=(("enable_thinking", False),)))
    prompt = player.send().request.prompt
    assert isinstance(prompt, ChatPrompt)
    assert prompt.arguments == ()


INTENTS = {
    "send": ("x",),
    "edit": (0, "x"),
    "delete": (0,),
    "fork": (1, 1, None, "x"),
    "switch": (1,),
    "erase": (print,),
}


def test_intent_during_a_run_is_refused(qtbot: QtBot) -> None:
    with loaded(qtbot, ENDLESS_TEXT) as player:
        player.playground.set_controls(TALKATIVE)
        player.playground.send("Go")
        before = player.state
        for intent in (*INTENTS, "regenerate", "continue_run", "unload"):
            assert not getattr(player.playground, intent)(*INTENTS.get(intent, ())), intent
            assert player.state == before, intent


def test_intents_without_a_model_are_refused(qtbot: QtBot) -> None:
    with playing(qtbot) as player:
        player.playground.open()
        assert not player.playground.send("Hello")
        assert not player.playground.stop()
        assert not player.playground.replay(Request(TokenPrompt((3,))))
        assert not player.playground.score_tokens((3, 4))
        assert not player.playground.experiment(Plan("trial", "A trial", "What is it?", (), 1))


def test_run_that_fails_keeps_its_text(qtbot: QtBot) -> None:
    failure = Failure("The memory ran out.", "Try a smaller model.")
    with loaded(qtbot, replace(QUICK, run_failure=failure, fails_after=5)) as player:
        with qtbot.waitSignal(player.playground.failed):
            player.playground.send("Hello")
        run = player.runs[-1]
        assert (run.finish.reason, len(run.ids)) == (Reason.ERROR, 5)
        assert player.state.failure == failure
        assert player.state.turns[-1].text == run.text != ""
        player.send("Again?")


@pytest.mark.parametrize("phase", [Phase.LOADING, Phase.PREFILLING, Phase.GENERATING, Phase.STOPPING, Phase.READY])
def test_close_in_each_phase_leaves_no_thread(qtbot: QtBot, phase: Phase) -> None:
    """The conftest fails a test that leaves a thread or a timer running."""
    slow = replace(ENDLESS_TEXT, prefill_per_second=0 if phase is Phase.GENERATING else 20)
    if phase is Phase.LOADING:
        slow = replace(slow, load_seconds=3600)
    with playing(qtbot, slow) as player:
        player.playground.open()
        player.playground.load(LoadRequest("demo"))
        if phase is Phase.LOADING:
            return
        player.until_phase(Phase.READY)
        player.playground.set_controls(TALKATIVE)
        if phase is not Phase.READY:
            player.playground.send("word " * 100)
            player.until_phase(Phase.GENERATING if phase is Phase.GENERATING else Phase.PREFILLING)
        if phase is Phase.STOPPING:
            player.playground.stop()


@pytest.mark.parametrize("phase", [Phase.LOADING, Phase.PREFILLING, Phase.GENERATING, Phase.STOPPING])
def test_close_by_a_listener_of_a_change_works(qtbot: QtBot, phase: Phase) -> None:
    with playing(qtbot, ENDLESS_TEXT) as player:
        heard: list[Phase] = []

        def close(old: State, new: State) -> None:
            if new.phase is phase and not heard:
                heard.append(phase)
                player.playground.close()
            elif new.phase is Phase.PREFILLING and phase is Phase.STOPPING:
                player.playground.stop()
            elif new.phase is Phase.READY and not new.turns:
                player.playground.set_controls(TALKATIVE)
                player.playground.send("Go")

        player.playground.changed.connect(close)
        player.playground.open()
        player.playground.load(LoadRequest("demo"))
        player.until(lambda: heard == [phase])


def test_close_twice_or_before_open_is_harmless(qtbot: QtBot) -> None:
    with playing(qtbot) as player:
        player.playground.close()
        player.playground.close()
