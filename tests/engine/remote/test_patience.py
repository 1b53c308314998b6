"""Timeouts, flow control, and requests without max tokens."""

import json
import time
from dataclasses import replace

import pytest

from app.engine.remote import exchange
from app.engine.remote.exchange import Data, Exchange, Opened
from app.engine.remote.request_options import BEYOND
from app.engine.types import ENDLESS
from tests.engine.remote.faults import JSON, STREAM, Asked, Faults, Line, plain, pouring
from tests.engine.remote.playing import HASTY, chat, opened, play, raw

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
        assert isinstance(asked.next(5.0), Opened)
        for _ in range(40):
            assert isinstance(asked.next(5.0), Data)
            assert asked._pieces.qsize() <= 5
    finally:
        asked.close()


@pytest.mark.parametrize(("fingerprint", "expected"), [(MLX, BEYOND), ("fp_1", None)])
def test_request_endless_has_no_limit(faults: Faults, fingerprint: str, expected: int | None) -> None:
    def signed(_: Asked, line: Line) -> None:
        line.head()
        line.event({"choices": [{"delta": {"content": "Hi"}}], "system_fingerprint": fingerprint})
        line.end()

    faults.answer = signed
    engine, _ = opened(faults.address)
    assert play(engine, raw("Hi", tokens=ENDLESS)).finish.failure is None
    assert faults.asked[-1].body.get("max_tokens") == expected
