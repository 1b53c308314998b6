"""Requests that the proxy refuses, each with its status."""

import json

from tests.serving.asking import CHAT, Stand, Told

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

LINES: dict[str, tuple[str, int]] = {
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
    "a threshold that no sampler takes": ({**CHAT, "xtc_probability": 1.0, "xtc_threshold": 0.6}, 400),
    "yes for a number of tokens": ({**CHAT, "top_k": True}, 400),
    "yes for a number of alternatives": ({**CHAT, "logprobs": True, "top_logprobs": True}, 400),
    "more alternatives than tokens": ({**CHAT, "top_k": 1_000_000}, 400),
    "a bias beyond the vocabulary": ({**CHAT, "logit_bias": {"1000000": 1.0}}, 400),
    "a bias before the vocabulary": ({**CHAT, "logit_bias": {"-1": 1.0}}, 400),
    "a bias that is none": ({**CHAT, "logit_bias": [1]}, 400),
    "a bias without a number": ({**CHAT, "logit_bias": {"5": None}}, 400),
    "a seed below nothing": ({**CHAT, "seed": -1}, 400),
    "options of a stream that are none": ({**CHAT, "stream_options": 5}, 400),
}

ANSWERED: dict[str, dict[str, object]] = {
    "a threshold that no sampler looks at": {**CHAT, "xtc_threshold": 1.0},
    "a threshold of what never happens": {**CHAT, "xtc_probability": 0.0, "xtc_threshold": 1.0},
    "the highest threshold": {**CHAT, "xtc_probability": 1.0, "xtc_threshold": 0.5},
    "the highest seed": {**CHAT, "seed": 2**63 - 1},
}
"""Requests that look like attacks, and are none."""


def of_head(stand: Stand, name: str) -> Told:
    return stand.ask(*(each.replace("{port}", str(stand.server_port)) for each in HEADS[name][0]))


def of_line(stand: Stand, name: str) -> Told:
    return stand.ask(*(("Host:-",) if name == "the oldest protocol" else ()), line=LINES[name][0])


def tells_nothing(answer: Told) -> bool:
    """Whether the answer invites no page and names no path."""
    words = ("/srv/", "/models/", "site-packages", "Traceback")
    return "access-control" not in answer.head.lower() and not any(word in answer.body for word in words)
