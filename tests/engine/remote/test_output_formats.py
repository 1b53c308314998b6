import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.engine.remote.request_options import NO_FORM
from app.engine.structured_output.grammar import check_format
from app.engine.types import FormatKind, Model, OutputFormat, Reason, Request
from tests.engine.remote.faults import Asked, Faults, Line, body, plain
from tests.engine.remote.playing import Played, chat, opened, play, raw
from tests.engine.schemas import FOX

SCHEMA = OutputFormat(FormatKind.SCHEMA, schema=json.dumps(FOX))
GOOD = '{ "legs": 4,\n "animal": "fox" }'
ALL_KINDS = {f"form_{kind.value}" for kind in FormatKind if kind is not FormatKind.NONE}


@pytest.fixture(scope="module", autouse=True)
def first_check_done() -> None:
    check_format(SCHEMA)  # the first check of a session takes 1.2 s of processor time


def obedient(structured: bool, answer: str = GOOD) -> Callable[[Asked, Line], None]:
    def reply(asked: Asked, line: Line) -> None:
        said: dict[str, Any] = asked.body
        text = None
        if "response_format" in said:
            text = '{\n  "zq": 7 }' if "zq" in json.dumps(said["response_format"]) else answer
        elif structured and "structured_outputs" in said:
            text = said["structured_outputs"].get("choice", [answer])[0]
        if text is None:
            plain(asked, line)
            return
        line.head()
        line.text(text)
        line.end(usage={"prompt_tokens": 7, "completion_tokens": 3})

    return reply


def refused(model: Model) -> set[str]:
    return {name for name, why in model.can.refusals if why == NO_FORM}


def busy(asked: Asked, line: Line) -> None:
    answer = body(b"{}", "429 Too Many Requests") if "response_format" in asked.body else plain
    answer(asked, line)


def thinking(asked: Asked, line: Line) -> None:
    """A server that keeps to JSON, with a model that thinks for 40 tokens first."""
    most = asked.body.get("max_tokens")
    if not isinstance(most, int) or "response_format" not in asked.body:
        plain(asked, line)
        return
    pieces = [("reasoning_content", "hm ")] * 40 + [("content", '{"zq":7}')]
    line.head()
    for name, piece in pieces[:most]:
        line.event({"choices": [{"index": 0, "delta": {name: piece}, "finish_reason": None}]})
    line.end()


def held(request: Request, form: OutputFormat = SCHEMA) -> Request:
    return replace(request, form=form)


def test_probe_server_ignoring_forms_has_none(faults: Faults) -> None:
    engine, model = opened(faults.address)
    assert not model.can.form and refused(model) == {"form"} | ALL_KINDS
    failure = play(engine, held(chat("Hi"))).finish.failure
    assert failure is not None and failure.what == NO_FORM


@pytest.mark.slow
@pytest.mark.parametrize(("structured", "lacking"), [(False, {"choices", "regex", "grammar"}), (True, {"grammar"})])
def test_probe_finds_supported_forms(faults: Faults, structured: bool, lacking: set[str]) -> None:
    faults.answer = obedient(structured)
    engine, model = opened(faults.address)
    assert model.can.form and refused(model) == {f"form_{kind}" for kind in lacking}
    assert model.can.supports_format(SCHEMA) and not model.can.supports_format(
        OutputFormat(FormatKind.GRAMMAR, grammar="start: A")
    )
    assert (play(engine, held(raw("Hi"), SCHEMA)).finish.failure is None) == structured


def test_probe_reasoning_model_gets_more_tokens(faults: Faults) -> None:
    faults.answer = thinking
    _, model = opened(faults.address)
    assert model.can.form and refused(model) == {"form_choices", "form_regex", "form_grammar"}


def test_probe_busy_server_keeps_forms(faults: Faults) -> None:
    faults.answer = busy
    assert opened(faults.address)[1].can.supports_format(SCHEMA)


def test_answer_long_form_is_not_checked(faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.remote.answer.CHECKED_LIMIT", 100)
    faults.answer = obedient(structured=False, answer="f" * 100)
    engine, _ = opened(faults.address)
    assert not disobeyed(play(engine, held(chat("Hi"))))


@pytest.mark.slow
def test_request_has_the_form(faults: Faults) -> None:
    faults.answer = obedient(structured=True)
    engine, _ = opened(faults.address)
    sent = []
    choices, regex = OutputFormat(FormatKind.CHOICES, choices="yes\n\nno"), OutputFormat(FormatKind.REGEX, regex="a+")
    for form in (SCHEMA, OutputFormat(FormatKind.JSON), choices, regex):
        play(engine, held(chat("Hi"), form))
        sent.append({name: faults.asked[-1].body.get(name) for name in ("response_format", "structured_outputs")})
    schema = {"name": "answer", "schema": FOX, "strict": True}
    assert sent == [
        {"response_format": {"type": "json_schema", "json_schema": schema}, "structured_outputs": None},
        {"response_format": {"type": "json_object"}, "structured_outputs": None},
        {"response_format": None, "structured_outputs": {"choice": ["yes", "no"]}},
        {"response_format": None, "structured_outputs": {"regex": "a+"}},
    ]
    play(engine, chat("Hi"))
    assert not {"response_format", "structured_outputs"} & faults.asked[-1].body.keys()


def disobeyed(played: Played) -> bool:
    assert played.finish.failure is None and played.finish.wire is not None
    assert played.finish.reason is Reason.STOP
    return played.finish.wire.disobeyed


def test_answer_breaking_its_form_is_reported(faults: Faults) -> None:
    faults.answer = obedient(structured=False)
    engine, _ = opened(faults.address)
    assert not disobeyed(play(engine, held(chat("Hi")))), "keys may stand in any order"
    faults.answer = obedient(structured=False, answer='{"animal": "fox"}')
    assert disobeyed(play(engine, held(chat("Hi"))))
    assert not disobeyed(play(engine, chat("Hi"))), "nothing was asked of it"


def test_request_invalid_form_is_not_sent(faults: Faults) -> None:
    faults.answer = obedient(structured=False)
    engine, _ = opened(faults.address)
    before = len(faults.asked)
    finish = play(engine, held(chat("Hi"), OutputFormat(FormatKind.SCHEMA, schema='{"not": 1}'))).finish
    assert finish.failure is not None and "can't be enforced" in finish.failure.what
    assert len(faults.asked) == before
