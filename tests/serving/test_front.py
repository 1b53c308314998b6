"""What the front of a server of one's own lets through, and what it doesn't: asked with raw requests."""

from __future__ import annotations

import json
import select
import socket
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.serving import checks, front
from tests.serving.asking import CHAT, FOLDER, KEY, Stand, Told, asked, connected, request, standing

GET = "GET /v1/models HTTP/1.1"


@pytest.fixture
def stand() -> Iterator[Stand]:
    with standing() as stand:
        yield stand


def tells_nothing(answer: Told) -> bool:
    """No page is invited, and no place on the disk is told."""
    return "access-control" not in answer.head.lower() and "/srv/" not in answer.body and "Traceback" not in answer.body


def is_well(stand: Stand) -> bool:
    return asked(stand, request(stand)).status == 200


HEADS: dict[str, tuple[tuple[str, ...], int]] = {
    "a foreign origin": (("Origin: https://evil.example",), 403),
    "a page from a file": (("Origin: null",), 403),
    "an empty origin": (("Origin:",), 403),
    "two origins": (("Origin: http://127.0.0.1:{port}", "Origin: https://evil.example"), 403),
    "another port of this machine": (("Origin: http://127.0.0.1:1",), 403),
    "an origin that begins like ours": (("Origin: http://127.0.0.1:{port}.evil.example",), 403),
    "a page that sends no origin": (("Sec-Fetch-Site: cross-site",), 403),
    "a page of this machine": (("Sec-Fetch-Site: same-site",), 403),
    "a name that leads here": (("Host: evil.example:{port}",), 403),
    "a name without a port": (("Host: 127.0.0.1",), 403),
    "another port": (("Host: 127.0.0.1:1",), 403),
    "all addresses": (("Host: 0.0.0.0:{port}",), 403),
    "a host with a user before it": (("Host: evil.example@127.0.0.1:{port}",), 403),
    "no host": (("Host:-",), 400),
    "an empty host": (("Host:",), 403),
    "two hosts": (("Host: 127.0.0.1:{port}", "Host: evil.example"), 400),
    "two hosts that are the same": (("Host: 127.0.0.1:{port}", "Host: 127.0.0.1:{port}"), 400),
    "a host folded over two lines": (("Host: 127.0.0.1:{port}\r\n evil.example",), 403),
    "text": (("Content-Type: text/plain",), 415),
    "a form": (("Content-Type: application/x-www-form-urlencoded",), 415),
    "a form with files": (("Content-Type: multipart/form-data; boundary=x",), 415),
    "no kind": (("Content-Type:-",), 415),
    "two kinds": (("Content-Type: text/plain", "Content-Type: application/json"), 415),
    "text that names JSON": (("Content-Type: text/plain; application/json",), 415),
    "chunks": (("Transfer-Encoding: chunked",), 501),
    "chunks and a length": (("Transfer-Encoding: identity", "Content-Length: 2"), 501),
    "no length": (("Content-Length:-",), 411),
    "a length that is none": (("Content-Length: many",), 400),
    "a length below nothing": (("Content-Length: -1",), 400),
    "a length with a sign": (("Content-Length: +10",), 400),
    "two lengths": (("Content-Length: 10", "Content-Length: 50"), 400),
    "a body beyond all limits": (("Content-Length: 99999999999",), 413),
    "a length of a thousand digits": (("Content-Length: " + "9" * 1_000,), 400),
    "a body that ends early": (("Content-Length: 5000",), 400),
    "a hundred headers": (tuple(f"X-{number}: x" for number in range(101)), 431),
    "a header without an end": (("X-Long: " + "x" * 70_000,), 431),
}


