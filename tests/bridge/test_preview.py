from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.bridge.preview import PromptPreview
from app.bridge.session_store import Opener
from app.controls import Controls, Mode
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.protocol import Emit, StopFlag
from app.engine.types import KV, CacheMissReason, ExactPrompt, Failure, Finish, Limits, PromptSource, Request, Reusable
from app.records.journal import open_journal
from app.state import Phase
from tests.bridge.playing import ENDLESS_TEXT, QUICK, Player


class Counting(EchoEngine):
    """Counts its previews."""

    def __init__(self, knobs: EchoOptions) -> None:
        super().__init__(knobs)
        self.asked: list[PromptSource] = []
        self.fails = False

    def render(self, source: PromptSource) -> ExactPrompt | Failure:
        self.asked.append(source)
        if self.fails:
            raise ValueError("broken tokenizer")
        return super().render(source)


class Foreseeing(Player):
    """A player that records previews."""

    def __init__(self, qtbot: QtBot, knobs: EchoOptions, opener: Opener | None = None) -> None:
        self.engine = Counting(knobs)
        super().__init__(qtbot, lambda _collect: self.engine, opener)
        self.heard: list[PromptPreview | None] = []
        self.playground.preview.previewed.connect(self._on_foreseen)

    def foresee(self, text: str, index: int | None = None) -> PromptPreview | None:
        count = len(self.heard)
        self.playground.preview.ask(lambda: text, index)
        self.until(lambda: len(self.heard) > count)
        return self.heard[-1]

    def prompt(self, text: str, index: int | None = None) -> ExactPrompt:
        foreseen = self.foresee(text, index)
        assert foreseen is not None
        assert isinstance(foreseen.prompt, ExactPrompt)
        return foreseen.prompt

    def _on_foreseen(self, foreseen: PromptPreview | None) -> None:
        self.heard.append(foreseen)


@contextmanager
def foreseeing(qtbot: QtBot, knobs: EchoOptions = QUICK, opener: Opener | None = None) -> Iterator[Foreseeing]:
    player = Foreseeing(qtbot, knobs, opener)
    try:
        player.load()
        yield player
    finally:
        player.playground.close()


def test_preview_equals_the_prompt_that_is_sent(qtbot: QtBot) -> None:
    with foreseeing(qtbot) as player:
        player.playground.set_controls(Controls(system="Be brief.", reply_start="Well,", limits=Limits(5)))
        for text in ("Hello", "And then?"):
            foreseen = player.foresee(text)
            run = player.send(text)
            assert foreseen is not None
            assert (foreseen.prompt, foreseen.reusable.count) == (run.prompt, run.finish.reused)
        assert run.finish.reused > 0
        player.playground.set_controls(replace(player.state.controls, kv=KV(reuse=False)))
        foreseen = player.foresee("More")
        assert foreseen is not None and foreseen.reusable == Reusable(hindrance=CacheMissReason.OFF)


def test_preview_covers_raw_pages_and_edited_turns(qtbot: QtBot) -> None:
    with foreseeing(qtbot) as player:
        player.send("Hello")
        assert "Hello" not in player.prompt("Goodbye", index=0).text
        player.playground.set_controls(Controls(mode=Mode.RAW))
        assert player.prompt("Once upon").text == "Once upon"


def test_preview_without_a_prompt_is_none(qtbot: QtBot) -> None:
    with foreseeing(qtbot) as player:
        assert player.foresee("") is None
        assert player.engine.asked == []


def test_preview_renders_only_the_last_of_many_edits(qtbot: QtBot) -> None:
    with foreseeing(qtbot) as player:
        for size in range(1, 20):
            player.playground.preview.ask(lambda size=size: "x" * size)  # type: ignore[misc]
        assert "x" * 19 in player.prompt("x" * 19).text
        assert len(player.engine.asked) == 1


def test_preview_drops_an_outdated_result(qtbot: QtBot) -> None:
    with foreseeing(qtbot) as player:
        preview = player.playground.preview
        preview.ask(lambda: "old")
        qtbot.waitUntil(lambda: bool(player.engine.asked))
        # The engine has been asked, and its answer is on the way or here.
        before = len(player.heard)
        new = player.prompt("new")
        assert "new" in new.text
        assert all("old" not in _text(each) for each in player.heard[before:])


def test_preview_waits_for_the_end_of_a_run(qtbot: QtBot) -> None:
    with foreseeing(qtbot, ENDLESS_TEXT) as player:
        player.playground.set_controls(Controls(limits=Limits(100_000)))
        player.playground.send("Go")
        player.until(lambda: bool(player.text))
        player.playground.preview.ask(lambda: "later")
        asked = len(player.engine.asked)
        frames = len(player.frames)
        player.until(lambda: len(player.frames) > frames + 6)
        assert len(player.engine.asked) == asked
        player.playground.stop()
        player.last()
        player.until(lambda: bool(player.heard))
        assert "later" in _text(player.heard[-1])


def test_preview_of_a_failing_tokenizer_is_a_failure(qtbot: QtBot) -> None:
    with foreseeing(qtbot) as player:
        player.engine.fails = True
        foreseen = player.foresee("Hello")
        assert foreseen is not None
        assert isinstance(foreseen.prompt, Failure)
        player.engine.fails = False
        assert "Hello" in player.prompt("Hello").text


def _text(foreseen: PromptPreview | None) -> str:
    return foreseen.prompt.text if foreseen is not None and isinstance(foreseen.prompt, ExactPrompt) else ""


@pytest.mark.parametrize("in_memory", [False, True])
def test_run_has_its_session_and_a_replay_none(qtbot: QtBot, tmp_path: Path, in_memory: bool) -> None:
    """Caches belong to conversations, and not to replays."""
    opener = None if in_memory else partial(open_journal, tmp_path)
    with foreseeing(qtbot, opener=opener) as player:
        player.until(lambda: player.playground.book.is_in_memory is in_memory)
        asked: list[Request] = []
        answer, tell = player.engine.generate, player.engine.reusable

        def generate(request: Request, emit: Emit, stop: StopFlag) -> Finish:
            asked.append(request)
            return answer(request, emit, stop)

        def reusable(ids: tuple[int, ...], request: Request) -> Reusable:
            asked.append(request)
            return tell(ids, request)

        player.engine.generate, player.engine.reusable = generate, reusable  # type: ignore[method-assign]
        player.foresee("Hello")
        run = player.send("Hello")
        session = player.state.session
        assert session and run.request.session is None, "it is no part of what is kept of the run"
        player.foresee("And?")
        assert player.playground.replay(replace(run.request, session=session))
        player.until(lambda: player.state.phase is Phase.READY)
        twice = (0 if in_memory else session,) * 2  # this engine looks for itself what it finds
        assert [each.session for each in asked] == [0, *twice, session, None, None]
