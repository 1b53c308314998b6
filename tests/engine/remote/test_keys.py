import json

import pytest

from app.engine.protocol import StopFlag
from app.engine.remote import server_probe
from app.engine.remote.address import reference
from app.engine.remote.engine import RemoteEngine
from app.engine.remote.foreign_json import redact
from app.engine.types import Failure, LoadRequest, Model, Server
from tests.engine.remote.faults import HTML, SECRET, Answer, Asked, Faults, Line, body, plain
from tests.engine.remote.playing import PATIENT, after, chat, play


def stream_of(value: object) -> Answer:
    def answer(_: Asked, line: Line) -> None:
        line.head()
        line.event(value)

    return answer


@pytest.mark.parametrize(
    "answer",
    [
        stream_of({"error": {"message": f"{'so ' * 76}{SECRET} is no key"}}),  # a cut would leave half of the key
        stream_of(f'{{"key": "{SECRET}"'),
        body(f"<p>{SECRET}".encode(), kind=HTML),
        body(f'["{SECRET}"]'.encode()),
        body(b"", "302 Found", Location=f"https://example.org/?key={SECRET}"),
    ],
)
def test_failure_of_a_server_quoting_the_key_omits_it(faults: Faults, answer: Answer) -> None:
    failures = [after(faults, answer, key=SECRET).finish.failure, server_probe.test(Server(faults.address), SECRET)]
    assert faults.asked[-1].headers["authorization"] == f"Bearer {SECRET}"
    for failure in failures:
        assert isinstance(failure, Failure) and SECRET[:8] not in repr(failure)


def in_whole_pieces(_: Asked, line: Line) -> None:
    line.head()
    line.text(f"your key is {SECRET}.", logprobs=candidates(SECRET))
    line.event({"choices": [{"delta": {"reasoning": SECRET}}]})
    line.event({"choices": [{"delta": {"tool_calls": [{"function": {"name": SECRET[:5], "arguments": SECRET[5:]}}]}}]})
    line.end(f"stop because of {SECRET}")


def candidates(text: str) -> dict[str, object]:
    top = [{"token": text, "logprob": -0.1}, {"token": "x", "bytes": list(text.encode()), "logprob": -2}]
    return {"content": [{"token": text, "logprob": -0.1, "top_logprobs": top}]}


MESSAGE = {"content": f"your key is {SECRET}.", "reasoning": SECRET}
AT_ONCE = json.dumps({"choices": [{"message": MESSAGE, "finish_reason": SECRET}]}).encode()


@pytest.mark.parametrize("answer", [in_whole_pieces, body(AT_ONCE)])
def test_answer_with_the_key_shows_a_mask(faults: Faults, answer: Answer) -> None:
    played = after(faults, answer, chat("Hi", tokens=200, observe=2), key=SECRET)
    assert "your key is …" in played.written
    top = [each.text for token in played.tokens if token.observed for each in token.observed.top]
    assert SECRET not in repr(played.events) + repr(played.finish) + played.written + repr(top)


@pytest.mark.parametrize("key", ["", "a", "ollama"])
def test_redact_short_key_leaves_the_text(key: str) -> None:
    assert redact(f"a banana of ollama's, {key}", key) == f"a banana of ollama's, {key}"


def test_list_models_omits_a_name_with_the_key(faults: Faults) -> None:
    faults.answer = body(json.dumps({"data": [{"id": f"for {SECRET}"}, {"id": "one"}]}).encode())
    models = server_probe.list_models(Server(faults.address), SECRET)
    assert isinstance(models, tuple) and [each.id for each in models] == ["one"]


def test_generate_after_a_key_change_sends_the_new_key(faults: Faults) -> None:
    keys = ["old"]
    engine = RemoteEngine(lambda _: keys[-1], PATIENT)
    opening = LoadRequest(reference(faults.address, "one"))
    assert isinstance(engine.load(opening, lambda _: None, StopFlag()), Model)
    faults.answer = lambda asked, line: line.head("401 Unauthorized")
    failure = play(engine, chat("Hi")).finish.failure
    assert failure is not None and failure.kind == "key"
    faults.answer = plain
    keys.append("new")
    assert play(engine, chat("Hi")).shown() == "Hello you"
    assert faults.asked[-1].headers["authorization"] == "Bearer new"
