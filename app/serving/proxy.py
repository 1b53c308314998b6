"""The front of a server of one's own: it listens on this machine alone, and lets through what keeps to the terms.

mlx_lm.server asks nobody who he is: any web page could have it load any folder, and read where the models lie.
"""

import io
import json
import math
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeAlias, cast

from app.files import json_reader
from app.serving import checks
from app.serving.checks import AccessPolicy, ErrorResponse
from app.serving.types import LOOPBACK

Asking: TypeAlias = socket.socket | tuple[bytes, socket.socket]
"""A connection, as the standard library has it in its signatures."""
HEAD_LIMIT = 128 << 10
READ_S = 20.0
"""So long a request may take to come in, head and body together, however it drips."""
SEND_S = 60.0
"""So long nothing may be taken of an answer."""
CONNECTIONS = 32
TELL_S = 0.1
"""Refusals are logged no oftener: a page may ask a thousand times a second."""
LINGER_LIMIT, LINGER_S = 32 << 20, 2.0
"""So much of what is refused is still taken: whoever is in the middle of sending hears nothing before."""


class LimitedBody(io.RawIOBase):
    """What comes in on a connection, up to a number of bytes and a time."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self.room, self.until = HEAD_LIMIT, time.monotonic() + READ_S

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        left = self.until - time.monotonic()
        if left <= 0 or not self.room:
            raise TimeoutError
        self._connection.settimeout(left)
        count = self._connection.recv_into(buffer[: self.room])
        self.room -= count
        return count


class FrontServer(ThreadingHTTPServer):
    """Listens on this machine alone, with a bounded number of connections, each a thread."""

    request_queue_size = CONNECTIONS

    def __init__(self, terms: AccessPolicy, folder: str, handler: Callable[..., BaseHTTPRequestHandler]) -> None:
        self._places = threading.BoundedSemaphore(CONNECTIONS)
        self._told_at = -math.inf
        super().__init__((LOOPBACK, terms.port), cast(type[BaseHTTPRequestHandler], handler))
        self.terms, self.folder = replace(terms, port=self.server_port), folder

    def process_request(self, request: Asking, client_address: object) -> None:
        """One too many is closed without a word: an answer to it would have to be waited for here."""
        if not self._places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:  # no thread was to be had
            self._places.release()
            raise

    def process_request_thread(self, request: Asking, client_address: object) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def tells(self) -> bool:
        """Whether a refusal is to be logged now."""
        now = time.monotonic()
        due = now - self._told_at > TELL_S
        if due:
            self._told_at = now
        return due

    def handle_error(self, request: object, client_address: object) -> None:
        """In one line: most of all, that whoever asked has gone."""
        sys.stderr.write(f"An answer broke off: {type(sys.exception()).__name__}\n")


class ProxyHandler(BaseHTTPRequestHandler):
    """Stands before a handler of questions: a class derives from this one first, and from that one second."""

    server_version, sys_version = "Sluice", ""
    _streams = False
    _failed = 0
    """The status with which the handler behind refuses."""
    _begun = False
    """Its head is on the way."""

    @property
    def terms(self) -> AccessPolicy:
        return cast(FrontServer, self.server).terms

    def vocabulary(self) -> int:
        """How many tokens the model knows; 0 until it is loaded."""
        return 0

    def setup(self) -> None:
        super().setup()
        self.rfile.close()
        self._incoming = LimitedBody(self.connection)
        self.rfile = io.BufferedReader(self._incoming)

    def parse_request(self) -> bool:
        """Whatever is asked comes by here, before anybody answers it."""
        if not super().parse_request():
            return False
        refusal = checks.of_head(self.command, self.path, self.headers, self.terms)
        self.path = checks.path_of(self.path)
        if refusal is None and self.command == "POST":
            refusal = checks.of_kind(self.headers) or self._take_body()
        if refusal is not None:
            self._refuse(refusal)
        self.connection.settimeout(SEND_S)
        return refusal is None

    def do_GET(self) -> None:
        name = checks.asked_model(self.path)
        entry = {"id": self.terms.model, "object": "model", "created": int(time.time()), "owned_by": "sluice"}
        if self.path == checks.HEALTH:
            self._pass_on(super().do_GET)  # type: ignore[misc]
        elif not name:
            self._answer(HTTPStatus.OK, {"object": "list", "data": [entry]})
        elif checks.names_model(name, self.terms):
            self._answer(HTTPStatus.OK, entry)
        else:
            self._refuse(ErrorResponse(404, f"This server has one model: {self.terms.model}.", "model_not_found"))

    def do_POST(self) -> None:
        self._pass_on(super().do_POST)  # type: ignore[misc]

    def _pass_on(self, answer: Callable[[], None]) -> None:
        """What the handler behind refuses is told in OpenAI's way; of its own failures it would tell nothing."""
        sent = self.wfile
        try:
            answer()
        except (ConnectionError, TimeoutError):
            raise  # the one who asked has gone
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            sys.stderr.write(f"{told}\n")
            self._break_off(self._hushed(told))
            return
        if self._failed:
            kept, self.wfile = cast(io.BytesIO, self.wfile), sent
            # What it says in this way is never that the model is absent: another one is not asked for.
            status = 400 if self._failed == 404 else self._failed
            self._refuse(ErrorResponse(status, self._hushed(_told(kept.getvalue()))))

    def look_for_asker(self) -> None:
        """Raises where whoever asked has hung up."""
        self.connection.setblocking(False)
        try:
            if not self.connection.recv(1, socket.MSG_PEEK):
                raise ConnectionAbortedError
        except BlockingIOError:
            pass  # and waits
        finally:
            self.connection.settimeout(SEND_S)

    def _take_body(self) -> ErrorResponse | None:
        """Whole, and checked; the handler behind finds it where it looks for it."""
        length = checks.length_of(self.headers)
        if isinstance(length, ErrorResponse):
            return length
        self._incoming.room = length
        try:
            content = self.rfile.read(length)
        except TimeoutError:
            return ErrorResponse(408, "The body did not come in time.")
        if len(content) < length:
            return ErrorResponse(400, "The body is shorter than its Content-Length.")
        said = checks.body_of(content, self.terms)
        if isinstance(said, ErrorResponse):
            return said
        if (refusal := checks.of_vocabulary(said, self.vocabulary())) is not None:
            return refusal
        passed = json.dumps(said, ensure_ascii=False).encode()
        self.headers.replace_header("Content-Length", str(len(passed)))
        self._streams, self.rfile = bool(said.get("stream")), io.BufferedReader(io.BytesIO(passed))
        return None

    def _refuse(self, refusal: ErrorResponse) -> None:
        kind = "invalid_request_error" if refusal.status < 500 else "server_error"
        said = {"message": refusal.said, "type": kind, "param": None, "code": refusal.code}
        self._answer(refusal.status, {"error": said})
        self._linger()

    def _answer(self, status: int, said: dict[str, object]) -> None:
        """At once and whole, whatever the handler behind had begun to write."""
        content, asks = json.dumps(said).encode(), "WWW-Authenticate: Bearer\r\n" if status == 401 else ""
        head = (
            f"HTTP/1.0 {status} {HTTPStatus(status).phrase}\r\nContent-Type: application/json\r\n{asks}"
            f"Content-Length: {len(content)}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
        )
        if status < 400 or cast(FrontServer, self.server).tells():
            self.log_request(status)
        self.close_connection = self._begun = True
        self.wfile.write(head.encode())
        if self.command != "HEAD":
            self.wfile.write(content)

    def _break_off(self, said: str) -> None:
        """In the middle of a stream there is no status any more, but an event can tell it."""
        if not self._begun:
            self._refuse(ErrorResponse(500, said))
        elif self._streams:
            event = {"error": {"message": said, "type": "server_error", "param": None, "code": None}}
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())

    def _linger(self) -> None:
        """Until the other side has sent it all, or long enough."""
        left, until = LINGER_LIMIT, time.monotonic() + LINGER_S
        try:
            self.connection.shutdown(socket.SHUT_WR)
            while left > 0 and (seconds := until - time.monotonic()) > 0:
                self.connection.settimeout(seconds)
                if not (content := self.connection.recv(1 << 16)):
                    return
                left -= len(content)
        except OSError:
            return

    def _hushed(self, said: str) -> str:
        return checks.hushed(said, cast(FrontServer, self.server).folder)

    def send_response(self, code: int, message: str | None = None) -> None:
        """A refusal of the handler behind goes no further than to `do_POST`."""
        if code < 400:
            super().send_response(code, message)
        else:
            self._failed, self.wfile = code, io.BytesIO()
            self.send_response_only(code, message)

    def send_header(self, keyword: str, value: str) -> None:
        """Nothing invites pages of others."""
        if not keyword.lower().startswith("access-control-"):
            super().send_header(keyword, value)

    def end_headers(self) -> None:
        self._begun = True
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What Python says of a request that is none: without quoting it."""
        self._refuse(ErrorResponse(code, f"{HTTPStatus(code).phrase}."))


def _told(answer: bytes) -> str:
    """The words of a refusal, in whichever of its ways the handler wrote it."""
    body = answer.partition(b"\r\n\r\n")[2].decode("utf-8", "replace")
    try:
        said = json_reader.parse(body)
    except ValueError:
        return body
    return str(said.get("error", body)) if isinstance(said, dict) else body
