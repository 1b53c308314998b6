import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from app.serving import checks, proxy
from tests.examples import at_most
from tests.serving.asking import CHAT, FOLDER, KEY, Stand, asked, connected, request, standing
from tests.serving.attacks import ANSWERED, BODIES, HEADS, LINES, of_head, of_line, tells_nothing

GET = "GET /v1/models HTTP/1.1"


@pytest.fixture
def stand() -> Iterator[Stand]:
    with standing() as stand:
        yield stand


def is_well(stand: Stand) -> bool:
    return stand.ask().status == 200


@pytest.mark.parametrize("name", HEADS)
def test_proxy_forbidden_head_is_refused(stand: Stand, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = of_head(stand, name)
    assert answer.status == HEADS[name][1], answer
    assert answer.error["message"] and tells_nothing(answer) and not stand.reached
    assert is_well(stand)


@pytest.mark.parametrize("name", LINES)
def test_proxy_other_path_is_refused(stand: Stand, name: str) -> None:
    answer = of_line(stand, name)
    assert answer.status == LINES[name][1], answer
    assert answer.error["message"] and tells_nothing(answer) and not stand.reached
    assert "evil" not in answer.body and "xxxx" not in answer.body, "nothing of it is quoted"


def test_proxy_preflight_is_refused(stand: Stand) -> None:
    lines = ("Origin: https://evil.example", "Access-Control-Request-Method: POST")
    answer = stand.ask(*lines, line="OPTIONS /v1/chat/completions HTTP/1.1")
    assert answer.status == 403 and tells_nothing(answer)


@pytest.mark.parametrize("name", BODIES)
def test_proxy_forbidden_body_is_refused(stand: Stand, name: str) -> None:
    answer, status = stand.ask(body=BODIES[name][0]), BODIES[name][1]
    assert answer.status == status, answer
    assert answer.error["message"] and tells_nothing(answer) and not stand.reached
    assert answer.error["code"] == ("model_not_found" if status == 404 else None)
    assert is_well(stand)


@pytest.mark.parametrize("name", ANSWERED)
def test_proxy_allowed_body_is_passed_on(stand: Stand, name: str) -> None:
    answer = stand.ask(body=ANSWERED[name])
    assert answer.status == 200 and len(stand.reached) == 1, answer


@pytest.mark.parametrize("model", [None, "demo", "default_model"])
def test_proxy_either_name_of_the_model_is_passed_on(stand: Stand, model: str | None) -> None:
    body = CHAT if model is None else {**CHAT, "model": model, "draft_model": "default_model", "adapters": None}
    answer = stand.ask(f"Origin: http://{stand.host}", "Sec-Fetch-Site: same-origin", body=body)
    assert answer.status == 200 and tells_nothing(answer)
    assert stand.reached == [{**CHAT, "model": model or "default_model"}]


def test_proxy_null_values_are_left_out(stand: Stand) -> None:
    """Clients send null for absent values; mlx-lm takes it for a value of the wrong type."""
    nothing = dict.fromkeys(("model", "temperature", "max_tokens", "stream", "stream_options", "top_k", "seed", "stop"))
    assert stand.ask(body={**CHAT, **nothing}).status == 200
    assert stand.reached == [{**CHAT, "model": "default_model"}]


def test_proxy_stream_options_get_include_usage(stand: Stand) -> None:
    """mlx-lm ends at stream_options without include_usage."""
    for said in ({}, {"include_obfuscation": False}, {"include_usage": True}):
        assert stand.ask(body={**CHAT, "stream_options": said}).status == 200
    assert [each["stream_options"] for each in stand.reached] == [
        {"include_usage": False},
        {"include_obfuscation": False, "include_usage": False},
        {"include_usage": True},
    ]


def test_proxy_models_lists_one_without_its_path(stand: Stand) -> None:
    one = {"id": "demo", "object": "model", "owned_by": "sluice"}
    for line in (GET, "GET /v1/models?limit=5 HTTP/1.1", "GET /v1/models HTTP/1.0"):
        listed = json.loads(stand.ask(line=line).body)
        assert [{**each, "created": 0} for each in listed["data"]] == [{**one, "created": 0}]
    assert json.loads(stand.ask(line="GET /v1/models/demo HTTP/1.1").body)["id"] == "demo"
    healthy = stand.ask(f"Host: LOCALHOST:{stand.server_port}", line="GET /health HTTP/1.1")
    assert json.loads(healthy.body) == {"status": "ok"}


def test_proxy_errors_hide_paths(stand: Stand, capsys: pytest.CaptureFixture[str]) -> None:
    refused = stand.ask(body={**CHAT, "user": "refuse"})
    assert refused.status == 400 and refused.error["message"] == "…/config.json and … are no model"
    assert stand.ask(body={**CHAT, "user": "refuse in words"}).error["message"] == "Not Found"
    failed = stand.ask(body={**CHAT, "user": "fail"})
    assert failed.status == 500 and failed.error["message"] == "ValueError: … fails"
    broken = stand.ask(body={**CHAT, "user": "break", "stream": True})
    assert broken.status == 200 and broken.body.startswith('data: 1\n\ndata: {"error"') and tells_nothing(broken)
    assert all(map(tells_nothing, (refused, failed)))


@pytest.mark.parametrize(
    "said", [(), ("Bearer wrong",), ("Bearer ",), ("Basic " + KEY,), ("Bearer \xff\xfe",), (KEY,), (f"Bearer {KEY}x",)]
)
def test_proxy_wrong_key_is_refused(said: tuple[str, ...]) -> None:
    with standing(KEY) as stand:
        lines = tuple(f"Authorization: {each}" for each in said)
        for line in (GET, "POST /v1/chat/completions HTTP/1.1"):
            answer = stand.ask(*lines, line=line)
            assert answer.status == 401 and "WWW-Authenticate: Bearer" in answer.head
            assert KEY not in answer.head + answer.body
        assert stand.ask(line="GET /health HTTP/1.1").status == 200
        assert stand.ask(f"Authorization: Bearer {KEY}").status == 200
        assert len(stand.reached) == 1 and KEY not in repr(stand.policy)


def test_proxy_stream_is_passed_on_at_once(stand: Stand) -> None:
    with connected(stand) as connection:
        connection.sendall(request(stand, body={**CHAT, "user": "drip", "stream": True}))
        content = b""
        while b"data: 1\n\n" not in content:
            content += connection.recv(1 << 16)
        stand.go_on.set()
        while more := connection.recv(1 << 16):
            content += more
    assert content.endswith(b"\r\n\r\ndata: 1\n\ndata: 1\n\n")


@pytest.mark.parametrize("where", ["the line", "the head", "the body", "nowhere"])
def test_proxy_silent_client_is_dropped(stand: Stand, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy.ProxyHandler, "timeout", 0.2)
    monkeypatch.setattr(proxy, "LINGER_S", 0.0)
    whole = request(stand, "Content-Length: 100000")
    with connected(stand) as connection:
        connection.sendall({"the line": b"P", "the head": whole[:40], "the body": whole, "nowhere": b""}[where])
        while connection.recv(1 << 16):
            pass
    monkeypatch.undo()
    assert is_well(stand) and len(stand.reached) == 1


def test_proxy_endless_head_is_cut_off(stand: Stand) -> None:
    with connected(stand) as connection, pytest.raises(OSError):
        while True:
            connection.sendall(b"GET /health HTTP/1.1\r\n" + b"X: " + b"x" * 60_000 + b"\r\n")
            for _ in range(100):
                connection.sendall(b"X: " + b"x" * 60_000 + b"\r\n")
    assert is_well(stand)


def test_proxy_endless_body_is_refused_unread(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "LINGER_LIMIT", 1 << 20)
    with connected(stand) as connection, pytest.raises(OSError):
        connection.sendall(request(stand, "Content-Length: 99999999999"))
        while True:
            connection.sendall(b" " * (1 << 20))
    assert is_well(stand)


def test_proxy_busy_server_queues_connections() -> None:
    """Also while generation keeps it from accepting: a client beyond the queue would retry after a second."""
    with Stand("") as busy, ExitStack() as held:
        for _ in range(proxy.QUEUE_SIZE):
            held.enter_context(socket.create_connection(("127.0.0.1", busy.server_port), 0.5))


def test_proxy_client_reading_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "SEND_S", 0.2)
    with standing() as stand, connected(stand) as connection:
        connection.sendall(request(stand, body={**CHAT, "user": "pour", "stream": True}))
        while not any("timed out" in line for line in stand.logged):
            assert is_well(stand)


