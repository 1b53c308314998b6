"""A playground on the scripted engine, with helpers for tests."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.bridge.journal_reader import session_of
from app.bridge.playground import Playground
from app.bridge.session_store import Opener
from app.bridge.worker import EngineFactory
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.meter.meter import Frame
from app.engine.types import LoadRequest
from app.records.journal import Journal, open_journal
from app.records.types import Session, SessionId
from app.state import ConversationSnapshot, Phase, Run, State
from tests.late import held_back

QUICK = EchoOptions(tokens_per_second=0, prefill_per_second=0, load_seconds=0)
ENDLESS_TEXT = EchoOptions(tokens_per_second=200, prefill_per_second=0, load_seconds=0, replies=("word " * 20_000,))
"""Longer than a busy computer needs to look at it, if nothing limits it."""


class Player:
    """Drives a playground and records its signals."""

    def __init__(self, qtbot: QtBot, factory: EngineFactory, opener: Opener | None = None) -> None:
        self.qtbot = qtbot
        self.playground = Playground(factory, opener=opener)
        self.frames: list[Frame] = []
        self.runs: list[Run] = []
        self.phases: list[Phase] = []
        self.said: list[str] = []
        self.playground.advanced.connect(self._on_advanced)
        self.playground.finished.connect(self._on_finished)
        self.playground.changed.connect(self._on_changed)

    @property
    def state(self) -> State:
        return self.playground.state

    @property
    def text(self) -> str:
        """All text of the frames."""
        return "".join(shown.text for frame in self.frames for shown in frame.shown)

    def until(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition)

    def until_phase(self, phase: Phase) -> None:
        self.until(lambda: self.state.phase is phase)

    def load(self) -> None:
        self.playground.open()
        assert self.playground.load(LoadRequest("demo"))
        self.until_phase(Phase.READY)

    def send(self, text: str = "Hello") -> Run:
        assert self.playground.send(text)
        return self.last()

    def last(self) -> Run:
        """Wait for the end of the active run and return it."""
        count = len(self.runs)
        self.until(lambda: len(self.runs) > count)
        return self.runs[-1]

    def _on_advanced(self, frame: Frame) -> None:
        self.frames.append(frame)
        self.said.append("advanced")

    def _on_finished(self, run: Run) -> None:
        self.runs.append(run)
        self.said.append("finished")

    def _on_changed(self, old: State, new: State) -> None:
        if old.phase is not new.phase:
            self.phases.append(new.phase)


@contextmanager
def playing(
    qtbot: QtBot, knobs: EchoOptions = QUICK, factory: EngineFactory | None = None, opener: Opener | None = None
) -> Iterator[Player]:
    """A player whose playground is closed at the end."""
    player = Player(qtbot, factory or (lambda _collect: EchoEngine(knobs)), opener)
    try:
        yield player
    finally:
        player.playground.close()


@contextmanager
def keeping(qtbot: QtBot, folder: Path, knobs: EchoOptions = QUICK) -> Iterator[Player]:
    """A player with an open journal in the folder."""
    with playing(qtbot, knobs, opener=partial(open_journal, folder)) as player:
        ready: list[bool] = []
        player.playground.book.ready.connect(lambda: ready.append(True))
        player.load()
        player.until(lambda: bool(ready))
        yield player


@contextmanager
def loaded(
    qtbot: QtBot, knobs: EchoOptions = QUICK, factory: EngineFactory | None = None, opener: Opener | None = None
) -> Iterator[Player]:
    with playing(qtbot, knobs, factory, opener) as player:
        player.load()
        yield player


@contextmanager
def reading(folder: Path) -> Iterator[Journal]:
    journal = open_journal(folder)
    try:
        yield journal
    finally:
        journal.close()


def read_late(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """From now on sessions are read at once and delivered when this is set."""
    may_come, wait = held_back(lambda: None)

    def late(journal: Journal, session: SessionId) -> tuple[Session | None, ConversationSnapshot]:
        found = session_of(journal, session)
        wait()
        return found

    monkeypatch.setattr("app.bridge.journal_reader.session_of", late)
    return may_come
