"""A local hub: the part of the Hugging Face Hub's HTTP interface that its client uses, with injected faults."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.patience import WAIT_S

DEMO = "mlx-community/demo"
LARGE_BYTES = 100_000
"""Larger files are answered with a redirect, like those in Git LFS."""
PIECE_BYTES = 16_384


@dataclass
class Shelf:
    """A model on the hub."""

    files: dict[str, bytes]
    tags: tuple[str, ...] = ("mlx", "safetensors", "text-generation", "license:mit", "4-bit")
    downloads: int = 0
    likes: int = 0
    changed: str = "2026-01-01T00:00:00.000Z"
    gated: bool = False
    parameters: dict[str, int] = field(default_factory=dict)

    @property
    def commit(self) -> str:
        return hashlib.sha1("".join(sorted(map(checksum, self.files.values()))).encode()).hexdigest()


@dataclass
class Faults:
    """Injected faults, by a part of the path."""

    statuses: dict[str, list[tuple[int, dict[str, str]]]] = field(default_factory=dict)
    """Responses that are sent once each, before the right one."""
    cut_every: int = 0
    """Bytes after which a connection breaks."""
    short: set[str] = field(default_factory=set)
    """Files reported one byte too short."""
    wrong: set[str] = field(default_factory=set)
    """Files sent with a flipped bit."""
    hold_after: int | None = None
    """Bytes after which a large file stalls, until `go_on` is set."""


@dataclass
class Hub:
    """A hub's models, the requests it got, and its faults."""

    address: str = ""
    models: dict[str, Shelf] = field(default_factory=dict)
    """By id; the id of a dataset begins with `datasets/`."""
    faults: Faults = field(default_factory=Faults)
    token: str = "hf_secret"
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    """Method, path and range of each request."""
    tokens: set[tuple[str, str]] = field(default_factory=set)
    """First part of each path and the access token sent with it."""
    sent: int = 0
    """Bytes of large files."""
    held: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)
    together: int = 0
    most_together: int = 0

    def fetched(self) -> list[str]:
        """Names of downloaded large files, one for each request."""
        return [path.rpartition("/")[2] for method, path, _ in self.asked if method == "GET" and "/cdn/" in path]


def checksum(content: bytes) -> str:
    """Return the id of a content in the hub and the cache."""
    if len(content) >= LARGE_BYTES:
        return hashlib.sha256(content).hexdigest()
    return git_sha1(content)


def git_sha1(content: bytes) -> str:
    return hashlib.sha1(f"blob {len(content)}\0".encode() + content).hexdigest()


