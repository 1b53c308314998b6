"""A hub in a process of its own, as far away as a real one: one endless model of zeros, at a quick line's pace."""

import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL_ID = "bench/zeros"
SIZE = 4_000_000_000
BYTES_PER_S = 12_500_000
"""A line of 100 Mbit/s."""
PIECE = bytes(131_072)
COMMIT, BLOB, SHA256 = "1" * 40, "2" * 40, "3" * 64


class Handler(BaseHTTPRequestHandler):
    """Tells of the model, and sends it."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.close_connection = True
        if self.path.startswith("/api/"):
            return self._tell()
        begin = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")[0])
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {begin}-{SIZE - 1}/{SIZE}")
        self.send_header("Content-Length", str(SIZE - begin))
        self.end_headers()
        return self._send()

    def _tell(self) -> None:
        large = {"size": SIZE, "sha256": SHA256, "pointerSize": 134}
        weights = {"rfilename": "model.safetensors", "size": SIZE, "blobId": BLOB, "lfs": large}
        body = json.dumps({"id": MODEL_ID, "sha": COMMIT, "siblings": [weights]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _send(self) -> None:
        due = time.monotonic()
        try:
            while True:
                self.wfile.write(PIECE)
                # A line does not make up for the time in which nobody read from it.
                due = max(due + len(PIECE) / BYTES_PER_S, time.monotonic())
                time.sleep(max(0.0, due - time.monotonic()))
        except ConnectionError:  # whoever asked has gone
            pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
