"""The playground tells a text in tokens, when the engine has time, and leaves out what a model can't follow."""

from dataclasses import replace

from pytestqt.qtbot import QtBot

from app.engine.echo.engine import EchoEngine
from app.engine.types import KV, ExactPrompt, Failure, LoadRequest, PromptSource, RawPrompt
from tests.bridge.playing import ENDLESS_TEXT, Player, loaded, playing


class Speechless(EchoEngine):
    """Its tokenizer fails in a way that nobody foresaw."""

    def render(self, source: PromptSource) -> ExactPrompt | Failure:
        raise RuntimeError("no words")


def spell(player: Player, source: PromptSource) -> list[ExactPrompt | Failure]:
    """Where the answer will be."""
    answers: list[ExactPrompt | Failure] = []

    async def hear() -> None:
        answers.append(await player.playground.spelled(source))

    player.playground.tasks.start(hear())
    return answers


def test_a_text_is_told_in_tokens(qtbot: QtBot) -> None:
    with loaded(qtbot) as player:
        answers = spell(player, RawPrompt("one two"))
        player.until(lambda: bool(answers))
        (answer,) = answers
        assert isinstance(answer, ExactPrompt)
        assert answer.text == "one two"


def test_during_a_run_the_answer_comes_when_it_is_over(qtbot: QtBot) -> None:
    with loaded(qtbot, ENDLESS_TEXT) as player:
        assert player.playground.send("Hello")
        order: list[str] = []
        player.playground.finished.connect(lambda _: order.append("finished"))
        answers = spell(player, RawPrompt("word"))
        player.playground.stop()
        player.until(lambda: bool(answers))
        assert order == ["finished"]


def test_a_tokenizer_that_fails_is_a_failure(qtbot: QtBot) -> None:
    with playing(qtbot, factory=lambda _collect: Speechless(replace(ENDLESS_TEXT))) as player:
        player.playground.open()
        assert player.playground.load(LoadRequest("demo"))
        player.until(lambda: player.state.model is not None)
        answers = spell(player, RawPrompt("word"))
        player.until(lambda: bool(answers))
        assert isinstance(answers[0], Failure)


def test_a_run_leaves_out_what_the_model_can_not_follow(qtbot: QtBot) -> None:
    with loaded(qtbot) as player:
        controls = player.state.controls
        player.playground.set_controls(replace(controls, kv=KV(max_size=64), draft_tokens=3))
        request = player.send().request
        assert (request.kv, request.draft_tokens) == (KV(), 0)
        assert player.state.controls.draft_tokens == 3
