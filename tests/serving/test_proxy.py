"""What the front of a server of one's own lets through, and what it doesn't: asked with raw requests."""

import json
import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from app.serving import checks, proxy
from tests.examples import at_most
from tests.serving.asking import CHAT, FOLDER, KEY, Stand, asked, connected, request, standing
from tests.serving.attacks import ANSWERED, BODIES, HEADS, LINES, of_body, of_head, of_line, tells_nothing

GET = "GET /v1/models HTTP/1.1"


@pytest.fixture
def stand() -> Iterator[Stand]:
    with standing() as stand:
        yield stand


def is_well(stand: Stand) -> bool:
    return asked(stand.where, request(stand.where)).status == 200


@pytest.mark.parametrize("name", HEADS)
def test_whoever_may_not_come_in_does_not(stand: Stand, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = of_head(stand.where, name)
    assert answer.status == HEADS[name][1], answer
    assert answer.error["message"] and tells_nothing(answer) and not stand.reached
    assert is_well(stand)


@pytest.mark.parametrize("name", LINES)
def test_there_is_nothing_else_to_be_had(stand: Stand, name: str) -> None:
    answer = of_line(stand.where, name)
    assert answer.status == LINES[name][1], answer
    assert answer.error["message"] and tells_nothing(answer) and not stand.reached
    assert "evil" not in answer.body and "xxxx" not in answer.body, "nothing of it is quoted"


def test_a_preflight_invites_nobody(stand: Stand) -> None:
    lines = ("Origin: https://evil.example", "Access-Control-Request-Method: POST")
    answer = asked(stand.where, request(stand.where, *lines, line="OPTIONS /v1/chat/completions HTTP/1.1"))
    assert answer.status == 403 and tells_nothing(answer)


@pytest.mark.parametrize("name", BODIES)
def test_what_may_not_be_asked_is_not(stand: Stand, name: str) -> None:
    answer, status = of_body(stand.where, name), BODIES[name][1]
    assert answer.status == status, answer
    assert answer.error["message"] and tells_nothing(answer) and not stand.reached
    assert answer.error["code"] == ("model_not_found" if status == 404 else None)
    assert is_well(stand)


@pytest.mark.parametrize("name", ANSWERED)
def test_what_mlx_answers_is_asked(stand: Stand, name: str) -> None:
    answer = asked(stand.where, request(stand.where, body=ANSWERED[name]))
    assert answer.status == 200 and len(stand.reached) == 1, answer


@pytest.mark.parametrize("model", [None, "demo", "default_model"])
def test_the_served_model_is_asked_by_either_name_or_by_none(stand: Stand, model: str | None) -> None:
    body = CHAT if model is None else {**CHAT, "model": model, "draft_model": "default_model", "adapters": None}
    answer = asked(
        stand.where,
        request(stand.where, f"Origin: http://{stand.where.host}", "Sec-Fetch-Site: same-origin", body=body),
    )
    assert answer.status == 200 and tells_nothing(answer)
    assert stand.reached == [{**CHAT, "model": model or "default_model"}]


def test_what_is_null_is_not_said_as_openai_has_it(stand: Stand) -> None:
    """Clients write out what they have no value for, and mlx-lm takes null for a value of the wrong kind."""
    nothing = dict.fromkeys(("model", "temperature", "max_tokens", "stream", "stream_options", "top_k", "seed", "stop"))
    assert asked(stand.where, request(stand.where, body={**CHAT, **nothing})).status == 200
    assert stand.reached == [{**CHAT, "model": "default_model"}]


def test_whoever_does_not_ask_for_counts_is_given_none(stand: Stand) -> None:
    """mlx-lm ends at options that don't say whether."""
    for said in ({}, {"include_obfuscation": False}, {"include_usage": True}):
        assert asked(stand.where, request(stand.where, body={**CHAT, "stream_options": said})).status == 200
    assert [each["stream_options"] for each in stand.reached] == [
        {"include_usage": False},
        {"include_obfuscation": False, "include_usage": False},
        {"include_usage": True},
    ]


def test_the_list_has_one_model_and_no_place(stand: Stand) -> None:
    one = {"id": "demo", "object": "model", "owned_by": "sluice"}
    for line in (GET, "GET /v1/models?limit=5 HTTP/1.1", "GET /v1/models HTTP/1.0"):
        listed = json.loads(asked(stand.where, request(stand.where, line=line)).body)
        assert [{**each, "created": 0} for each in listed["data"]] == [{**one, "created": 0}]
    assert (
        json.loads(asked(stand.where, request(stand.where, line="GET /v1/models/demo HTTP/1.1")).body)["id"] == "demo"
    )
    localhost = request(stand.where, f"Host: LOCALHOST:{stand.server_port}", line="GET /health HTTP/1.1")
    assert json.loads(asked(stand.where, localhost).body) == {"status": "ok"}


def test_the_words_of_an_error_name_no_place(stand: Stand, capsys: pytest.CaptureFixture[str]) -> None:
    refused = asked(stand.where, request(stand.where, body={**CHAT, "user": "refuse"}))
    assert refused.status == 400 and refused.error["message"] == "…/config.json and … are no model"
    assert (
        asked(stand.where, request(stand.where, body={**CHAT, "user": "refuse in words"})).error["message"]
        == "Not Found"
    )
    failed = asked(stand.where, request(stand.where, body={**CHAT, "user": "fail"}))
    assert failed.status == 500 and failed.error["message"] == "ValueError: … fails"
    broken = asked(stand.where, request(stand.where, body={**CHAT, "user": "break", "stream": True}))
    assert broken.status == 200 and broken.body.startswith('data: 1\n\ndata: {"error"') and tells_nothing(broken)
    assert all(map(tells_nothing, (refused, failed)))


@pytest.mark.parametrize(
    "said", [(), ("Bearer wrong",), ("Bearer ",), ("Basic " + KEY,), ("Bearer \xff\xfe",), (KEY,), (f"Bearer {KEY}x",)]
)
def test_a_key_is_asked_for_and_told_nowhere(said: tuple[str, ...]) -> None:
    with standing(KEY) as stand:
        lines = tuple(f"Authorization: {each}" for each in said)
        for line in (GET, "POST /v1/chat/completions HTTP/1.1"):
            answer = asked(stand.where, request(stand.where, *lines, line=line))
            assert answer.status == 401 and "WWW-Authenticate: Bearer" in answer.head
            assert KEY not in answer.head + answer.body
        assert asked(stand.where, request(stand.where, line="GET /health HTTP/1.1")).status == 200
        assert asked(stand.where, request(stand.where, f"Authorization: Bearer {KEY}")).status == 200
        assert len(stand.reached) == 1 and KEY not in repr(stand.terms)


def test_a_stream_is_passed_on_as_it_comes(stand: Stand) -> None:
    with connected(stand.where) as connection:
        connection.sendall(request(stand.where, body={**CHAT, "user": "drip", "stream": True}))
        content = b""
        while b"data: 1\n\n" not in content:
            content += connection.recv(1 << 16)
        stand.go_on.set()
        while more := connection.recv(1 << 16):
            content += more
    assert content.endswith(b"\r\n\r\ndata: 1\n\ndata: 1\n\n")


def drips(stand: Stand, first: bytes, each: bytes) -> int:
    """How many pieces it takes until it turns away."""
    with connected(stand.where) as connection:
        connection.sendall(first)
        for count in range(100_000):
            if select.select([connection], [], [], 0.01)[0]:
                return count
            connection.sendall(each)
    raise AssertionError


@pytest.mark.parametrize("where", ["the line", "the head", "the body", "nowhere"])
def test_whoever_drips_is_not_waited_for(stand: Stand, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "READ_S", 0.2)
    monkeypatch.setattr(proxy, "LINGER_S", 0.0)
    whole = request(stand.where, "Content-Length: 100000")
    first = {"the line": b"P", "the head": whole[:40], "the body": whole, "nowhere": b""}[where]
    assert drips(stand, first, b"" if where == "nowhere" else b"x") < 1_000
    monkeypatch.undo()
    assert is_well(stand) and len(stand.reached) == 1


def test_a_head_without_an_end_is_cut_off(stand: Stand) -> None:
    with connected(stand.where) as connection, pytest.raises(OSError):
        while True:
            connection.sendall(b"GET /health HTTP/1.1\r\n" + b"X: " + b"x" * 60_000 + b"\r\n")
            for _ in range(100):
                connection.sendall(b"X: " + b"x" * 60_000 + b"\r\n")
    assert is_well(stand)


def test_a_body_without_an_end_is_refused_before_it_is_read(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "LINGER_LIMIT", 1 << 20)
    with connected(stand.where) as connection, pytest.raises(OSError):
        connection.sendall(request(stand.where, "Content-Length: 99999999999"))
        while True:
            connection.sendall(b" " * (1 << 20))
    assert is_well(stand)


def no_thread(*_: object) -> None:
    raise RuntimeError("can't start new thread")


def test_so_many_at_once_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "CONNECTIONS", 2)
    with standing() as stand:
        held = [connected(stand.where), connected(stand.where)]
        for each in held:
            each.sendall(b"GET")
        with connected(stand.where) as third:
            assert third.recv(1) == b"", "it is closed without a word"
        for each in held:
            each.close()
        while asked(stand.where, request(stand.where)).status != 200:
            pass  # the two are on their way out


