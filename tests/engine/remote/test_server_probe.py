import errno
import os
import socket
import ssl
import sys

import httpx2
import pytest

from app.engine.remote import server_probe
from app.engine.remote.failures import network_failure
from app.engine.types import Failure, ReachedServer, Server, ServerModel
from tests.engine.remote.faults import HTML, JSON, SECRET, Faults, body, pouring


def test_list_models_keeps_order_and_context(faults: Faults) -> None:
    reached = server_probe.test(Server(faults.address))
    assert isinstance(reached, ReachedServer)
    assert reached.models == (ServerModel(faults.address, "one", 64), ServerModel(faults.address, "/disk/two"))
    assert reached.connect > 0 and reached.first_byte > 0
    assert server_probe.list_models(Server(faults.address)) == reached.models
    assert "authorization" not in faults.asked[0].headers


def refusal(address: str, key: str = "", silence_s: float = 30.0) -> Failure:
    refused = server_probe.test(Server(address), key, silence_s)
    assert isinstance(refused, Failure)
    return refused


@pytest.mark.parametrize("key", ["two words", "ümlaut", "line\nbreak"])
def test_list_models_invalid_key_is_not_sent(faults: Faults, key: str) -> None:
    refused = refusal(faults.address, key)
    assert refused.kind == "key" and key not in refused.what + refused.todo + refused.details
    assert faults.asked == []


def test_list_models_refused_connection_is_a_failure() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    refused = refusal(f"http://127.0.0.1:{port}/v1")
    assert refused.kind == "refused" and f"127.0.0.1:{port}" in refused.what


def test_list_models_unknown_host_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert refusal("http://localhost:9/v1").kind == "dns"


def test_list_models_tls_to_a_plain_server_is_a_failure(faults: Faults) -> None:
    refused = refusal(faults.address.replace("http:", "https:"))
    assert refused.kind == "tls"
    assert ssl.SSLError.__name__ not in refused.what


@pytest.mark.parametrize(
    ("status", "kind", "content", "expected"),
    [
        ("200 OK", HTML, b"<html><body>A router</body></html>", "protocol"),
        ("200 OK", JSON, b"[1, 2]", "protocol"),
        ("200 OK", JSON, b'{"data": "none"}', "protocol"),
        ("200 OK", JSON, b"", "unlisted"),
        ("200 OK", JSON, b"[" * 100_000, "protocol"),
        ("404 Not Found", HTML, b"Not Found", "protocol"),
        ("429 Too Many Requests", JSON, b"{}", "busy"),
        ("500 Internal Server Error", JSON, b"Traceback: boom", "server"),
        ("503 Service Unavailable", JSON, b'{"message": "loading"}', "server"),
        ("418 I'm a teapot", JSON, b'{"detail": [{"msg": "short and stout"}]}', "request"),
    ],
)
def test_list_models_invalid_answer_is_a_failure(
    faults: Faults, status: str, kind: str, content: bytes, expected: str
) -> None:
    faults.answer = body(content, status, kind)
    refused = refusal(faults.address)
    assert refused.kind == expected
    assert refused.what.count("\n") == 0 and "Traceback" not in refused.what and "<html" not in refused.what
    assert refused.todo.endswith(".")


def test_list_models_redirect_is_not_followed(faults: Faults) -> None:
    faults.answer = lambda _, line: line.head("308 Permanent Redirect", Location="http://elsewhere.example/v1/models")
    refused = refusal(faults.address, SECRET)
    assert refused.kind == "redirect" and "elsewhere.example" in refused.what
    assert len(faults.asked) == 1


def test_list_models_silent_server_times_out(faults: Faults) -> None:
    faults.answer = lambda _, line: line.silence()
    refused = refusal(faults.address, silence_s=0.1)
    assert refused.kind == "silent" and "0.1 seconds" in refused.what


def test_list_models_endless_list_is_cut_off(faults: Faults) -> None:
    faults.answer = pouring(b" " * (1 << 20))
    assert refusal(faults.address).kind == "protocol" and faults.gone.wait(60)


def test_list_models_loopback_ignores_the_proxy(faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = faults.address.removesuffix("/v1")
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, proxy)
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert isinstance(server_probe.test(Server("http://far.invalid:8080/v1")), ReachedServer)
    assert faults.asked[-1].line.startswith("GET http://far.invalid:8080/v1/models ")
    assert isinstance(server_probe.test(Server(faults.address)), ReachedServer)
    assert faults.asked[-1].line.startswith("GET /v1/models ")


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "refusing"])
def test_list_models_broken_proxy_is_named(faults: Faults, monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    faults.answer = lambda asked, line: line.head("403 Forbidden")
    monkeypatch.setenv("https_proxy", faults.address.removesuffix("/v1") if proxy == "refusing" else proxy)
    failure = refusal("https://far.invalid/v1")
    assert failure.kind == "proxy" and "NO_PROXY" in failure.todo


PRIVACY = "Allow Sluice in System Settings → Privacy & Security → Local Network, or check the address."
USUAL = "Check the network and the address."


@pytest.mark.parametrize(
    ("system", "number", "todo"),
    [
        ("darwin", errno.EHOSTUNREACH, PRIVACY),
        ("darwin", errno.ENETUNREACH, USUAL),
        ("linux", errno.EHOSTUNREACH, USUAL),
    ],
)
def test_list_models_on_a_mac_without_route_names_the_setting(
    monkeypatch: pytest.MonkeyPatch, system: str, number: int, todo: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    error = httpx2.ConnectError("All connection attempts failed")
    error.__cause__ = OSError(number, os.strerror(number))
    failure = network_failure(error, "http://192.168.1.20:8080/v1")
    assert (failure.what, failure.todo) == ("192.168.1.20:8080 can't be reached.", todo)
    assert failure.kind == "unreachable"
