"""One request to a server and its answer, on a separate thread, so that a caller can stop waiting at any time.

It uses httpx, as huggingface_hub does. The latter's `InferenceClient` is not enough: it has no raw completions, splits
an event at U+2028, limits no line, and its stream can't be closed while it waits. httpx-sse shares these limits. A name
lookup can't be aborted, hence the thread.
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
"""Bytes that are read of an error response."""
JOIN_S, BRIEFLY_S = 0.5, 0.05
"""Seconds that `close` waits for the thread, with and without a connection: it may still resolve the name."""
WAITING_LIMIT, PAUSE_S = 64, 0.01
"""Maximum number of unread pieces, and seconds between checks. Beyond it, TCP flow control makes the server wait."""
KEY = re.compile(r"[!-~]{1,4096}")
"""Pattern of a key: printable characters without space, since it is sent in a header."""


@dataclass(frozen=True, slots=True)
class ResponseStart:
    """The start of an answer; times in seconds."""

    connect: float
    first_byte: float
    kind: str
    """The content type."""


@dataclass(frozen=True, slots=True)
class ResponseData:
    at: float
    content: bytes


@dataclass(frozen=True, slots=True)
class EndOfStream:
    """The end of an answer, with a failure if it is incomplete."""

    failure: Failure | None = None
    status: int = 0


Piece = ResponseStart | ResponseData | EndOfStream


class ExchangeCancelledError(Exception):
    """The exchange was closed."""


class Exchange:
    """A request, sent on a thread at once. Call `next` until `EndOfStream`; `close` aborts it."""

    def __init__(self, address: str, path: str, key: str = "", body: dict[str, object] | None = None) -> None:
        self.address, self.key = address, key
        self._path, self._body = path, body
        model = (body or {}).get("model")
        self._model = model if isinstance(model, str) else ""
        self._pieces: SimpleQueue[Piece] = SimpleQueue()
        self._lock = threading.Lock()
        self._stream: Any = None
        self._closed = threading.Event()
        self._begun = self._connected = 0.0
        self._thread = threading.Thread(target=self._work, name="server exchange", daemon=True)
        self._thread.start()

    def next(self, seconds: float) -> Piece | None:
        try:
            return self._pieces.get(timeout=seconds)
        except Empty:
            return None

    def read_all(self, seconds: float, limit: int) -> tuple[ResponseStart, bytes] | Failure:
        """Return the complete body, or a Failure beyond this time or size."""
        opened, content, until = ResponseStart(0.0, 0.0, ""), bytearray(), time.monotonic() + seconds
        while (remaining := until - time.monotonic()) > 0 and (piece := self.next(remaining)) is not None:
            if isinstance(piece, ResponseStart):
                opened = piece
            elif isinstance(piece, EndOfStream):
                return piece.failure or (opened, bytes(content))
            elif len(content) + len(piece.content) > limit:
                return failures.not_model_server(self.address)
            else:
                content += piece.content
        return failures.silence(self.address, seconds)

    def redact(self, text: str) -> str:
        return redact(text, self.key)

    def close(self) -> None:
        """Close the connection, also during a read; a name lookup can't be aborted."""
        with self._lock:
            self._closed.set()
            stream, self._stream = self._stream, None
        if stream is not None:
            shut(stream)
        self._thread.join(JOIN_S if stream is not None else BRIEFLY_S)

    def _work(self) -> None:
        if self.key and KEY.fullmatch(self.key) is None:
            what = tr("This server's key has invalid characters.")
            self._pieces.put(EndOfStream(Failure(what, tr("Enter it again in the model picker."), kind="key")))
            return
        try:
            self._pieces.put(self._request())
        except ExchangeCancelledError:
            self._pieces.put(EndOfStream())
        except Exception as error:
            self._pieces.put(EndOfStream(failures.network_failure(error, self.address, self.key)))

    def _request(self) -> EndOfStream:
        import httpx2  # The import takes 0.1 s, so it runs on this thread.

        # A few compressed bytes could be gigabytes.
        headers = {
            "user-agent": f"sluice/{__version__}",
            "accept": "text/event-stream, application/json",
            "accept-encoding": "identity",
        }
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        timeout = httpx2.Timeout(None, connect=CONNECT_S)
        # The system's proxy is not used for this computer.
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
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in ("identity", ""):
            return EndOfStream(failures.not_model_server(self.address, f"Content-Encoding: {self.redact(encoding)}"))
        connected = self._connected or self._begun
        first = time.monotonic() - connected
        self._pieces.put(ResponseStart(connected - self._begun, first, response.headers.get("content-type", "")))
        for content in response.iter_raw():
            self._pieces.put(ResponseData(time.monotonic(), content))
            while self._pieces.qsize() > WAITING_LIMIT and not self._closed.wait(PAUSE_S):
                pass
            if self._closed.is_set():
                raise ExchangeCancelledError
        return EndOfStream()

    def _refused(self, response: httpx2.Response) -> EndOfStream:
        import httpx2

        body = b""
        with suppress(httpx2.HTTPError):  # the status counts, even if the body is incomplete
            for content in response.iter_raw():
                body += content
                if len(body) > BODY_LIMIT:
                    break
        status, location = response.status_code, response.headers.get("location", "")
        failure = failures.refused(self.address, status, body[:BODY_LIMIT], location, self._model, self.key)
        return EndOfStream(failure, status)

    def _watch(self, name: str, info: dict[str, Any]) -> None:
        if name.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._connected = time.monotonic()
            stream: Any = info.get("return_value")
            with self._lock:
                if self._closed.is_set():
                    stream.close()
                    raise ExchangeCancelledError
                self._stream = stream


@cache
def _certificates() -> ssl.SSLContext:
    """Load the system's certificates, which takes 0.1 s."""
    import httpx2

    return httpx2.create_ssl_context()


def shut(stream: Any) -> None:  # noqa: ANN401 (httpcore's own)
    """Close a connection with a reset, so that reader and server notice at once."""
    connection = stream.get_extra_info("socket")
    if connection is not None:
        try:
            # Close with a reset: else a server would wait until its data is read.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # it is already closed