@pytest.mark.parametrize("name", HEADS)
def test_whoever_may_not_come_in_does_not(stand: Stand, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines, status = HEADS[name]
    answer = asked(stand, request(stand, *(each.replace("{port}", str(stand.server_port)) for each in lines)))
    assert answer.status == status, answer
    assert answer.error["message"] and tells_nothing(answer) and not stand.reached
    assert is_well(stand)


LINES = {
    "an absolute target": ("POST http://evil.example/v1/chat/completions HTTP/1.1", 404),
    "an absolute target of our own": ("POST http://127.0.0.1/v1/chat/completions HTTP/1.1", 404),
    "a way up": ("GET /v1/models/../../etc/passwd HTTP/1.1", 404),
    "a model's folder": ("GET /v1/models//srv/me HTTP/1.1", 404),
    "a file": ("GET /etc/passwd HTTP/1.1", 404),
    "the root": ("GET / HTTP/1.1", 404),
    "a name that begins like ours": ("GET /v1/modelsx HTTP/1.1", 404),
    "a question that is read": ("GET /v1/chat/completions HTTP/1.1", 405),
    "a list that is written": ("POST /v1/models HTTP/1.1", 405),
    "a preflight": ("OPTIONS /v1/chat/completions HTTP/1.1", 405),
    "a trace": ("TRACE /v1/models HTTP/1.1", 405),
    "a tunnel": ("CONNECT evil.example:443 HTTP/1.1", 404),
    "the star": ("OPTIONS * HTTP/1.1", 404),
    "a method of nobody's": ("FETCH /v1/models HTTP/1.1", 405),
    "a version of nobody's": ("GET /v1/models HTTP/9.9", 505),
    "the oldest protocol": ("GET /v1/models", 400),
    "no request": ("hello", 400),
    "a name without an end": ("GET /" + "x" * 66_000 + " HTTP/1.1", 414),
}


@pytest.mark.parametrize("name", LINES)
def test_there_is_nothing_else_to_be_had(stand: Stand, name: str) -> None:
    line, status = LINES[name]
    lines = ("Host:-",) if name == "the oldest protocol" else ()
    answer = asked(stand, request(stand, *lines, line=line))
    assert answer.status == status, answer
    assert answer.error["message"] and tells_nothing(answer) and not stand.reached
    assert "evil" not in answer.body and "xxxx" not in answer.body, "nothing of it is quoted"


def test_a_preflight_invites_nobody(stand: Stand) -> None:
    lines = ("Origin: https://evil.example", "Access-Control-Request-Method: POST")
    answer = asked(stand, request(stand, *lines, line="OPTIONS /v1/chat/completions HTTP/1.1"))
    assert answer.status == 403 and tells_nothing(answer)


def deep(levels: int, inside: str = "[") -> bytes:
    return b'{"messages": ' + inside.encode() * levels + b"}"


BODIES: dict[str, tuple[object, int]] = {
    "no JSON": (b"{", 400),
    "no UTF-8": (b'{"messages": "\xff"}', 400),
    "a list": ([1], 400),
    "lists without an end": (deep(100_000), 400),
    "lists beyond all limits": (deep(300_000), 413),
    "lists that are too deep": (json.loads("[" * 70 + "]" * 70), 400),
    "objects that are too deep": (b'{"messages": ' + b'{"a":' * 900 + b"1" + b"}" * 901, 400),
    "no number": (b'{"temperature": NaN}', 400),
    "an infinite number": (b'{"temperature": 1e999}', 400),
    "a number of ten thousand digits": (b'{"seed": ' + b"9" * 10_000 + b"}", 400),
    "a number of thirty digits": (b'{"seed": ' + b"9" * 30 + b"}", 400),
    "half a character": (b'{"stop": "\\ud800"}', 400),
    "half a character as a name": (b'{"\\ud800": 1}', 400),
    "another folder": ({**CHAT, "model": "/srv/me/models/other"}, 404),
    "a model of the hub": ({**CHAT, "model": "stranger/model"}, 404),
    "no name of a model": ({**CHAT, "model": None}, 404),
    "a name that is none": ({**CHAT, "model": ["demo"]}, 404),
    "two models": (b'{"model": "demo", "messages": [{}], "model": "/srv/me"}', 404),
    "an adapter": ({**CHAT, "adapters": "/srv/me/adapter"}, 404),
    "an adapter of no name": ({**CHAT, "adapters": ""}, 404),
    "a draft model": ({**CHAT, "draft_model": "/srv/me/draft"}, 404),
    "a picture of the network": (
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://10.0.0.1/"}}]}]},
        400,
    ),
    "a picture of this disk": (
        {"messages": [{"role": "user", "content": [{"type": "image", "image": "file:///etc/passwd"}]}]},
        400,
    ),
    "a template": ({**CHAT, "chat_template_kwargs": {"chat_template": "{{ 1 }}"}}, 400),
    "arguments that are none": ({**CHAT, "chat_template_kwargs": [1]}, 400),
    "no prompt": ({"prompt": ""}, 400),
    "several prompts": ({"prompt": ["a", "b"]}, 400),
    "no messages": ({"messages": []}, 400),
    "messages that are none": ({"messages": "Hi"}, 400),
    "a stop string that is none": ({**CHAT, "stop": [5]}, 400),
    "an empty stop string": ({**CHAT, "stop": ""}, 400),
    "many stop strings": ({**CHAT, "stop": ["x"] * 65}, 400),
    "a long stop string": ({**CHAT, "stop": "x" * 1_001}, 400),
    "a window of a million million": ({**CHAT, "repetition_context_size": 10**12}, 400),
    "more candidates than tokens": ({**CHAT, "top_k": 100}, 400),
    "a bias beyond the vocabulary": ({**CHAT, "logit_bias": {"100": 1.0}}, 400),
    "a bias before the vocabulary": ({**CHAT, "logit_bias": {"-1": 1.0}}, 400),
    "a bias that is none": ({**CHAT, "logit_bias": [1]}, 400),
}


@pytest.mark.parametrize("name", BODIES)
def test_what_may_not_be_asked_is_not(stand: Stand, name: str) -> None:
    body, status = BODIES[name]
    answer = asked(stand, request(stand, body=body))
    assert answer.status == status, answer
    assert answer.error["message"] and tells_nothing(answer) and not stand.reached
    assert answer.error["code"] == ("model_not_found" if status == 404 else None)
    assert is_well(stand)


@pytest.mark.parametrize("model", [None, "demo", "default_model"])
def test_the_served_model_is_asked_by_either_name_or_by_none(stand: Stand, model: str | None) -> None:
    body = CHAT if model is None else {**CHAT, "model": model, "draft_model": "default_model", "adapters": None}
    answer = asked(stand, request(stand, f"Origin: http://{stand.host}", "Sec-Fetch-Site: same-origin", body=body))
    assert answer.status == 200 and tells_nothing(answer)
    assert stand.reached == [{**CHAT, "model": model or "default_model"}]


def test_the_list_has_one_model_and_no_place(stand: Stand) -> None:
    one = {"id": "demo", "object": "model", "owned_by": "sluice"}
    for line in (GET, "GET /v1/models?limit=5 HTTP/1.1", "GET /v1/models HTTP/1.0"):
        listed = json.loads(asked(stand, request(stand, line=line)).body)
        assert [{**each, "created": 0} for each in listed["data"]] == [{**one, "created": 0}]
    assert json.loads(asked(stand, request(stand, line="GET /v1/models/demo HTTP/1.1")).body)["id"] == "demo"
    localhost = request(stand, f"Host: LOCALHOST:{stand.server_port}", line="GET /health HTTP/1.1")
    assert json.loads(asked(stand, localhost).body) == {"status": "ok"}


def test_the_words_of_an_error_name_no_place(stand: Stand, capsys: pytest.CaptureFixture[str]) -> None:
    refused = asked(stand, request(stand, body={**CHAT, "user": "refuse"}))
    assert refused.status == 400 and refused.error["message"] == "…/config.json and … are no model"
    assert asked(stand, request(stand, body={**CHAT, "user": "refuse in words"})).error["message"] == "Not Found"
    failed = asked(stand, request(stand, body={**CHAT, "user": "fail"}))
    assert failed.status == 500 and failed.error["message"] == "ValueError: … fails"
    broken = asked(stand, request(stand, body={**CHAT, "user": "break", "stream": True}))
    assert broken.status == 200 and broken.body.startswith('data: 1\n\ndata: {"error"') and tells_nothing(broken)
    assert all(map(tells_nothing, (refused, failed)))


@pytest.mark.parametrize("said", [(), ("Bearer wrong",), ("Bearer ",), ("Basic " + KEY,), (KEY,), (f"Bearer {KEY}x",)])
def test_a_key_is_asked_for_and_told_nowhere(said: tuple[str, ...]) -> None:
    with standing(KEY) as stand:
        lines = tuple(f"Authorization: {each}" for each in said)
        for line in (GET, "POST /v1/chat/completions HTTP/1.1"):
            answer = asked(stand, request(stand, *lines, line=line))
            assert answer.status == 401 and "WWW-Authenticate: Bearer" in answer.head
            assert KEY not in answer.head + answer.body
        assert asked(stand, request(stand, line="GET /health HTTP/1.1")).status == 200
        assert asked(stand, request(stand, f"Authorization: Bearer {KEY}")).status == 200
        assert len(stand.reached) == 1 and KEY not in repr(stand.terms)


def test_a_stream_is_passed_on_as_it_comes(stand: Stand) -> None:
    with connected(stand) as connection:
        connection.sendall(request(stand, body={**CHAT, "user": "drip", "stream": True}))
        content = b""
        while b"data: 1\n\n" not in content:
            content += connection.recv(1 << 16)
        stand.go_on.set()
        while more := connection.recv(1 << 16):
            content += more
    assert content.endswith(b"\r\n\r\ndata: 1\n\ndata: 1\n\n")


def drips(stand: Stand, first: bytes, each: bytes) -> int:
    """How many pieces it takes until it turns away."""
    with connected(stand) as connection:
        connection.sendall(first)
        for count in range(100_000):
            if select.select([connection], [], [], 0.01)[0]:
                return count
            connection.sendall(each)
    raise AssertionError


@pytest.mark.parametrize("where", ["the line", "the head", "the body", "nowhere"])
def test_whoever_drips_is_not_waited_for(stand: Stand, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "READ_S", 0.2)
    monkeypatch.setattr(front, "LINGER_S", 0.0)
    whole = request(stand, "Content-Length: 100000")
    first = {"the line": b"P", "the head": whole[:40], "the body": whole, "nowhere": b""}[where]
    assert drips(stand, first, b"" if where == "nowhere" else b"x") < 1_000
    monkeypatch.undo()
    assert is_well(stand) and len(stand.reached) == 1


def test_a_head_without_an_end_is_cut_off(stand: Stand) -> None:
    with connected(stand) as connection, pytest.raises(OSError):
        while True:
            connection.sendall(b"GET /health HTTP/1.1\r\n" + b"X: " + b"x" * 60_000 + b"\r\n")
            for _ in range(100):
                connection.sendall(b"X: " + b"x" * 60_000 + b"\r\n")
    assert is_well(stand)


def test_a_body_without_an_end_is_refused_before_it_is_read(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "LINGER_LIMIT", 1 << 20)
    with connected(stand) as connection, pytest.raises(OSError):
        connection.sendall(request(stand, "Content-Length: 99999999999"))
        while True:
            connection.sendall(b" " * (1 << 20))
    assert is_well(stand)


def test_so_many_at_once_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "CONNECTIONS", 2)
    with standing() as stand:
        held = [connected(stand), connected(stand)]
        for each in held:
            each.sendall(b"GET")
        with connected(stand) as third:
            assert third.recv(1) == b"", "it is closed without a word"
        for each in held:
            each.close()
        while asked(stand, request(stand)).status != 200:
            pass  # the two are on their way out


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