def test_all_that_it_has_places_for_may_come_at_once() -> None:
    """Also while what writes keeps it from looking at who has come: one too many would try again a second later."""
    with Stand("") as busy, ExitStack() as held:
        for _ in range(proxy.CONNECTIONS):
            held.enter_context(socket.create_connection(("127.0.0.1", busy.server_port), 0.5))


def test_a_connection_without_a_thread_keeps_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "CONNECTIONS", 1)
    with standing() as stand:
        with monkeypatch.context() as nothing:
            nothing.setattr("socketserver.ThreadingMixIn.process_request", no_thread)
            with connected(stand.where) as connection:
                assert connection.recv(1) == b""
        assert is_well(stand)


def test_an_answer_that_nobody_takes_keeps_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "SEND_S", 0.2)
    monkeypatch.setattr(proxy, "CONNECTIONS", 1)
    with standing() as stand, connected(stand.where) as connection:
        connection.sendall(request(stand.where, body={**CHAT, "user": "pour", "stream": True}))
        while not is_well(stand):
            pass  # it is on its way out
    assert any("timed out" in line for line in stand.logged)


def test_a_page_that_asks_and_asks_fills_no_log(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "TELL_S", 3600.0)
    for _ in range(20):
        assert of_head(stand.where, "a foreign origin").status == 403
    assert is_well(stand) and is_well(stand)
    refused = [line for line in stand.logged if " 403 " in line]
    assert len(refused) == 1 and len(stand.logged) == 3


