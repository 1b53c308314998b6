"""One request to a server and what comes back, on a thread of its own: whoever waits can turn away at any time.

httpx is what huggingface_hub itself speaks with. Its `InferenceClient` is not enough: it has no raw completions but
text-generation-inference's own, cuts an event in two at U+2028 inside a text, bounds no line, raises whatever JSON
raises, and its stream can't be closed while it waits. Nor can any look-up of a name be called off, hence the thread.
"""

from __future__ import annotations

import re
import socket
import ssl
import struct
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from app import __version__
from app.engine.remote import failures
from app.engine.remote.address import is_loopback
from app.engine.remote.foreign_json import redact
from app.engine.types import Failure
from app.i18n import tr

if TYPE_CHECKING:
    import httpx2

CONNECT_S = 10.0
BODY_LIMIT = 1 << 16
"""Of an answer that is no success so much is read: what it says of itself stands at its beginning."""
JOIN_S, BRIEFLY_S = 0.5, 0.05
"""So long its thread is waited for; one that still looks for the server ends when it has found it."""
WAITING_LIMIT, PAUSE_S = 64, 0.01
"""So much may lie here unread; then the server has to wait, which it hears from its own connection."""
KEY = re.compile(r"[!-~]{1,4096}")
"""Printable and without spaces: what a header can hold."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The answer has begun."""

    connect: float
    first_byte: float
    kind: str
    """Its content type."""


@dataclass(frozen=True, slots=True)
class Data:
    """Some bytes of it, and when they were in hand."""

    at: float
    content: bytes


@dataclass(frozen=True, slots=True)
class EndOfStream:
    """There is no more; with a failure, it broke off or never began."""

    failure: Failure | None = None
    status: int = 0


News = Opened | Data | EndOfStream


class ExchangeCancelledError(Exception):
    """Nobody waits any more."""


class Exchange:
    """Begins at once. `next` is asked until it says `EndOfStream`; `close` ends it whatever it is doing."""

    def __init__(self, address: str, path: str, key: str = "", body: dict[str, object] | None = None) -> None:
        self.address, self.key = address, key
        self._path, self._body = path, body
        model = (body or {}).get("model")
        self._model = model if isinstance(model, str) else ""
        self._news: SimpleQueue[News] = SimpleQueue()
        self._lock = threading.Lock()
        self._stream: Any = None
        self._away = threading.Event()
        self._begun = self._connected = 0.0
        self._thread = threading.Thread(target=self._work, name="server exchange", daemon=True)
        self._thread.start()

    def next(self, seconds: float) -> News | None:
        """What came next; None if nothing came in this time."""
        try:
            return self._news.get(timeout=seconds)
        except Empty:
            return None

    def whole(self, seconds: float, limit: int) -> tuple[Opened, bytes] | Failure:
        """All of a short answer, within this time, and so many bytes of it and no more."""
        opened, content, until = Opened(0.0, 0.0, ""), bytearray(), time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and (news := self.next(left)) is not None:
            if isinstance(news, Opened):
                opened = news
            elif isinstance(news, EndOfStream):
                return news.failure or (opened, bytes(content))
            elif len(content) + len(news.content) > limit:
                return failures.foreign(self.address)
            else:
                content += news.content
        return failures.silence(self.address, seconds)

    def redact(self, text: str) -> str:
        return redact(text, self.key)

    def close(self) -> None:
        """Close the connection under the hands of whoever reads from it; a look-up of a name is left to itself."""
        with self._lock:
            self._away.set()
            stream, self._stream = self._stream, None
        if stream is not None:
            shut(stream)
        self._thread.join(JOIN_S if stream is not None else BRIEFLY_S)

    def _work(self) -> None:
        if self.key and KEY.fullmatch(self.key) is None:
            what = tr("This server's key has invalid characters.")
            self._news.put(EndOfStream(Failure(what, tr("Enter it again in the model picker."), kind="key")))
            return
        try:
            self._news.put(self._converse())
        except ExchangeCancelledError:
            self._news.put(EndOfStream())
        except Exception as error:
            self._news.put(EndOfStream(failures.network_failure(error, self.address, self.key)))

    def _converse(self) -> EndOfStream:
        import httpx2  # A tenth of a second, which this thread has and the window has not.

        # Packed, a few bytes could be gigabytes.
        headers = {
            "user-agent": f"sluice/{__version__}",
            "accept": "text/event-stream, application/json",
            "accept-encoding": "identity",
        }
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        timeout = httpx2.Timeout(None, connect=CONNECT_S)
        # A proxy that the system names is not asked for what is on this machine.
        trust = not is_loopback(self.address)
        verify = _certificates() if self.address.startswith("https:") else False
        with httpx2.Client(timeout=timeout, trust_env=trust, verify=verify) as client:
            self._begun = time.monotonic()
            with client.stream(
                "GET" if self._body is None else "POST",
                self.address + self._path,
                json=self._body,
                headers=headers,
                extensions={"trace": self._watch},
            ) as response:
                return self._read(response)

    def _read(self, response: httpx2.Response) -> EndOfStream:
        if not response.is_success:
            return self._refused(response)
        packed = response.headers.get("content-encoding", "identity").strip().lower()
        if packed not in ("identity", ""):
            return EndOfStream(failures.foreign(self.address, f"Content-Encoding: {self.redact(packed)}"))
        connected = self._connected or self._begun
        first = time.monotonic() - connected
        self._news.put(Opened(connected - self._begun, first, response.headers.get("content-type", "")))
        for content in response.iter_raw():
            self._news.put(Data(time.monotonic(), content))
            while self._news.qsize() > WAITING_LIMIT and not self._away.wait(PAUSE_S):
                pass
            if self._away.is_set():
                raise ExchangeCancelledError
        return EndOfStream()

    def _refused(self, response: httpx2.Response) -> EndOfStream:
        import httpx2

        body = b""
        with suppress(httpx2.HTTPError):  # its status counts, also where it breaks off in its words
            for content in response.iter_raw():
                body += content
                if len(body) > BODY_LIMIT:
                    break
        status, location = response.status_code, response.headers.get("location", "")
        failure = failures.refused(self.address, status, body[:BODY_LIMIT], location, self._model, self.key)
        return EndOfStream(failure, status)

    def _watch(self, name: str, info: dict[str, Any]) -> None:
        """Called by the client at each of its steps: here the connection is taken hold of."""
        if name.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._connected = time.monotonic()
            stream: Any = info.get("return_value")
            with self._lock:
                if self._away.is_set():
                    stream.close()
                    raise ExchangeCancelledError
                self._stream = stream


@cache
def _certificates() -> ssl.SSLContext:
    """Whom the system trusts; reading that takes a tenth of a second, and plain HTTP has no use for it."""
    import httpx2

    return httpx2.create_ssl_context()


def shut(stream: Any) -> None:  # noqa: ANN401 (httpcore's own)
    """Whoever reads from it hears at once that nothing more comes, and so does a server that is in the middle of it."""
    connection = stream.get_extra_info("socket")
    if connection is not None:
        try:
            # Its close is a reset: one whose words wait for room here would else wait on.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # it is closed already
