"""Proxy of the local server: listens on this computer only, and passes on the requests that the checks accept.

mlx_lm.server itself has no access control: any web page could make it load any folder, and learn the paths of the
models.
"""

import io
import json
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast
from urllib.parse import unquote

from app.files import json_reader
from app.serving import checks
from app.serving.checks import AccessPolicy, ErrorResponse
from app.serving.types import LOOPBACK

READ_S, SEND_S = 20.0, 60.0
"""Timeouts in seconds: of silence while a request arrives, and while the client accepts no data of an answer."""
QUEUE_SIZE = 32
LINGER_LIMIT, LINGER_S = 32 << 20, 2.0
"""Bytes, and seconds, of reading a refused body: clients read the refusal only after sending."""


class ProxyServer(ThreadingHTTPServer):
    """HTTP server that listens on this computer only; each connection has a thread."""

    request_queue_size = QUEUE_SIZE

    def __init__(self, policy: AccessPolicy, folder: str, handler: Callable[..., BaseHTTPRequestHandler]) -> None:
        super().__init__((LOOPBACK, policy.port), cast(type[BaseHTTPRequestHandler], handler))
        self.policy, self.folder = replace(policy, port=self.server_port), folder

    def handle_error(self, request: object, client_address: object) -> None:
        """Log one line; usually the client has disconnected."""
        sys.stderr.write(f"An answer broke off: {type(sys.exception()).__name__}\n")


