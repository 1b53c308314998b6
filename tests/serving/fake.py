"""A process that behaves as mlx_lm.server does, and starts at once: it lists a model, tells its health, or dies.

One that misses does so once, as a ring does whose processes don't find each other.
"""

import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

DIES, LONG, MISSES, SICK, WELL = "dies", "long", "misses", "sick", "well"
RING_SAYS = """RuntimeError: [ring] Couldn't connect (error: 111)
[WARN] Node with rank 1 exited with code 1
"""


class Handler(BaseHTTPRequestHandler):
    """Says of itself what the file beside it says."""

    def do_GET(self) -> None:
        well = self.path != "/health" or mode() != SICK
        body = b'{"data": [{"id": "/models/demo"}]}' if self.path.endswith("/models") else b"{}"
        self.send_response(200 if well else 503)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def mode() -> str:
    return Path(sys.argv[2]).read_text()


def command(port: int, file: Path, mode: str = WELL) -> list[str]:
    """What starts it; `file` may be written anew while it runs."""
    file.write_text(mode)
    return [sys.executable, "-S", "-E", __file__, str(port), str(file)]


def main() -> None:
    for each in "\x1b[33m[WARN]\x1b[0m 한 줄\nstarting\n".encode():
        os.write(2, bytes([each]))  # a pipe's reader may get half a character or half a color
    if mode() == DIES:
        sys.stderr.write("no such model")
        sys.stderr.flush()
        os._exit(3)
    if mode() == LONG:
        os.write(2, b"1" * 5_000 + b"\na line after it\n")
        os._exit(3)
    if mode() == MISSES:
        Path(sys.argv[2]).write_text(WELL)
        sys.stderr.write(RING_SAYS)
        sys.stderr.flush()
        os._exit(1)
    HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()


if __name__ == "__main__":
    main()
