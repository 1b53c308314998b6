"""A program that saves its caches over and over until it is killed: `python -m tests.faults.saving MODEL FOLDER`."""

import sys
from pathlib import Path
from random import Random

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import KV, Event, Limits, LoadRequest, Model, Request, Sampling, Token, TokenPrompt, Tuning

SESSIONS = (1, 2, 3)
BUDGET = 10**8
READY = "ready\n"

Ids = tuple[int, ...]


def opened(model: Path, folder: Path | None) -> MlxEngine:
    """As after a start, saving in this folder."""
    engine = MlxEngine()
    if folder is not None:
        engine.tune(Tuning(saved_bytes=BUDGET, saved_to=str(folder)))
    found = engine.load(LoadRequest(str(model)), lambda event: None, StopFlag())
    assert isinstance(found, Model), found
    return engine


def told(session: int, more: int = 0) -> Ids:
    """A session's text, and a question that was not asked before."""
    chance = Random(f"session {session}")
    return (*(chance.randrange(5, 300) for _ in range(200 + 40 * session)), *([7 + more] if more else []))


def answer(engine: MlxEngine, ids: Ids, session: int) -> Ids:
    events: list[Event] = []
    request = Request(TokenPrompt(ids), Sampling(temperature=0), Limits(6), KV(), session=session)
    finish = engine.generate(request, events.append, StopFlag())
    assert finish.failure is None, finish.failure
    return tuple(event.id for event in events if isinstance(event, Token))


def answers(engine: MlxEngine) -> dict[int, Ids]:
    """To the question of each session; nothing of the engine stays."""
    found = {session: answer(engine, told(session, 1), session) for session in SESSIONS}
    engine.unload()
    return found


def write(model: Path, folder: Path) -> MlxEngine:
    """What a program does that saves its sessions."""
    engine = opened(model, folder)
    for session in SESSIONS:
        answer(engine, told(session), session)
    engine.save()
    return engine


def main(model: Path, folder: Path) -> None:
    """The program that is killed: it saves, and begins again."""
    sys.stdout.write(READY)
    sys.stdout.flush()
    while True:
        engine = write(model, folder)
        engine.forget(0)
        engine.unload()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
