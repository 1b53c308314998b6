from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.bridge import playground_base
from app.engine.echo.engine import LIMIT_BYTES, EchoEngine
from app.engine.protocol import FORGET_MEMORY, Emit, StopFlag
from app.engine.types import Finish, Memory, Request, Tuning
from app.records.journal import Journal, open_journal
from app.state import Phase
from tests.bridge.playing import QUICK, Player, loaded, playing


class Saving(EchoEngine):
    """Records its calls of `save` and `forget`."""

    def __init__(self) -> None:
        super().__init__(QUICK)
        self.saved = 0
        self.forgotten: list[int] = []
        self.sessions: list[int | None] = []

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        self.sessions.append(request.session)
        return super().generate(request, emit, stop)

    def save(self) -> None:
        self.saved += 1

    def forget(self, session: int) -> None:
        self.forgotten.append(session)


@pytest.fixture
def engine() -> Saving:
    return Saving()


def test_caches_are_saved_after_idle_time(
    qtbot: QtBot, engine: Saving, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(playground_base, "IDLE_MS", 1)
    with playing(qtbot, factory=lambda _collect: engine) as player:
        player.playground.tune(Tuning(saved_bytes=1, saved_to=str(tmp_path)))
        told: list[Memory] = []
        player.playground.measured.connect(told.append)
        player.load()
        player.until(lambda: engine.saved == 1)
        player.send()
        player.until(lambda: engine.saved == 2 and len(told) > 1)
        assert not player.playground._idle.isActive()


def test_idle_timer_without_saving_does_not_run(qtbot: QtBot, engine: Saving) -> None:
    with loaded(qtbot, factory=lambda _collect: engine) as player:
        player.send()
        assert not player.playground._idle.isActive()
    assert engine.saved == 0


def test_saved_caches_of_deleted_sessions_are_deleted_at_start(qtbot: QtBot, engine: Saving, tmp_path: Path) -> None:
    """Also of sessions that were deleted by another program start."""
    journal = open_journal(tmp_path)
    kept = journal.sessions.new()
    assert journal.flush()
    for session in (kept, kept + 5):
        (tmp_path / f"{session}-0123abcd.safetensors").touch()
    (tmp_path / "9.safetensors").touch()
    with playing(qtbot, factory=lambda _collect: engine, opener=lambda: journal) as player:
        player.playground.tune(Tuning(saved_bytes=1, saved_to=str(tmp_path)))
        player.load()
        player.until(lambda: engine.forgotten == [kept + 5])
        player.playground.forget(kept)
        player.until(lambda: engine.forgotten == [kept + 5, kept])
        done: list[object] = []
        player.until(lambda: player.state.phase is Phase.READY)
        then: Callable[[object], None] = done.append
        assert player.playground.erase(then)
        player.until(lambda: bool(done) and engine.forgotten[-1] == 0)


def test_saved_caches_stay_with_a_journal_in_memory(qtbot: QtBot, engine: Saving, tmp_path: Path) -> None:
    """The ids of its sessions start at 1 again and differ from those in the file."""
    opened: list[Journal] = []

    def unreadable() -> Journal:
        opened.append(open_journal(None))
        return opened[-1]

    with loaded(qtbot, factory=lambda _collect: engine, opener=unreadable) as player:
        player.until(lambda: bool(opened) and not player.playground.book.is_opening)
        player.send()
        assert player.state.session == 1
        player.playground.forget(1)
        player.until(lambda: engine.forgotten == [FORGET_MEMORY])
        assert player.playground.erase(lambda _outcome: None)
        player.until(lambda: engine.forgotten == [FORGET_MEMORY] * 2)
        assert engine.sessions == [0]


LIMIT = 99_000_000


def test_tune_before_a_load_reports_the_limit(qtbot: QtBot) -> None:
    """Ordered before the thread has started: applied when the engine is made."""
    told: list[Memory] = []
    with playing(qtbot) as player:
        player.playground.measured.connect(told.append)
        player.playground.tune(Tuning(memory_limit=LIMIT))
        player.playground.open()
        player.until(lambda: bool(told))
        assert told[-1].limit == LIMIT


def test_tune_with_an_idle_model_reports_the_limit(qtbot: QtBot) -> None:
    told: list[Memory] = []
    with loaded(qtbot) as player:
        player.playground.measured.connect(told.append)
        player.playground.tune(Tuning(memory_limit=LIMIT))
        player.until(lambda: bool(told) and told[-1].limit == LIMIT)
        player.playground.tune(Tuning())
        player.until(lambda: told[-1].limit == LIMIT_BYTES)


def test_tune_sets_the_prefill_step_size(player: Player) -> None:
    sizes: list[int] = []
    worker = player.playground._runner.worker
    worker.prefilled.connect(lambda prefill: sizes.append(prefill.done), Qt.ConnectionType.DirectConnection)
    player.playground.tune(Tuning(prefill_chunk=10))
    player.send("word " * 60)
    assert sizes[1] - sizes[0] == 10
