import gc
import gzip
import json
import time
import zlib
from collections.abc import Callable

import pytest

from app.engine.remote import answer as answers
from app.engine.remote import server_probe
from app.engine.remote.answer import Timeouts
from app.engine.remote.event_stream import EventParser
from app.engine.remote.exchange import BODY_LIMIT, Exchange
from app.engine.types import ENDLESS, Failure, ReachedServer, Reason, Server, ServerModel
from tests.engine.remote.faults import JSON, STREAM, Asked, Faults, Line, body, plain, pouring
from tests.engine.remote.playing import after, answered, chat, opened, play
from tests.engine.tiers import mostly_slow

EMPTY = b'data: {"choices": [{"delta": {}}]}\n\n'
FLOODS = {
    "empty data": b"data:\n" * 10_000,
    "empty events": b"data:\n\n" * 10_000,
    "signs of life": b": ping\n" * 10_000,
    "signs of life, each an event": b":\n\n" * 10_000,
    "names and numbers of events": b"event: x\nid: 5\nretry: 1\n\n" * 2_000,
    "fields of no kind": b"nonsense\n" * 5_000,
    "empty lines": b"\n" * 50_000,
    "empty lines of an old Mac": b"\r" * 50_000,
    "pieces without a word": EMPTY * 1_000,
    "counts": b'data: {"choices": [], "usage": {"prompt_tokens": 1}}\n\n' * 1_000,
    "a line without an end": b"x" * 60_000,
    "data without an end": b"data: x\n" * 8_000,
}


def flooding(blob: bytes) -> Callable[[Asked, Line], None]:
    def flood(_: Asked, line: Line) -> None:
        line.head()
        line.text("Hello")
        while True:
            line.send(blob)

    return flood


@pytest.mark.parametrize(
    "name",
    mostly_slow(FLOODS, "empty data", "signs of life", "fields of no kind", "empty lines", "a line without an end"),
)
def test_answer_flood_without_text_is_cut_off(faults: Faults, name: str) -> None:
    engine, _ = opened(faults.address)
    faults.answer = flooding(FLOODS[name])
    played = play(engine, chat("Hi", tokens=ENDLESS))
    failure = played.finish.failure
    assert failure is not None and failure.kind == "endless" and played.shown() == "Hello"
    assert faults.gone.wait(60)
    faults.answer = plain
    assert play(engine, chat("Hi")).shown() == "Hello you"


def test_answer_progress_is_not_text(faults: Faults) -> None:
    def reading(line: Line) -> None:
        done = 0
        while True:
            line.send(b"".join(b": keepalive %d/999999999\n\n" % (done + each) for each in range(1_000)))
            done += 1_000

    begun = time.monotonic()
    played = answered(faults, reading)
    assert played.finish.failure is not None and played.finish.failure.kind == "endless"
    most = (time.monotonic() - begun) / answers.PREFILL_S + 2
    assert len(played.prefills) < most, "not one for each line"


def test_answer_keep_alive_only_times_out(faults: Faults) -> None:
    def alive(_: Asked, line: Line) -> None:
        line.head()
        while not line.over.wait(0.05):
            line.send(b": ping\n\n")

    hasty = Timeouts(silence=0.5, per_character=0, last_words=0.1, opening=0.5)
    failure = after(faults, alive, patience=hasty).finish.failure
    assert failure is not None and failure.kind == "silent" and "sent only keep-alive messages" in failure.what


def test_answer_data_after_the_end_is_ignored(faults: Faults) -> None:
    def talkative(line: Line) -> None:
        line.text("Hello")
        line.event({"choices": [{"delta": {}, "finish_reason": "stop"}]})
        while not line.over.wait(0.02):
            line.event({"choices": [{"delta": {}, "finish_reason": "length"}]})

    finish = answered(faults, talkative).finish
    assert finish.reason is Reason.STOP and finish.failure is None


def test_answer_endless_body_is_cut_off(faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "BYTES_SLACK", 1 << 18)
    failure = after(faults, pouring(b" " * (1 << 16))).finish.failure
    assert failure is not None and failure.kind == "endless" and faults.gone.wait(60)


