"""A text is taken apart by the model's tokenizer; only the newest question is answered."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.engine.echo import EchoEngine
from app.engine.types import Failure, PromptSource, RawPrompt, Spelt
from tests.bridge.playing import QUICK, WAIT_MS, loaded, playing


class Deaf(EchoEngine):
    """Its tokenizer fails in a way that nobody foresaw."""

    def take_apart(self, source: PromptSource) -> tuple[Spelt, ...] | Failure:
        raise RuntimeError("no words")


def test_each_token_tells_its_bytes_and_what_it_completes(qtbot: QtBot) -> None:
    with loaded(qtbot) as player:
        with qtbot.waitSignal(player.playground.apart.told, timeout=WAIT_MS) as told:
            player.playground.apart.ask(RawPrompt("a 🌊"))
        (answer,) = told.args or [()]
        assert [each.text for each in answer] == ["a", " ", "", "", "🌊"]
        assert b"".join(each.piece for each in answer).decode() == "a 🌊"


def test_questions_asked_meanwhile_are_one(qtbot: QtBot) -> None:
    with loaded(qtbot) as player:
        heard: list[object] = []
        player.playground.apart.told.connect(heard.append)
        for text in ("a", "ab", "abc"):
            player.playground.apart.ask(RawPrompt(text))
        player.until(lambda: bool(heard))
        player.playground.apart.ask(RawPrompt("dropped"))
        player.playground.apart.drop()
        player.playground.apart.ask(RawPrompt("last"))
        player.until(lambda: len(heard) > 1)
        assert [[each.text for each in answer] for answer in heard] == [["abc"], ["last"]]  # type: ignore[attr-defined]


def test_a_tokenizer_that_fails_is_a_failure(qtbot: QtBot) -> None:
    with playing(qtbot, factory=lambda _collect: Deaf(QUICK)) as player:
        player.load()
        with qtbot.waitSignal(player.playground.apart.told, timeout=WAIT_MS) as told:
            player.playground.apart.ask(RawPrompt("word"))
        assert isinstance((told.args or [None])[0], Failure)