def test_it_listens_on_this_machine_alone(stand: Stand) -> None:
    assert stand.server_address[0] == "127.0.0.1" and stand.socket.family == socket.AF_INET


VALUES = st.one_of(
    st.sampled_from(["127.0.0.1:{port}", "localhost:{port}", "evil.example", "", "null", "http://127.0.0.1:{port}"]),
    st.sampled_from(["application/json", "text/plain", "same-origin", "none", "cross-site", "chunked", "2", "90"]),
    st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=20),
)
NAMES = st.sampled_from(
    ["Host", "hOST", "Origin", "origin ", "Content-Type", "Content-Length", "Sec-Fetch-Site", "Transfer-Encoding", "X"]
)
METHODS = st.sampled_from(["POST", "POST", "GET", "OPTIONS", "PUT", "post"])
TARGETS = st.sampled_from(
    ["/v1/chat/completions", "/v1/completions?x", "//v1/completions", "/v1/models", "*", "http://a/"]
)
ENDS = st.sampled_from(["\r\n", "\r\n", "\n", "\r"])


@pytest.mark.slow
@given(METHODS, TARGETS, st.lists(st.tuples(NAMES, VALUES, ENDS), max_size=5), st.booleans(), st.integers(0, 2))
@at_most(250, suppress_health_check=list(HealthCheck))
def test_whatever_comes_through_has_kept_to_the_terms(
    shared: Stand, method: str, target: str, heads: list[tuple[str, str, str]], whole: bool, hosts: int
) -> None:
    """Held against the text that was sent, line by line: what a browser can't be made to leave out is there."""
    content = json.dumps(CHAT).encode()
    given = [(name, value.replace("{port}", str(shared.server_port)), end) for name, value, end in heads]
    given += [("Host", shared.where.host, "\r\n")] * hosts
    if whole:
        given += [("Content-Type", "application/json", "\r\n"), ("Content-Length", str(len(content)), "\r\n")]
    shared.reached.clear()
    text = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{name}: {value}{end}" for name, value, end in given)
    answer = asked(shared.where, text.encode("latin-1") + b"\r\n" + content)
    assert tells_nothing(answer)
    if shared.reached:
        said = [(name.strip().lower(), value.strip()) for name, value, _ in given]
        own = (f"127.0.0.1:{shared.server_port}", f"localhost:{shared.server_port}")
        assert method == "POST" and {value.lower() for name, value in said if name == "host"} <= set(own)
        assert all(value in {f"http://{each}" for each in own} for name, value in said if name == "origin")
        assert [value.partition(";")[0] for name, value in said if name == "content-type"] == ["application/json"]
        assert not [name for name, _ in said if name == "transfer-encoding"]