def test_answer_beyond_its_bytes_is_cut_off(faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "BYTES_SLACK", 1 << 16)
    padded = json.dumps({"choices": [{"delta": {"content": "x"}}], "padding": "y" * 100_000})

    def padding(line: Line) -> None:
        while True:
            line.event(padded)

    played = answered(faults, padding, chat("Hi", tokens=20))
    assert played.finish.failure is not None and played.finish.failure.kind == "endless"
    assert 0 < len(played.shown()) < 10


BOMB = gzip.compress(b" " * (64 << 20))
PACKED = {
    "gzip": BOMB,
    "GZIP, identity": BOMB,
    "deflate": zlib.compress(b" " * (64 << 20)),
    "br": b"x",
    "no such": b"x",
}


@pytest.mark.parametrize("kind", PACKED)
@pytest.mark.parametrize("status", ["200 OK", "400 Bad Request"])
def test_answer_compressed_is_refused(faults: Faults, kind: str, status: str) -> None:
    packed = body(PACKED[kind], status, STREAM, Content_Encoding=kind)
    failures = [after(faults, packed).finish.failure, server_probe.test(Server(faults.address))]
    for failure in failures:
        assert isinstance(failure, Failure) and failure.kind == ("protocol" if status == "200 OK" else "request")
    assert faults.asked[-1].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("length", ["5", "5000", "-1", "many", "99999999999999999999"])
def test_answer_wrong_length_does_not_wait(faults: Faults, length: str) -> None:
    faults.answer = body(b'{"data": [{"id": "one"}]}', Content_Length=length)
    reached = server_probe.test(Server(faults.address), silence_s=2.0)
    assert isinstance(reached, Failure)


def test_exchange_cookies_are_not_stored(faults: Faults) -> None:
    faults.answer = body(b'{"data": [{"id": "one"}]}', Set_Cookie="a=b; Path=/")
    for _ in range(2):
        assert isinstance(server_probe.test(Server(faults.address)), ReachedServer)
    assert "cookie" not in faults.asked[-1].headers


def test_health_failure_endless_answer_is_cut_off(faults: Faults) -> None:
    faults.answer = pouring(b" " * BODY_LIMIT)
    failure = server_probe.health_failure(faults.address, 60.0)
    assert failure is not None and faults.gone.wait(60)

    def trickle(_: Asked, line: Line) -> None:
        line.head(kind=JSON)
        while not line.over.wait(0.001):
            line.send(b" ")

    faults.answer = trickle
    failure = server_probe.health_failure(faults.address, 0.3)
    assert failure is not None and failure.kind == "silent"


def listed(faults: Faults, content: bytes) -> tuple[ServerModel, ...] | Failure:
    faults.answer = body(content)
    return server_probe.list_models(Server(faults.address))


def names_listed(faults: Faults, names: list[object]) -> list[str]:
    models = listed(faults, json.dumps({"data": [{"id": each} for each in names]}).encode())
    assert isinstance(models, tuple)
    return [each.id for each in models]