def test_proxy_requests_of_a_page_are_not_logged(stand: Stand) -> None:
    for _ in range(20):
        assert of_head(stand, "a foreign origin").status == 403
    assert is_well(stand) and len(stand.logged) == 1


def test_proxy_listens_on_the_loopback_address(stand: Stand) -> None:
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
def test_proxy_any_head_that_passes_obeys_the_policy(
    shared: Stand, method: str, target: str, heads: list[tuple[str, str, str]], whole: bool, hosts: int
) -> None:
    """Checked against the text that was sent: the headers that no page can forge are right."""
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
POLICY = checks.AccessPolicy(1, "demo")


@pytest.mark.slow
@given(st.dictionaries(FIELDS | st.text(max_size=5), JSON | st.sampled_from(["demo", "default_model", {"5": 1}])))
@at_most(40)
def test_read_body_any_json_names_the_served_model(body: dict[str, object]) -> None:
    said = checks.read_body(json.dumps(body).encode(), POLICY)
    if isinstance(said, checks.ErrorResponse):
        assert 400 <= said.status < 500
        return
    assert said["model"] in ("demo", "default_model") and not {"adapters", "draft_model"} & set(said)
    json.dumps(said, allow_nan=False, ensure_ascii=False).encode()
    if checks.check_vocabulary(said, 100) is None:
        bias = said.get("logit_bias") or {}
        assert isinstance(bias, dict) and all(0 <= int(each) < 100 for each in bias)


@given(st.binary(max_size=60) | st.text('[]{}",:0e-\\u d8tfn', max_size=60).map(str.encode))
@at_most(200)
def test_read_body_any_bytes_return_a_value(content: bytes) -> None:
    assert isinstance(checks.read_body(content, POLICY), checks.ErrorResponse | dict)


PARTS = st.text(st.characters(whitelist_categories=("L", "N", "S", "Pd", "Pc")), min_size=1)


@given(st.lists(PARTS, min_size=2))
def test_hide_paths_any_path_is_removed(parts: list[str]) -> None:
    place = "/" + "/".join(parts)
    assert place not in checks.hide_paths(f"No such file: '{place}' ({place})", FOLDER)
