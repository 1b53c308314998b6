"""A server's key goes to that server and nowhere else, whatever the server says; and a new one is used at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.engine.protocol import StopFlag
from app.engine.remote import directory
from app.engine.remote.address import reference
from app.engine.remote.engine import RemoteEngine
from app.engine.types import Failure, LoadRequest, Model, Server
from tests.engine.remote.faults import HTML, JSON, Asked, Faults, Line, plain
from tests.engine.remote.playing import HASTY, chat, opened, play

SECRET = "sk-very-secret-123"


def in_the_stream(_: Asked, line: Line) -> None:
    line.head()
    # Cut to what a sentence holds, half of a key would stay.
    line.event({"error": {"message": f"{'so ' * 76}{SECRET} is no key"}})


def malformed(_: Asked, line: Line) -> None:
    line.head()
    line.event(f'{{"key": "{SECRET}"')


def a_page(_: Asked, line: Line) -> None:
    line.head(kind=HTML)
    line.send(f"<p>{SECRET}".encode())


def no_answer(_: Asked, line: Line) -> None:
    line.head(kind=JSON)
    line.send(f'["{SECRET}"]'.encode())


def elsewhere(_: Asked, line: Line) -> None:
    line.head("302 Found", Location=f"https://example.org/?key={SECRET}")


@pytest.mark.parametrize("answer", [in_the_stream, malformed, a_page, no_answer, elsewhere])
def test_a_server_that_quotes_the_key_is_not_quoted(faults: Faults, answer: Callable[[Asked, Line], None]) -> None:
    engine, _ = opened(faults.address, key=SECRET)
    faults.answer = answer
    failures = [play(engine, chat("Hi")).finish.failure, directory.test(Server(faults.address), SECRET)]
    assert faults.asked[-1].headers["authorization"] == f"Bearer {SECRET}"
    for failure in failures:
        assert isinstance(failure, Failure) and SECRET[:8] not in repr(failure)


def test_another_key_is_used_from_the_next_run_on(faults: Faults) -> None:
    keys = ["old"]
    engine = RemoteEngine(lambda _: keys[-1], HASTY)
    opening = LoadRequest(reference(faults.address, "one"))
    assert isinstance(engine.load(opening, lambda _: None, StopFlag()), Model)
    faults.answer = lambda asked, line: line.head("401 Unauthorized")
    failure = play(engine, chat("Hi")).finish.failure
    assert failure is not None and failure.kind == "key"
    faults.answer = plain
    keys.append("new")
    assert play(engine, chat("Hi")).shown() == "Hello you"
    assert faults.asked[-1].headers["authorization"] == "Bearer new"