@contextmanager
def running() -> Iterator[Hub]:
    """Run a hub until the end of the block."""
    hub = Hub()
    handler = type("Handler", (_Handler,), {"hub": hub})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = False  # closing waits for the last answers
        hub.address = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, name="hub")
        thread.start()
        try:
            yield hub
        finally:
            hub.go_on.set()
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    hub: Hub
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments: object) -> None: ...

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def _answer(self) -> None:
        parts = urlsplit(self.path)
        path, query = unquote(parts.path), parse_qs(parts.query)
        self.hub.asked.append((self.command, path, self.headers.get("Range", "")))
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        self.hub.tokens.add((path.split("/")[1], token))
        for part, answers in self.hub.faults.statuses.items():
            if part in path and answers:
                status, headers = answers.pop(0)
                return self._send(status, b"", headers)
        if path == "/api/models":
            return self._json(self._search(query))
        if path.startswith("/api/models/"):
            return self._model(path.removeprefix("/api/models/"))
        if path.startswith("/api/datasets/"):
            return self._model(path.removeprefix("/api/"))
        if path.startswith("/cdn/"):
            return self._cdn(path)
        return self._resolve(path, token)

    def _search(self, query: dict[str, list[str]]) -> list[dict[str, Any]]:
        words = query.get("search", [""])[0].lower()
        wanted = set(query.get("filter", []))
        found = [
            self._told(name, shelf)
            for name, shelf in self.hub.models.items()
            if words in name.lower() and wanted <= set(shelf.tags)
        ]
        sort = query.get("sort", ["downloads"])[0]
        found.sort(key=lambda model: model[sort], reverse=True)
        return found[: int(query.get("limit", ["100"])[0])]

    def _model(self, rest: str) -> None:
        name = "/".join(rest.split("/")[: 3 if rest.startswith("datasets/") else 2])
        shelf = self.hub.models.get(name)
        if shelf is None:
            return self._send(401, b"", {"X-Error-Code": "RepoNotFound"})
        if "/tree/" in rest:
            return self._json([self._tree(path, content) for path, content in shelf.files.items()])
        return self._json(self._told(name, shelf))

    def _told(self, name: str, shelf: Shelf) -> dict[str, Any]:
        try:
            config = json.loads(shelf.files.get("config.json", b"{}") or b"{}")
        except RecursionError:
            config = None
        return {
            "id": name,
            "author": name.split("/")[0],
            "sha": shelf.commit,
            "lastModified": shelf.changed,
            "downloads": shelf.downloads,
            "likes": shelf.likes,
            "gated": "manual" if shelf.gated else False,
            "tags": list(shelf.tags),
            "config": {"model_type": config.get("model_type")} if isinstance(config, dict) else None,
            "safetensors": {"parameters": shelf.parameters, "total": sum(shelf.parameters.values())},
            "siblings": [self._sibling(path, content) for path, content in shelf.files.items()],
        }

    def _sibling(self, path: str, content: bytes) -> dict[str, Any]:
        told: dict[str, Any] = {"rfilename": path, "size": len(content), "blobId": git_sha1(content)}
        if len(content) >= LARGE_BYTES:
            told["lfs"] = {"size": len(content), "sha256": checksum(content), "pointerSize": 134}
        return told

    def _tree(self, path: str, content: bytes) -> dict[str, Any]:
        told: dict[str, Any] = {"type": "file", "path": path, "size": len(content), "oid": git_sha1(content)}
        if len(content) >= LARGE_BYTES:
            told["lfs"] = {"size": len(content), "oid": checksum(content), "pointerSize": 134}
        return told

    def _resolve(self, path: str, token: str) -> None:
        kind = "datasets/" if path.startswith("/datasets/") else ""
        _, author, name, _, _, file = (*path.removeprefix(kind and "/datasets").split("/", 5), "", "")[:6]
        shelf = self.hub.models.get(f"{kind}{author}/{name}")
        if shelf is None:
            return self._send(401, b"", {"X-Error-Code": "RepoNotFound"})
        if shelf.gated and token != self.hub.token:
            return self._send(401, b"", {"X-Error-Code": "GatedRepo"})
        if file not in shelf.files:
            return self._send(404, b"", {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": shelf.commit})
        content = shelf.files[file]
        told = {"X-Repo-Commit": shelf.commit, "ETag": f'"{checksum(content)}"'}
        if len(content) < LARGE_BYTES:
            return self._content(file, content, told)
        # Another name for the same machine: a token must not go there.
        elsewhere = self.hub.address.replace("127.0.0.1", "localhost")
        told |= {"X-Linked-Etag": told["ETag"], "X-Linked-Size": str(len(content))}
        return self._send(302, b"", told | {"Location": f"{elsewhere}/cdn/{author}/{name}/{file}"})

    def _cdn(self, path: str) -> None:
        _, _, author, name, file = path.split("/", 4)
        content = self.hub.models[f"{author}/{name}"].files[file]
        self.hub.together += 1
        self.hub.most_together = max(self.hub.most_together, self.hub.together)
        try:
            self._content(file, content, {"ETag": f'"{checksum(content)}"'})
        finally:
            self.hub.together -= 1

    def _content(self, file: str, content: bytes, headers: dict[str, str]) -> None:
        if file in self.hub.faults.wrong:
            content = content[:-1] + bytes([content[-1] ^ 1])
        if file in self.hub.faults.short:
            content = content[:-1]
        wanted = self.headers.get("Range", "").removeprefix("bytes=").partition("-")[0]
        begin = int(wanted) if wanted else 0
        if begin >= len(content) > 0:
            return self._send(416, b"", {"Content-Range": f"bytes */{len(content)}"})
        if wanted:
            headers = headers | {"Content-Range": f"bytes {begin}-{len(content) - 1}/{len(content)}"}
        return self._send(206 if wanted else 200, content[begin:], headers, file=len(content) >= LARGE_BYTES)

    def _json(self, answer: object) -> None:
        self._send(200, json.dumps(answer).encode(), {"Content-Type": "application/json"})

    def _send(self, status: int, body: bytes, headers: dict[str, str], file: bool = False) -> None:
        self.close_connection = True
        try:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), "Connection": "close", **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self._body(body, file)
        except ConnectionError:  # whoever asked has gone
            pass

    def _body(self, body: bytes, file: bool) -> None:
        faults = self.hub.faults
        sent = 0
        while sent < len(body):
            piece = body[sent : sent + PIECE_BYTES]
            if file and faults.cut_every:
                piece = body[sent : min(sent + PIECE_BYTES, faults.cut_every)]
            if not piece:
                return  # cut: fewer bytes than were announced
            if file and faults.hold_after is not None and sent + len(piece) > faults.hold_after:
                self.wfile.flush()
                self.hub.held.set()
                assert self.hub.go_on.wait(WAIT_S)
            self.wfile.write(piece)
            sent += len(piece)
            self.hub.sent += len(piece) if file else 0
