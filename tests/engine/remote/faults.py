"""A server on this computer whose answers a test writes, byte by byte."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

MODELS = b'{"object": "list", "data": [{"id": "one", "max_model_len": 64}, {"id": "/disk/two"}, {"id": "one"}]}'
OK = "200 OK"
STREAM, JSON, HTML = "text/event-stream", "application/json", "text/html"
SECRET = "sk-very-secret-123"
"""The key of a server."""


@dataclass(frozen=True, slots=True)
class Asked:
    line: str
    headers: dict[str, str]
    body: dict[str, object]

    @property
    def path(self) -> str:
        return self.line.split()[1]


class Line:
    def __init__(self, connection: socket.socket, over: threading.Event) -> None:
        self._connection = connection
        self.over = over

    def send(self, content: bytes) -> None:
        self._connection.sendall(content)

    def head(self, status: str = OK, kind: str = STREAM, **headers: str) -> None:
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        self.send(f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nConnection: close\r\n{lines}\r\n".encode())

    def event(self, value: object) -> None:
        self.send(f"data: {value if isinstance(value, str) else json.dumps(value)}\n\n".encode())

    def text(self, text: str, **choice: object) -> None:
        self.event({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None, **choice}]})

    def end(self, reason: str | None = "stop", usage: dict[str, object] | None = None) -> None:
        self.event({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
        if usage is not None:
            self.event({"choices": [], "usage": usage})
        self.event("[DONE]")

    def silence(self) -> None:
        self._connection.settimeout(0.02)
        while not self.over.is_set():
            try:
                if not self._connection.recv(1):
                    return
            except TimeoutError:
                continue
            except OSError:
                return


Answer = Callable[[Asked, Line], None]


def plain(asked: Asked, line: Line) -> None:
    """A server in order: two words, or the list of its models."""
    if asked.path.endswith("/models"):
        body(MODELS)(asked, line)
        return
    line.head()
    line.text("Hello")
    line.text(" you")
    line.end(usage={"prompt_tokens": 7, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 4}})


def body(content: bytes, status: str = OK, kind: str = JSON, **headers: str) -> Answer:
    def answer(_: Asked, line: Line) -> None:
        line.head(status, kind, **headers)
        line.send(content)

    return answer


def pouring(content: bytes, kind: str = JSON) -> Answer:
    def answer(_: Asked, line: Line) -> None:
        line.head(kind=kind)
        while True:
            line.send(content)

    return answer


@dataclass
class Faults:
    """`answer` may be changed between two requests; `asked` has those that came."""

    address: str
    answer: Answer = plain
    asked: list[Asked] = field(default_factory=list)
    gone: threading.Event = field(default_factory=threading.Event)
    """The other side left in the middle of an answer."""


@contextmanager
def serving(answer: Answer = plain) -> Iterator[Faults]:
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.02)
        faults = Faults(f"http://127.0.0.1:{listening.getsockname()[1]}/v1", answer)
        threads: list[threading.Thread] = []

        def accept() -> None:
            while not over.is_set():
                try:
                    connection, _ = listening.accept()
                except TimeoutError:
                    continue
                connection.settimeout(10)
                threads.append(threading.Thread(target=_serve, args=(connection, faults, over)))
                threads[-1].start()

        accepting = threading.Thread(target=accept)
        accepting.start()
        try:
            yield faults
        finally:
            over.set()
            accepting.join()
            for thread in threads:
                thread.join()


def _serve(connection: socket.socket, faults: Faults, over: threading.Event) -> None:
    with connection:
        try:
            asked = _read(connection)
            if asked is not None:
                faults.asked.append(asked)
                faults.answer(asked, Line(connection, over))
        except OSError:
            faults.gone.set()


def _read(connection: socket.socket) -> Asked | None:
    with connection.makefile("rb") as file:
        line = file.readline().decode("latin-1").strip()
        if not line.endswith("HTTP/1.1"):  # whatever else it is, a server in order waits for no more of it
            return None
        headers: dict[str, str] = {}
        while (each := file.readline().decode("latin-1").strip()) != "":
            name, _, value = each.partition(":")
            headers[name.lower()] = value.strip()
        length = int(headers.get("content-length", "0"))
        content = file.read(length)
        if len(content) < length:  # who asked has gone
            return None
        return Asked(line, headers, json.loads(content) if length else {})
