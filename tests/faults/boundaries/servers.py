"""Servers of others: whoever answers there may pour, trickle, lie, and write down the key that it was given."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from app.engine.echo.engine import EchoEngine
from app.engine.local_or_remote import EitherEngine
from app.engine.protocol import Engine
from app.engine.remote.address import reference, server_model
from app.engine.remote.answer import Patience
from app.engine.remote.engine import RemoteEngine
from app.engine.types import Limits, LoadRequest
from tests.faults.attackers import attacker
from tests.faults.boundary import Attack, Blow, Boundary
from tests.faults.flooding import LISTS, SECRET
from tests.faults.windows import QUICK, Scene

HASTY = Patience(silence=2.0, last_words=0.5, opening=10.0)
LIMIT = 40
GROWN_MB = 128.0
"""With the library that speaks HTTP, which is loaded by the first question, and what waits to be read."""
LIMITS = {
    "words": "characters, pace",
    "letters": "characters, pace",
    "lines": "characters, pace",
    "pages": "a piece, pace",
    "empty data": "lines without a word",
    "signs of life": "lines without a word",
    "progress": "bytes without a word",
    "numbers of events": "lines without a word",
    "events without a word": "bytes without a word",
    "a line without an end": "a line",
    "a list of models": "bytes, models",
    "brackets": "brackets",
    "empty objects": "brackets",
    "a bomb": "nothing packed",
    "a key": "stands nowhere",
}


def either() -> Engine:
    there = RemoteEngine(lambda _: SECRET, HASTY)
    return EitherEngine(EchoEngine(QUICK), lambda: there, lambda name: server_model(name) is not None)


def asked(name: str) -> Attack:
    """A question in a session of its own, to the end of the answer; then the model of this machine again."""

    @contextmanager
    def attack(made: Scene) -> Iterator[Blow]:
        here, controls = made.state.model, made.state.controls
        assert here is not None
        with attacker("tests.faults.flooding", name) as address:
            made.playground.set_controls(replace(controls, limits=Limits(LIMIT)))

            def blow() -> None:
                if name in LISTS or not (made.state.model and made.state.model.server):
                    made.playground.load(LoadRequest(reference(address, "one")))
                    made.until(lambda: bool(made.state.model and made.state.model.server))
                    made.until_ready()
                made.playground.new_session()
                made.say("Hi")
                assert SECRET not in made.window._parts.transcript.plain_text()

            yield blow
            made.playground.load(LoadRequest(str(here.folder)))
            made.until(lambda: bool(made.state.model and not made.state.model.server))
            made.until_ready()
        made.playground.set_controls(controls)
        made.journal.flush()
        folder = made.journal.folder
        assert folder is not None
        for file in folder.rglob("*"):
            assert not file.is_file() or SECRET.encode() not in file.read_bytes(), file.name

    return attack


BOUNDARIES = tuple(
    Boundary(
        "an answer of a server" if name not in LISTS else "a server's list",
        "a server",
        limit,
        name,
        asked(name),
        grown_mb=GROWN_MB,
        engine=either,
    )
    for name, limit in LIMITS.items()
)
