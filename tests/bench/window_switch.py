"""How long the window stands still at a time while one goes back and forth between two long sessions."""

from __future__ import annotations

import tempfile
import threading
from dataclasses import replace
from pathlib import Path

from app.__main__ import ENGINES
from app.engine.protocol import Collect, Engine
from app.engine.saved_names import saved_sessions
from app.engine.types import KV, Limits, Tuning
from app.records.types import SessionId
from tests.bench.lengths import length
from tests.bench.window_feel import Heartbeat, Samples
from tests.bench.window_stage import ENDLESSLY, Stage

TOKENS = length(1_250, 80)
SWITCHES = length(20, 2)
STAYING_S = length(0.6, 0.1)
"""Long enough for all that follows the page: what the cache has of the next prompt is looked up, caches are saved."""
SAVING_MS = 100
BUDGET_BYTES = 1_000_000_000
KEEPING = replace(ENDLESSLY, kv=KV(), limits=Limits(TOKENS))


def switch_steps() -> Samples:
    """With what was read kept in memory and on the disk, which the last question shows."""
    heartbeat = Heartbeat(threading.get_native_id())

    def engine(collect: Collect) -> Engine:
        heartbeat.late.watch(threading.get_native_id())
        return ENGINES["mlx"](collect)

    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(engine)
        stage.open()
        stage.playground._idle.setInterval(SAVING_MS)
        stage.playground.tune(Tuning(kept_bytes=BUDGET_BYTES, saved_bytes=BUDGET_BYTES, saved_to=folder))
        sessions = [_written(stage, words) for words in ("Tell me all about rivers.", "Tell me of a fox.")]
        for number in range(SWITCHES + 1):
            heartbeat.start()
            _go_to(stage, sessions[number % 2])
        heartbeat.stop()
        stage.send("And then?", replace(KEEPING, limits=Limits(2)))
        assert stage.until_finished().finish.reused > TOKENS // 2
        assert saved_sessions(Path(folder)) == set(sessions)
        stage.close()
    return heartbeat.late


def _written(stage: Stage, words: str) -> SessionId:
    stage.playground.new_session()
    stage.send(words, KEEPING)
    assert stage.until_finished().finish.tokens == TOKENS
    return stage.playground.state.session


def _go_to(stage: Stage, session: SessionId) -> None:
    stage.playground.open_session(session)
    stage.until(stage.playground.changed, lambda: stage.playground.state.session == session)
    stage.live(STAYING_S)