@given(METHODS, TARGETS, st.lists(st.tuples(NAMES, VALUES, ENDS), max_size=5), st.booleans(), st.integers(0, 2))
@settings(max_examples=250, suppress_health_check=list(HealthCheck))
def test_whatever_comes_through_has_kept_to_the_terms(
    shared: Stand, method: str, target: str, heads: list[tuple[str, str, str]], whole: bool, hosts: int
) -> None:
    """Held against the text that was sent, line by line: what a browser can't be made to leave out is there."""
    content = json.dumps(CHAT).encode()
    given = [(name, value.replace("{port}", str(shared.server_port)), end) for name, value, end in heads]
    given += [("Host", shared.host, "\r\n")] * hosts
    if whole:
        given += [("Content-Type", "application/json", "\r\n"), ("Content-Length", str(len(content)), "\r\n")]
    shared.reached.clear()
    text = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{name}: {value}{end}" for name, value, end in given)
    answer = asked(shared, text.encode("latin-1") + b"\r\n" + content)
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
TERMS = checks.Terms(1, "demo")


@given(st.dictionaries(FIELDS | st.text(max_size=5), JSON | st.sampled_from(["demo", "default_model", {"5": 1}])))
@settings(max_examples=200)
def test_whatever_is_asked_is_asked_of_the_served_model(body: dict[str, object]) -> None:
    said = checks.body_of(json.dumps(body).encode(), TERMS)
    if isinstance(said, checks.Refusal):
        assert 400 <= said.status < 500
        return
    assert said["model"] in ("demo", "default_model") and not {"adapters", "draft_model"} & set(said)
    json.dumps(said, allow_nan=False, ensure_ascii=False).encode()
    if checks.of_vocabulary(said, 100) is None:
        bias = said.get("logit_bias") or {}
        assert isinstance(bias, dict) and all(0 <= int(each) < 100 for each in bias)


@given(st.binary(max_size=60) | st.text('[]{}",:0e-\\u d8tfn', max_size=60).map(str.encode))
@settings(max_examples=400)
def test_no_bytes_are_too_strange(content: bytes) -> None:
    assert isinstance(checks.body_of(content, TERMS), checks.Refusal | dict)


PARTS = st.text(st.characters(whitelist_categories=("L", "N", "S", "Pd", "Pc")), min_size=1)


@given(st.lists(PARTS, min_size=2))
def test_no_place_is_told_wherever_it_is(parts: list[str]) -> None:
    place = "/" + "/".join(parts)
    assert place not in checks.hushed(f"No such file: '{place}' ({place})", FOLDER)
