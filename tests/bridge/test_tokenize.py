from dataclasses import replace

from pytestqt.qtbot import QtBot

from app.engine.echo.engine import EchoEngine
from app.engine.types import KV, ExactPrompt, Failure, PromptSource, RawPrompt, SpelledToken
from tests.bridge.playing import ENDLESS_TEXT, Player, loaded


class Speechless(EchoEngine):
    """Has a tokenizer that fails unexpectedly."""

    def render(self, source: PromptSource) -> ExactPrompt | Failure:
        raise RuntimeError("no words")

    def token_texts(self, source: PromptSource) -> tuple[SpelledToken, ...] | Failure:
        raise RuntimeError("no words")


class Asking:
    """Asks for one text at a time."""

    def __init__(self, player: Player) -> None:
        self._playground = player.playground
        self.heard: list[tuple[SpelledToken, ...] | Failure] = []

    def ask(self, text: str) -> None:
        self._playground.tasks.start(self._hear(text), "apart")

    async def _hear(self, text: str) -> None:
        self.heard.append(await self._playground.token_texts(RawPrompt(text)))


def spell(player: Player, source: PromptSource) -> list[ExactPrompt | Failure]:
    """Where the answer will be."""
    answers: list[ExactPrompt | Failure] = []

    async def hear() -> None:
        answers.append(await player.playground.tokenize(source))

    player.playground.tasks.start(hear())
    return answers


def test_tokenize_during_a_run_waits_for_its_end(qtbot: QtBot) -> None:
    with loaded(qtbot, ENDLESS_TEXT) as player:
        assert player.playground.send("Hello")
        order: list[str] = []
        player.playground.finished.connect(lambda _: order.append("finished"))
        answers = spell(player, RawPrompt("word"))
        player.playground.stop()
        player.until(lambda: bool(answers))
        assert order == ["finished"]


def test_tokenize_with_a_failing_tokenizer_is_a_failure(qtbot: QtBot) -> None:
    with loaded(qtbot, factory=lambda _collect: Speechless(ENDLESS_TEXT)) as player:
        answers, asking = spell(player, RawPrompt("word")), Asking(player)
        asking.ask("word")
        player.until(lambda: bool(answers and asking.heard))
        assert isinstance(answers[0], Failure) and isinstance(asking.heard[0], Failure)


def test_token_texts_have_bytes_and_completed_text(player: Player) -> None:
    asking = Asking(player)
    asking.ask("a 🌊")
    player.until(lambda: bool(asking.heard))
    (answer,) = asking.heard
    assert not isinstance(answer, Failure)
    assert [each.text for each in answer] == ["a", " ", "", "", "🌊"]
    assert b"".join(each.piece for each in answer).decode() == "a 🌊"


def test_token_texts_of_a_cancelled_task_are_skipped(player: Player) -> None:
    asking = Asking(player)
    for text in ("a", "ab", "abc"):
        asking.ask(text)
    player.until(lambda: bool(asking.heard))
    asking.ask("dropped")
    player.playground.tasks.cancel("apart")
    asking.ask("last")
    player.until(lambda: len(asking.heard) > 1)
    assert [[each.text for each in answer] for answer in asking.heard] == [["abc"], ["last"]]  # type: ignore[union-attr]


def test_request_leaves_out_unsupported_settings(player: Player) -> None:
    controls = player.state.controls
    player.playground.set_controls(replace(controls, kv=KV(max_size=64), draft_tokens=3))
    request = player.send().request
    assert (request.kv, request.draft_tokens) == (KV(), 0)
    assert player.state.controls.draft_tokens == 3