@pytest.fixture(scope="module")
def shared() -> Iterator[Stand]:
    with standing() as stand:
        yield stand


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
FIELDS = st.sampled_from(
    ["model", "adapters", "draft_model", "messages", "prompt", "stop", "top_k", "logit_bias", "chat_template_kwargs"]
)
TERMS = checks.AccessPolicy(1, "demo")


@pytest.mark.slow
@given(st.dictionaries(FIELDS | st.text(max_size=5), JSON | st.sampled_from(["demo", "default_model", {"5": 1}])))
@at_most(40)
def test_whatever_is_asked_is_asked_of_the_served_model(body: dict[str, object]) -> None:
    said = checks.body_of(json.dumps(body).encode(), TERMS)
    if isinstance(said, checks.ErrorResponse):
        assert 400 <= said.status < 500
        return
    assert said["model"] in ("demo", "default_model") and not {"adapters", "draft_model"} & set(said)
    json.dumps(said, allow_nan=False, ensure_ascii=False).encode()
    if checks.of_vocabulary(said, 100) is None:
        bias = said.get("logit_bias") or {}
        assert isinstance(bias, dict) and all(0 <= int(each) < 100 for each in bias)


@given(st.binary(max_size=60) | st.text('[]{}",:0e-\\u d8tfn', max_size=60).map(str.encode))
@at_most(200)
def test_no_bytes_are_too_strange(content: bytes) -> None:
    assert isinstance(checks.body_of(content, TERMS), checks.ErrorResponse | dict)


PARTS = st.text(st.characters(whitelist_categories=("L", "N", "S", "Pd", "Pc")), min_size=1)


@given(st.lists(PARTS, min_size=2))
def test_no_place_is_told_wherever_it_is(parts: list[str]) -> None:
    place = "/" + "/".join(parts)
    assert place not in checks.hushed(f"No such file: '{place}' ({place})", FOLDER)
