"""How long a step of the window's thread is while one goes back and forth between two long sessions.

By that thread's own clock, from one beat of its loop to the next: who else has the machine is no part of it.
"""

import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Slot

from app.engine.saved_names import saved_sessions
from app.engine.types import KV, Limits, Tuning
from app.records.types import SessionId
from tests.bench.lengths import length
from tests.bench.window_feel import Heartbeat
from tests.bench.window_stage import ENDLESSLY, Stage

TOKENS = length(1_250, 80)
SWITCHES = length(20, 2)
STAYING_S = length(0.6, 0.1)
"""Long enough for all that follows the page: what the cache has of the next prompt is looked up, caches are saved."""
SAVING_MS = 100
BUDGET_BYTES = 1_000_000_000
KEEPING = replace(ENDLESSLY, kv=KV(), limits=Limits(TOKENS))


class Steps(Heartbeat):
    """And what the window's thread has used from one beat to the next, in ms."""

    def __init__(self) -> None:
        super().__init__(threading.get_native_id())
        self.used: list[float] = []
        self._used = time.thread_time()

    @Slot()
    def _beat(self) -> None:
        super()._beat()
        before, self._used = self._used, time.thread_time()
        self.used.append(1000 * (self._used - before))


def switch_steps() -> Steps:
    """With what was read kept in memory and on the disk, which the last question shows."""
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage()
        stage.open()
        stage.playground._idle.setInterval(SAVING_MS)
        stage.playground.tune(Tuning(kept_bytes=BUDGET_BYTES, saved_bytes=BUDGET_BYTES, saved_to=folder))
        sessions = [_written(stage, words) for words in ("Tell me all about rivers.", "Tell me of a fox.")]
        _go_to(stage, sessions[0])
        steps = Steps()
        steps.start()
        for number in range(1, SWITCHES + 1):
            _go_to(stage, sessions[number % 2])
        steps.stop()
        stage.send("And then?", replace(KEEPING, limits=Limits(2)))
        assert stage.until_finished().finish.reused > TOKENS // 2
        assert saved_sessions(Path(folder)) == set(sessions)
        stage.close()
    return steps


def _written(stage: Stage, words: str) -> SessionId:
    stage.playground.new_session()
    stage.send(words, KEEPING)
    assert stage.until_finished().finish.tokens == TOKENS
    return stage.playground.state.session


def _go_to(stage: Stage, session: SessionId) -> None:
    stage.playground.open_session(session)
    stage.until(stage.playground.changed, lambda: stage.playground.state.session == session)
    stage.live(STAYING_S)