class ProxyHandler(BaseHTTPRequestHandler):
    """Mixin for mlx-lm's handler class, which must precede it in the bases."""

    server_version, sys_version = "Sluice", ""
    timeout = READ_S
    _is_stream = False
    _error_status = 0
    """HTTP status of the inner handler's refusal; 0: none."""
    _has_begun = False
    """Whether the head of the answer is sent."""

    @property
    def policy(self) -> AccessPolicy:
        return cast(ProxyServer, self.server).policy

    def vocabulary(self) -> int:
        """Return the model's vocabulary size; 0 until it is loaded."""
        return 0

    def parse_request(self) -> bool:
        """Check the request before any handler sees it."""
        if not super().parse_request():
            return False
        self.path = self.path.partition("?")[0]
        error = checks.check_head(self.command, self.path, self.headers, self.policy)
        if error is None and self.command == "POST":
            error = checks.check_content_type(self.headers) or self._read_body()
        if error is not None:
            self._refuse(error)
        self.connection.settimeout(SEND_S)
        return error is None

    def do_GET(self) -> None:
        name = unquote(self.path.removeprefix(checks.MODELS).lstrip("/"))
        model = {"id": self.policy.model, "object": "model", "created": int(time.time()), "owned_by": "sluice"}
        if self.path == checks.HEALTH:
            self._pass_on(super().do_GET)  # type: ignore[misc]
        elif not name:
            self._answer(HTTPStatus.OK, {"object": "list", "data": [model]})
        elif self.policy.has_model(name):
            self._answer(HTTPStatus.OK, model)
        else:
            self._refuse(ErrorResponse(404, f"This server has one model: {self.policy.model}.", "model_not_found"))

    def do_POST(self) -> None:
        self._pass_on(super().do_POST)  # type: ignore[misc]

    def check_client(self) -> None:
        """Raise an error if the client has disconnected."""
        self.connection.setblocking(False)
        try:
            if not self.connection.recv(1, socket.MSG_PEEK):
                raise ConnectionAbortedError
        except BlockingIOError:
            pass  # the client is waiting
        finally:
            self.connection.settimeout(SEND_S)

    def _pass_on(self, handle: Callable[[], None]) -> None:
        """Call the inner handler, and send its errors in OpenAI's form, without paths."""
        wfile = self.wfile
        try:
            handle()
        except (ConnectionError, TimeoutError):
            raise  # the client has disconnected
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
            sys.stderr.write(f"{message}\n")
            self._break_off(self._hide_paths(message))
            return
        if self._error_status:
            written, self.wfile = cast(io.BytesIO, self.wfile).getvalue(), wfile
            # mlx_lm.server answers 404 to all errors; the model is never absent here.
            status = 400 if self._error_status == 404 else self._error_status
            self._refuse(ErrorResponse(status, self._hide_paths(_error_message(written))))

    def _read_body(self) -> ErrorResponse | None:
        """Read and check the body, and replace `rfile` by it for the inner handler."""
        length = checks.body_length(self.headers)
        if isinstance(length, ErrorResponse):
            return length
        try:
            content = self.rfile.read(length)
        except TimeoutError:
            return ErrorResponse(408, "The body did not arrive in time.")
        if len(content) < length:
            return ErrorResponse(400, "The body is shorter than its Content-Length.")
        body = checks.read_body(content, self.policy)
        if isinstance(body, ErrorResponse):
            return body
        passed = json.dumps(body, ensure_ascii=False).encode()
        self.headers.replace_header("Content-Length", str(len(passed)))
        self._is_stream, self.rfile = bool(body.get("stream")), io.BufferedReader(io.BytesIO(passed))
        return checks.check_vocabulary(body, self.vocabulary())

    def _refuse(self, error: ErrorResponse) -> None:
        self._answer(error.status, _error_body(error))
        left, until = LINGER_LIMIT, time.monotonic() + LINGER_S
        try:
            self.connection.shutdown(socket.SHUT_WR)
            while left > 0 and (seconds := until - time.monotonic()) > 0:
                self.connection.settimeout(seconds)
                left -= len(content := self.connection.recv(1 << 16))
                if not content:
                    return
        except OSError:
            return

    def _answer(self, status: int, body: dict[str, object]) -> None:
        """Send a complete answer, and discard the inner handler's incomplete one."""
        content, asks = json.dumps(body).encode(), "WWW-Authenticate: Bearer\r\n" if status == 401 else ""
        head = (
            f"HTTP/1.0 {status} {HTTPStatus(status).phrase}\r\nContent-Type: application/json\r\n{asks}"
            f"Content-Length: {len(content)}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
        )
        if status != HTTPStatus.FORBIDDEN:  # a page may send a thousand requests a second
            self.log_request(status)
        self.close_connection = self._has_begun = True
        self.wfile.write(head.encode() + (content if self.command != "HEAD" else b""))

    def _break_off(self, message: str) -> None:
        """Send an error; in a started stream as an event, since the status was already sent."""
        error = ErrorResponse(500, message)
        if not self._has_begun:
            self._refuse(error)
        elif self._is_stream:
            self.wfile.write(f"data: {json.dumps(_error_body(error))}\n\n".encode())

    def _hide_paths(self, message: str) -> str:
        return checks.hide_paths(message, cast(ProxyServer, self.server).folder)

    def send_response(self, code: int, message: str | None = None) -> None:
        """Record an error status of the inner handler for `_pass_on`."""
        if code < 400:
            super().send_response(code, message)
        else:
            self._error_status, self.wfile = code, io.BytesIO()
            self.send_response_only(code, message)

    def send_header(self, keyword: str, value: str) -> None:
        """Omit the CORS headers, which would allow pages to read answers."""
        if not keyword.lower().startswith("access-control-"):
            super().send_header(keyword, value)

    def end_headers(self) -> None:
        self._has_begun = True
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse a malformed request without quoting it."""
        self._refuse(ErrorResponse(code, f"{HTTPStatus(code).phrase}."))


def _error_body(error: ErrorResponse) -> dict[str, object]:
    kind = "invalid_request_error" if error.status < 500 else "server_error"
    return {"error": {"message": error.message, "type": kind, "param": None, "code": error.code}}


def _error_message(answer: bytes) -> str:
    """Return the message of the inner handler's error, which is JSON or plain text."""
    body = answer.partition(b"\r\n\r\n")[2].decode("utf-8", "replace")
    try:
        content = json_reader.parse(body)
    except ValueError:
        return body
    return str(content.get("error", body)) if isinstance(content, dict) else body
