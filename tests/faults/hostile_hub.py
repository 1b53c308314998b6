"""The child that plays a hub: `python -m tests.faults.hostile_hub KIND` tells its address, and all the same."""

import json
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PIECE = b"[]," * 20_000
MODEL = {"downloads": 3, "likes": 4, "tags": ["mlx"], "config": {"model_type": "llama"}}


class Handler(BaseHTTPRequestHandler):
    """Not for longer than somebody listens."""

    kind = ""

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        with suppress(OSError):
            KINDS[self.kind](self)

    def begin(self, status: int, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def pour(self) -> None:
        self.wfile.write(b"[")
        while True:
            self.wfile.write(PIECE)


def endless(handler: Handler) -> None:
    handler.begin(200)
    handler.pour()


def redirect(handler: Handler) -> None:
    handler.begin(302, Location=f"{handler.path}x")
    handler.pour()


def refusal(handler: Handler) -> None:
    handler.begin(429, Retry_After="31536000")
    handler.pour()


def say(handler: Handler, content: bytes) -> None:
    handler.begin(200, Content_Length=str(len(content)))
    handler.wfile.write(content)


def deep(handler: Handler) -> None:
    say(handler, b"[" * 5_000_000)


def many(handler: Handler) -> None:
    say(handler, json.dumps([MODEL | {"id": f"a/m{number}"} for number in range(10_000)]).encode())


def long(handler: Handler) -> None:
    say(handler, json.dumps([MODEL | {"id": "a" * 5_000_000, "tags": ["x" * 5_000_000]}]).encode())


KINDS: dict[str, Callable[[Handler], None]] = {
    each.__name__: each for each in (endless, redirect, refusal, deep, many, long)
}


def leave_with_parent() -> None:
    sys.stdin.read()
    os._exit(0)


def main(kind: str) -> None:
    Handler.kind = kind
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    threading.Thread(target=leave_with_parent, daemon=True).start()
    server.serve_forever(poll_interval=0.05)


if __name__ == "__main__":
    main(sys.argv[1])
