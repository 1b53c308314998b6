"""The proxy with a stand-in for mlx-lm's handler behind it, and raw requests to it, byte by byte."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import cast

from app.serving.checks import AccessPolicy
from app.serving.proxy import ProxyHandler, ProxyServer
from tests.patience import WAIT_S

FOLDER = "/srv/me/models/secret place"
KEY = "sk-very-secret-123"
CHATTING = "POST /v1/chat/completions HTTP/1.1"
CHAT = {"messages": [{"role": "user", "content": "Hi"}]}


class Behind(BaseHTTPRequestHandler):
    """As mlx-lm's handler: checks nothing, invites every page, and names paths of models."""

    def do_GET(self) -> None:
        self._say(200, {"status": "ok"})

    def do_POST(self) -> None:
        said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        cast(Stand, self.server).reached.append(said)
        match said.get("user"):
            case "refuse":
                self._say(404, {"error": f"{FOLDER}/config.json and /usr/lib/python3 are no model"})
            case "refuse in words":
                self._say(404, None)
            case "fail":
                self.send_response(200)
                raise ValueError(f"{FOLDER} fails")
            case "break":
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"data: 1\n\n")
                raise ValueError(f"{FOLDER} fails")
            case "drip":
                self.send_response(200)
                self.end_headers()
                for _ in range(2):
                    self.wfile.write(b"data: 1\n\n")
                    assert cast(Stand, self.server).go_on.wait(WAIT_S)
            case "pour":
                self.send_response(200)
                self.end_headers()
                while True:
                    self.wfile.write(b"data: 1\n\n" * 10_000)
            case _:
                self._say(200, {"passed": said})

    def _say(self, status: int, said: object) -> None:
        self.send_response(status)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Allow-Headers", "*")
        self.end_headers()
        self.wfile.write(b"Not Found" if said is None else json.dumps(said).encode())


class Guarded(ProxyHandler, Behind):
    """As `app.engine.mlx.served` puts them together."""

    def vocabulary(self) -> int:
        return 100

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's own name)
        cast(Stand, self.server).logged.append(format % args)


@dataclass(frozen=True, slots=True)
class Told:
    """An answer: no status where there was none."""

    status: int
    head: str
    body: str

    @property
    def error(self) -> dict[str, object]:
        """In OpenAI's way."""
        error = json.loads(self.body)["error"]
        assert set(error) == {"message", "type", "param", "code"}
        return cast(dict[str, object], error)


class Stand(ProxyServer):
    """A proxy, and the requests that it passed on."""

    def __init__(self, key: str) -> None:
        self.reached: list[dict[str, object]] = []
        self.logged: list[str] = []
        self.go_on = threading.Event()
        super().__init__(AccessPolicy(0, "demo", key), FOLDER, Guarded)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    def ask(self, *lines: str, line: str = CHATTING, body: object = None) -> Told:
        return asked(self, request(self, *lines, line=line, body=body))


@contextmanager
def standing(key: str = "") -> Iterator[Stand]:
    """Listens until the end of the block."""
    with Stand(key) as stand:
        thread = threading.Thread(target=stand.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield stand
        finally:
            stand.shutdown()
            thread.join()


def connected(stand: Stand) -> socket.socket:
    return socket.create_connection(("127.0.0.1", stand.server_port), WAIT_S)


def asked(stand: Stand, *parts: bytes) -> Told:
    """Everything is sent, and there is no more; then whatever comes."""
    with connected(stand) as connection:
        try:
            for part in parts:
                connection.sendall(part)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # it has turned away already; what it said may be here all the same
        return told(connection)


def told(connection: socket.socket) -> Told:
    content = b""
    try:
        while more := connection.recv(1 << 16):
            content += more
    except ConnectionError:
        pass
    head, _, body = content.partition(b"\r\n\r\n")
    words = head.split(maxsplit=2)
    return Told(int(words[1]) if len(words) > 1 else 0, head.decode("latin-1"), body.decode())


def request(stand: Stand, *lines: str, line: str = CHATTING, body: object = None) -> bytes:
    """With its own host, and a body in order; what `lines` name stands in the place of that."""
    content = body if isinstance(body, bytes) else json.dumps(CHAT if body is None else body).encode()
    heads = {"host": f"Host: {stand.host}", "content-type": "Content-Type: application/json"}
    if line.startswith("POST"):
        heads["content-length"] = f"Content-Length: {len(content)}"
    for each in lines:
        heads.pop(each.partition(":")[0].strip().lower(), None)
    whole = "\r\n".join([line, *heads.values(), *(each for each in lines if not each.endswith(":-"))])
    return whole.encode("latin-1") + b"\r\n\r\n" + (content if line.startswith("POST") else b"")
