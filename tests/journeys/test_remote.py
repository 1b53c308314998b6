import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from app.engine.remote.address import reference
from app.engine.types import LoadRequest
from app.platform import log_file
from app.records.export import as_markdown, as_plain_text
from app.records.problem_report import report
from app.records.run_environment import versions
from app.records.session_file import run_text, session_text
from tests.engine.remote.faults import Asked, Faults, Line, plain, serving
from tests.journeys.journey import Journey

pytestmark = pytest.mark.slow

SECRET = "sk-very-secret-123"


@pytest.fixture
def faults() -> Iterator[Faults]:
    with serving() as faults:
        yield faults


def open_there(user: Journey, address: str, model: str) -> None:
    assert user.window.playground.load(LoadRequest(reference(address, model)))
    user.until_ready()
    assert user.state.failure is None and user.state.model is not None and user.state.model.server


def quoting(asked: Asked, line: Line) -> None:
    """Write the key that it got in its text, in names of tokens and in its reason."""
    if asked.path.endswith("/models"):
        plain(asked, line)
        return
    key = asked.headers["authorization"].removeprefix("Bearer ")
    line.head()
    for piece in (f"It is {key}, ", "and more"):
        top = [{"token": key, "logprob": -0.1}, {"token": f"a{key}b", "logprob": -2}]
        line.text(piece, logprobs={"content": [{"token": piece, "logprob": -0.1, "top_logprobs": top}]})
    line.end(f"stop: {key}")


def refusing(asked: Asked, line: Line) -> None:
    line.head("418 I'm a teapot", "application/json")
    line.send(f'{{"error": "no {asked.headers["authorization"]}"}}'.encode())


def all_texts(window: QWidget) -> str:
    """Whatever any widget has to say, to the eye, the pointer or a screen reader."""
    asks = ("text", "toPlainText", "toolTip", "accessibleName", "accessibleDescription", "windowTitle", "statusTip")
    found = [getattr(widget, ask)() for widget in window.findChildren(QWidget) for ask in asks if hasattr(widget, ask)]
    return "\n".join(map(str, found))


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[logging.Handler]:
    """The log file of the program, closed after the test."""
    handler = logging.FileHandler(tmp_path / log_file.FILE, encoding="utf-8")
    monkeypatch.setattr(logging.getLogger("sluice"), "handlers", [handler])
    yield handler
    handler.close()


def test_key_quoted_by_a_server_is_redacted_everywhere(
    demo: Journey, faults: Faults, tmp_path: Path, log: logging.Handler
) -> None:
    playground = demo.window.playground
    demo.window._features.servers.keys.give(faults.address, SECRET)
    faults.answer = quoting
    open_there(demo, faults.address, "one")
    playground.set_controls(replace(playground.state.controls, observe=2))
    playground.set_recording(True)
    run = demo.send("What is my key?")
    assert run.text.startswith("It is …, ") and "stop: …" in demo.reason and run.finish.failure is None
    faults.answer = refusing
    failed = demo.send("And now?")
    assert failed.finish.failure is not None and "no Bearer …" in failed.finish.failure.what
    whole = demo.journal.sessions.whole(playground.state.session)
    assert whole is not None
    runs = [run for turn in whole.turns for run in turn.runs]
    told = [session_text(whole), as_markdown(whole), as_plain_text(whole), *map(run_text, runs), *map(repr, runs)]
    told += [all_texts(demo.window), demo.page, demo.reason, repr(failed), report(versions(), failed.finish.failure)]
    assert SECRET not in "\n".join(told)
    demo.window.close()
    log.close()
    files = {file.name: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert {"journal.sqlite", "settings.json", log_file.FILE} <= files.keys()
    assert [name for name, content in files.items() if SECRET.encode() in content] == []
