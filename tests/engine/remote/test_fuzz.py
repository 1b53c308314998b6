import json
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from app.engine.remote import server_probe
from app.engine.remote.engine import RemoteEngine
from app.engine.remote.event_stream import Chunk, EventParser, ServerSentEvent, read_chunk
from app.engine.remote.failures import refused
from app.engine.remote.foreign_json import value_of
from app.engine.types import Finish, ReachedServer, Server
from app.files.json_values import write
from tests.engine.remote.faults import JSON, SECRET, STREAM, Asked, Faults, Line, body, serving
from tests.engine.remote.playing import chat, opened, play
from tests.examples import at_most

UNSEEN = set("\x00\u202e\u2028\n\ud800")
pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")
WORDS = st.sampled_from(
    ["Hello", "", " ", "\x00", "\ud800", "\u202e", "\u2028", SECRET, SECRET[:9], SECRET[9:], "<b>", "1" * 400, "stop"]
)
NUMBERS = st.sampled_from([0, -1, True, 10**19, 10**400, 2**53, 1e308, float("nan"), float("inf"), -float("inf"), 0.5])
ANY = st.recursive(
    st.none() | WORDS | NUMBERS | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
TOKEN = st.fixed_dictionaries(
    {}, optional={"token": WORDS | ANY, "logprob": NUMBERS | ANY, "id": NUMBERS, "bytes": ANY, "top_logprobs": ANY}
)
LOGPROBS = st.fixed_dictionaries({}, optional={"content": st.lists(TOKEN, max_size=3) | ANY, "tokens": ANY})
FUNCTION = st.fixed_dictionaries({"name": WORDS | ANY}, optional={"arguments": WORDS | st.just("{}") | ANY})
CALLS = st.lists(
    st.fixed_dictionaries({"function": FUNCTION}, optional={"index": NUMBERS | ANY, "id": WORDS | ANY}) | ANY,
    max_size=3,
)
DELTA = st.fixed_dictionaries({}, optional={"content": WORDS | ANY, "reasoning": WORDS | ANY, "tool_calls": CALLS})
CHOICE = st.fixed_dictionaries(
    {}, optional={"delta": DELTA | ANY, "message": DELTA, "finish_reason": WORDS | ANY, "logprobs": LOGPROBS | ANY}
)
CHOICES = st.lists(CHOICE | ANY, max_size=2) | ANY
EVENT = st.fixed_dictionaries({}, optional={"choices": CHOICES, "usage": ANY, "error": ANY, "system_fingerprint": ANY})
SAID = st.fixed_dictionaries({"content": WORDS}) | st.fixed_dictionaries({"reasoning": WORDS, "content": WORDS})
USUAL_CHOICE = st.fixed_dictionaries({"delta": SAID}, optional={"logprobs": LOGPROBS, "finish_reason": WORDS})
USUAL = st.fixed_dictionaries({"choices": st.tuples(USUAL_CHOICE)})
SIGNS = [b"data:\n", b"data\n", b":\n", b": keepalive 1/2\n", b"data: [DONE]\n\n", b"\n", b"\r", b"id: 5\n"]


def line_of(said: object, is_ascii: bool = True, end: bytes = b"\n\n") -> bytes:
    return b"data: " + json.dumps(said, ensure_ascii=is_ascii).encode("utf-8", "surrogatepass") + end


LINES = st.one_of(
    *[USUAL.map(line_of)] * 4,
    EVENT.map(line_of),
    EVENT.map(lambda said: line_of(said, False, b"\r\n\r\n")),
    st.sampled_from([*SIGNS, f"data: {SECRET}\n\n".encode()]),
    st.binary(max_size=12),
)


@pytest.fixture(scope="module")
def there() -> Iterator[tuple[Faults, RemoteEngine]]:
    with serving() as faults:
        yield faults, opened(faults.address, key=SECRET)[0]


@pytest.mark.slow
@given(st.lists(LINES, max_size=8), st.sampled_from([STREAM, JSON, "text/plain", ""]), st.integers(1, 60))
@at_most(25, suppress_health_check=list(HealthCheck))
def test_answer_any_stream_ends_with_a_value(
    there: tuple[Faults, RemoteEngine], lines: list[bytes], kind: str, size: int
) -> None:
    faults, engine = there

    def say(_: Asked, line: Line) -> None:
        line.head(kind=kind)
        content = b"".join(lines)
        for at in range(0, len(content), size):
            line.send(content[at : at + size])

    faults.answer = say
    played = play(engine, chat("Hi", tokens=8, observe=2))
    written = json.dumps(write(Finish, played.finish)) + played.written
    written += repr([token.observed.top[:] for token in played.tokens if token.observed])
    assert SECRET not in written + repr(played.events) and SECRET[2:] not in written
    written.encode()


@given(ANY | st.fixed_dictionaries({"data": st.lists(st.fixed_dictionaries({"id": WORDS | ANY}) | ANY)}), st.booleans())
@at_most(10, suppress_health_check=list(HealthCheck))
def test_list_models_any_answer_is_a_list_or_failure(
    there: tuple[Faults, RemoteEngine], said: object, well: bool
) -> None:
    faults, _ = there
    faults.answer = body(json.dumps(said).encode(), "200 OK" if well else "400 Bad Request")
    found = server_probe.test(Server(faults.address), SECRET)
    assert SECRET not in repr(found)
    if isinstance(found, ReachedServer):
        assert not any(UNSEEN & set(model.id) for model in found.models)
    else:
        assert not UNSEEN & set(found.what)


@given(st.lists(st.binary(max_size=20) | LINES, max_size=12))
@at_most(25)
def test_events_cut_anywhere_are_the_same(parts: list[bytes]) -> None:
    whole, cut = EventParser(), EventParser()
    content = b"".join(parts)
    if content.startswith(b"\xef"):
        return  # a mark at the beginning is only known as a whole
    events = [*whole.read(content), *whole.finish()]
    assert [event for at in range(len(content)) for event in cut.read(content[at : at + 1])] + cut.finish() == events
    assert all(isinstance(event, ServerSentEvent) for event in events)


@given(EVENT | ANY)
@at_most(50)
def test_read_chunk_any_json_is_accepted(said: object) -> None:
    assert isinstance(read_chunk(json.dumps(said)), Chunk | None)


@given(st.text('{}[]",:0123456789eE+-.\\untrfalsNI', max_size=80))
@at_most(50)
def test_events_any_bytes_are_accepted(said: str) -> None:
    value_of(said)
    refusal = refused("http://127.0.0.1:1/v1", 400, said.encode(), said, "one", SECRET)
    assert refusal.what.isprintable()


@pytest.mark.parametrize(
    "content", [b"[" * 100_000, b'{"a":' * 100_000, b"1" * 100_000, b"[" + b"{}," * 300_000 + b"1]"]
)
def test_value_of_nested_bomb_is_refused(content: bytes) -> None:
    assert not isinstance(value_of(content), list | dict)
