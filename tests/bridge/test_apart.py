"""A text is taken apart by the model's tokenizer; only the newest question is answered."""

from pytestqt.qtbot import QtBot

from app.engine.echo.engine import EchoEngine
from app.engine.types import Failure, PromptSource, RawPrompt, Spelt
from tests.bridge.playing import QUICK, Player, loaded, playing


class Deaf(EchoEngine):
    """Its tokenizer fails in a way that nobody foresaw."""

    def take_apart(self, source: PromptSource) -> tuple[Spelt, ...] | Failure:
        raise RuntimeError("no words")


class Asking:
    """Whoever wants to know it, one question at a time."""

    def __init__(self, player: Player) -> None:
        self._playground = player.playground
        self.heard: list[tuple[Spelt, ...] | Failure] = []

    def ask(self, text: str) -> None:
        self._playground.tasks.start(self._hear(text), "apart")

    async def _hear(self, text: str) -> None:
        self.heard.append(await self._playground.taken_apart(RawPrompt(text)))


def test_each_token_tells_its_bytes_and_what_it_completes(qtbot: QtBot) -> None:
    with loaded(qtbot) as player:
        asking = Asking(player)
        asking.ask("a 🌊")
        player.until(lambda: bool(asking.heard))
        (answer,) = asking.heard
        assert not isinstance(answer, Failure)
        assert [each.text for each in answer] == ["a", " ", "", "", "🌊"]
        assert b"".join(each.piece for each in answer).decode() == "a 🌊"


def test_questions_asked_meanwhile_are_one(qtbot: QtBot) -> None:
    with loaded(qtbot) as player:
        asking = Asking(player)
        for text in ("a", "ab", "abc"):
            asking.ask(text)
        player.until(lambda: bool(asking.heard))
        asking.ask("dropped")
        player.playground.tasks.drop("apart")
        asking.ask("last")
        player.until(lambda: len(asking.heard) > 1)
        assert [[each.text for each in answer] for answer in asking.heard] == [["abc"], ["last"]]  # type: ignore[union-attr]


def test_a_tokenizer_that_fails_is_a_failure(qtbot: QtBot) -> None:
    with playing(qtbot, factory=lambda _collect: Deaf(QUICK)) as player:
        player.load()
        asking = Asking(player)
        asking.ask("word")
        player.until(lambda: bool(asking.heard))
        assert isinstance(asking.heard[0], Failure)