@pytest.mark.parametrize(
    "content",
    [
        b'{"data": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        b'{"data": [' + b"{}," * 500_000 + b"{}]}",
        b'{"data": [' + b'{"id": "a"},' * 300_000 + b"{}]}",
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b"\xff\xfe\x00",
        b'{"data": {"id": "one"}}',
    ],
)
def test_list_models_nested_bomb_is_refused(faults: Faults, content: bytes) -> None:
    failure = listed(faults, content)
    assert isinstance(failure, Failure) and failure.kind == "protocol"


NAMES = ["", "x" * 401, "a\nb", "a\x00b", "\u202egpt", "a\u200bb", "\ud800", "\u2028", 5, None, ["a"], {"id": "a"}]


def test_list_models_invalid_names_are_dropped(faults: Faults) -> None:
    good = ["<b>bold</b>", "/srv/../models/x", "x" * 400, "한국어", "a b"]
    assert names_listed(faults, [*NAMES, *good]) == good


@pytest.mark.parametrize("context", ["1" * 90, "1e400", "NaN", "-5", "true", '"64"', "1e3", str(2**40)])
def test_list_models_invalid_context_is_unknown(faults: Faults, context: str) -> None:
    models = listed(faults, f'{{"data": [{{"id": "one", "max_model_len": {context}}}]}}'.encode())
    assert isinstance(models, tuple) and [each.context for each in models] == [None]


def test_list_models_beyond_the_limit_are_dropped(faults: Faults) -> None:
    names = [str(each) for each in range(server_probe.MODELS_LIMIT + 5)]
    assert names_listed(faults, [*names]) == names[:-5]


@pytest.mark.parametrize("huge", ["1" * 90, "1" * 20])
def test_answer_huge_numbers_are_ignored(faults: Faults, huge: str) -> None:
    def counting(line: Line) -> None:
        line.event(
            f'{{"choices": [{{"delta": {{"content": "Hello"}}, "logprobs": {{"content": [{{"token": "Hello", '
            f'"logprob": {huge}, "top_logprobs": [{{"token": "x", "logprob": -{huge}, "id": {huge}}}]}}]}}}}], '
            f'"usage": {{"completion_tokens": {huge}}}}}'
        )
        line.end()

    played = answered(faults, counting)
    assert played.shown() == "Hello" and played.finish.failure is None and played.finish.tokens == 1


def test_answer_endless_number_is_malformed(faults: Faults) -> None:
    def counting(line: Line) -> None:
        line.text("Hello")
        line.event(f'{{"usage": {{"completion_tokens": {"1" * 400}}}}}')
        line.end()

    failure = answered(faults, counting).finish.failure
    assert failure is not None and failure.kind == "malformed"


@pytest.mark.parametrize("said", ["x" * 100_000, "a\nb\u202ec", "\x00", "\ud800"])
def test_answer_finish_reason_is_cut(faults: Faults, said: str) -> None:
    def ending(line: Line) -> None:
        line.text("Hello")
        line.end(said)

    reason = answered(faults, ending).finish.library_reason
    assert reason is not None and len(reason) <= answers.FINISH_LIMIT and reason.isprintable()


@pytest.mark.parametrize(
    "error", ["a\u202eb\x00", {"message": 5}, [[]] * 10, {"message": "x" * 100_000}, {"a": "\ud800"}]
)
def test_answer_error_is_one_sentence(faults: Faults, error: object) -> None:
    def failing(line: Line) -> None:
        line.event({"error": error})

    failure = answered(faults, failing).finish.failure
    assert failure is not None and failure.kind == "server"
    assert failure.what.isprintable() and len(failure.what) < 400 and len(failure.details) <= 2_000


def test_events_byte_by_byte_are_read_in_linear_time() -> None:
    events = EventParser()
    for _ in range(300_000):  # joined again for each byte, this would take hours
        assert not events.read(b"x")


def test_answer_long_piece_is_split(faults: Faults) -> None:
    long = "word " * 10_000

    def at_once(line: Line) -> None:
        line.text(long)
        line.event({"choices": [{"delta": {}, "finish_reason": "stop"}]})
        line.over.wait(0.05)
        line.event({"choices": [], "usage": {"completion_tokens": 99}})

    played = answered(faults, at_once, chat("Hi", tokens=1_000))
    assert played.shown() == long and max(len(each.text) for each in played.tokens) <= 2_048
    assert played.finish.times.ended - played.finish.times.last_token > 0.3, "at a pace that a window can follow"
    assert played.finish.tokens == 99, "and the last words are heard however long that took"
    assert len({each.at for each in played.tokens}) == 1, "but they came when they came"


def test_stop_does_not_wait_for_the_server(faults: Faults) -> None:
    faults.answer = flooding(b": ping\n\n" * 1_000)
    for _ in range(5):
        exchange = Exchange(faults.address, "/models")
        exchange.close()
        exchange._thread.join()
    gc.collect()
