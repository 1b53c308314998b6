import json
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from app.engine.protocol import StopFlag
from app.engine.remote import exchange
from app.engine.remote.address import reference
from app.engine.remote.answer import Timeouts
from app.engine.remote.engine import RemoteEngine
from app.engine.remote.exchange import Exchange, ResponseData, ResponseStart
from app.engine.remote.request_options import BEYOND
from app.engine.types import ENDLESS, Cancellation, Event, Failure, LoadRequest, Reason, Token
from tests.engine.remote.faults import HTML, JSON, STREAM, Asked, Faults, Line, body, plain, pouring, serving
from tests.engine.remote.playing import HASTY, PATIENT, Played, after, answered, chat, opened, play, raw, signed

SECRET = "sk-very-secret-123"


def endless(line: Line) -> None:
    while True:
        line.text("Hello")


BROKEN: dict[str, tuple[Callable[[Line], None], str]] = {
    "the connection is cut": (lambda line: line.text(" y"), "cut"),
    "the connection is cut within an event": (lambda line: line.send(b'data: {"choices": [{"delta": {"con'), "cut"),
    "an event is no JSON": (lambda line: line.event('{"choices": ['), "malformed"),
    "the server reports an error": (lambda line: line.event({"error": {"message": "CUDA out of memory"}}), "server"),
    "the server reports an error in a line of its own, like old llama.cpp": (
        lambda line: line.send(b'error: {"code": 500, "message": "context shift is disabled"}\n\n'),
        "server",
    ),
    "the server falls silent": (Line.silence, "silent"),
    "the server never ends": (endless, "endless"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_answer_interrupted_keeps_its_text(faults: Faults, name: str) -> None:
    say, kind = BROKEN[name]
    engine, _ = opened(faults.address, patience=HASTY if kind == "silent" else PATIENT)

    def answer(_: Asked, line: Line) -> None:
        line.head()
        line.text("Hello")
        say(line)

    faults.answer = answer
    played = play(engine, chat("Hi"))
    assert played.finish.reason is Reason.ERROR
    failure = played.finish.failure
    assert failure is not None and failure.kind == kind
    assert played.shown().startswith("Hello")
    assert "\n" not in failure.what and "Error" not in failure.what
    assert failure.what.endswith(".") or failure.kind == "server"
    assert played.finish.wire is not None and not played.finish.wire.ended
    faults.answer = plain
    assert play(engine, chat("Hi")).shown() == "Hello you"


@pytest.mark.parametrize(
    ("status", "kind", "content", "expected"),
    [
        ("401 Unauthorized", JSON, b'{"error": {"message": "Incorrect API key: sk-very-secret-123"}}', "key"),
        ("404 Not Found", JSON, b'{"error": "Repository Not Found"}', "absent"),
        ("413 Payload Too Large", JSON, b"{}", "context"),
        ("429 Too Many Requests", JSON, b"{}", "busy"),
        ("500 Internal Server Error", JSON, b"Traceback (most recent call last):", "server"),
        ("302 Found", HTML, b"", "redirect"),
        ("200 OK", HTML, b"<!doctype html><p>Please sign in", "protocol"),
        ("200 OK", JSON, b"nothing", "protocol"),
        ("400 Bad Request", JSON, b'{"object": "error", "message": "maximum context length is 64"}', "request"),
    ],
)
def test_answer_refused_is_a_failure(faults: Faults, status: str, kind: str, content: bytes, expected: str) -> None:
    played = after(faults, body(content, status, kind), key=SECRET)
    failure = played.finish.failure
    assert failure is not None and failure.kind == expected
    assert SECRET not in repr(failure) and "Traceback" not in failure.what and "<" not in failure.what
    assert played.tokens == []
    assert expected != "absent" or "one" in failure.what
    assert expected != "request" or "maximum context length" in failure.what


def test_answer_refusal_cut_off_is_reported(faults: Faults) -> None:
    incomplete = body(b'{"error": "slow d', "429 Too Many Requests", Content_Length="1000")
    failure = after(faults, incomplete).finish.failure
    assert failure is not None and failure.kind == "busy" and "slow d" in failure.details


def test_answer_of_a_stopped_server_is_a_failure(faults: Faults) -> None:
    with serving() as gone:
        engine, _ = opened(gone.address)
    failure = play(engine, chat("Hi")).finish.failure
    assert failure is not None and failure.kind == "refused"


def test_answer_without_done_is_complete(faults: Faults) -> None:
    def forgetful(line: Line) -> None:
        line.text("Hello")
        line.event({"choices": [{"delta": {}, "finish_reason": "length"}]})
        line.silence()

    played = answered(faults, forgetful)
    assert played.finish.reason is Reason.LENGTH and played.finish.failure is None


def test_answer_without_last_empty_line_is_complete(faults: Faults) -> None:
    def terse(_: Asked, line: Line) -> None:
        line.head(kind="text/plain")
        line.text("Hello")
        line.send(b"data: [DONE]")

    finish = after(faults, terse).finish
    assert finish.reason is Reason.STOP and finish.library_reason is None


@pytest.mark.parametrize("stage", ["before the head", "after it", "in the middle"])
def test_stop_ends_any_answer_at_once(faults: Faults, stage: str) -> None:
    engine, _ = opened(faults.address, patience=Timeouts(silence=30.0))
    stop, played = StopFlag(), Played()

    def stuck(_: Asked, line: Line) -> None:
        if stage != "before the head":
            line.head()
        if stage == "in the middle":
            line.text("Hello")
        else:
            stop.ask()
        line.silence()
        faults.gone.set()

    def hear(event: Event) -> None:
        played.events.append(event)
        if isinstance(event, Token):
            stop.ask()

    faults.answer = stuck
    played.finish = engine.generate(chat("Hi"), hear, stop)
    assert time.monotonic() - stop.asked_at < 15  # far below the patience
    assert played.finish.reason is Reason.STOPPED and played.finish.failure is None
    assert played.shown() == ("Hello" if stage == "in the middle" else "")
    assert faults.gone.wait(60)


def test_load_stopped_returns_stopped(faults: Faults) -> None:
    engine, stop = RemoteEngine(), StopFlag()

    def stuck(_: Asked, line: Line) -> None:
        stop.ask()
        line.silence()

    faults.answer = stuck
    outcome = engine.load(LoadRequest(reference(faults.address, "one")), lambda _: None, stop)
    assert isinstance(outcome, Cancellation) and not engine.has_model()


def test_load_missing_model_keeps_the_open_one(faults: Faults) -> None:
    engine, _ = opened(faults.address)
    faults.answer = body(b'{"error": "no such model"}', "404 Not Found")
    outcome = engine.load(LoadRequest(reference(faults.address, "two")), lambda _: None, StopFlag())
    assert isinstance(outcome, Failure) and outcome.kind == "absent" and "two" in outcome.what
    faults.answer = plain
    assert play(engine, chat("Hi")).shown() == "Hello you"
    assert faults.asked[-1].body["model"] == "one"


TOP = [{"token": "Hi", "logprob": -0.1}]
MLX = "0.32.2-0.32.4-Linux-6.1-x86_64"


def in_one_piece(asked: Asked, line: Line) -> None:
    """As mlx_lm.server does: alternatives only without a stream, and not a byte before the answer is written."""
    if asked.body.get("stream", True):
        plain(asked, line)
        return
    if asked.body["max_tokens"] == 2:
        line.silence()
    elif asked.body["max_tokens"] != 1:
        time.sleep(1.2 * HASTY.silence)
    line.head(kind=JSON)
    told = {"content": [{"token": "Hi", "logprob": -0.1, "top_logprobs": TOP}]}
    choice = {"message": {"content": "Hi"}, "logprobs": told, "finish_reason": "stop"}
    line.send(json.dumps({"choices": [choice]}).encode())


def test_answer_without_streaming_is_waited_for(faults: Faults) -> None:
    faults.answer = in_one_piece
    engine, _ = opened(faults.address, patience=HASTY)
    finish = play(engine, chat("Hi", observe=5)).finish
    assert finish.failure is None and finish.wire is not None and finish.wire.whole


def test_answer_without_streaming_waits_by_its_tokens(faults: Faults) -> None:
    faults.answer = in_one_piece
    engine, _ = opened(faults.address, patience=HASTY)
    engine._timeouts = replace(HASTY, opening=0.0, per_token=0.2)
    assert play(engine, chat("Hi", tokens=50, observe=5)).finish.failure is None
    failure = play(engine, chat("Hi", tokens=2, observe=5)).finish.failure
    assert failure is not None and failure.kind == "silent"
    assert HASTY.for_whole(ENDLESS) == HASTY.for_whole(1 << 20) < float("inf")


def test_exchange_unread_data_makes_the_server_wait(faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "WAITING_LIMIT", 4)

    faults.answer = pouring(b"x" * (1 << 16), STREAM)
    asked = Exchange(faults.address, "/models")
    try:
        assert isinstance(asked.next(5.0), ResponseStart)
        for _ in range(40):
            assert isinstance(asked.next(5.0), ResponseData)
            assert asked._pieces.qsize() <= 5
    finally:
        asked.close()


@pytest.mark.parametrize(("fingerprint", "expected"), [(MLX, BEYOND), ("fp_1", None)])
def test_request_endless_has_no_limit(faults: Faults, fingerprint: str, expected: int | None) -> None:
    faults.answer = signed(fingerprint)
    engine, _ = opened(faults.address)
    assert play(engine, raw("Hi", tokens=ENDLESS)).finish.failure is None
    assert faults.asked[-1].body.get("max_tokens") == expected
