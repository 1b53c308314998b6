"""One Sluice for each folder of data: a second start tells the first one what it was asked to open, and leaves.

macOS does this by itself; elsewhere a lock says who was first and a socket brings the word. Both lie in the folder that
the system keeps for such things, named after the folder of data. The lock goes with its process, however that ended, so
what a crash leaves behind is in nobody's way.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import socket
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

PATIENCE_S = 2.0
LONGEST_BYTES = 65_536
HEARD = b"heard"
TOKENS = ("XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID")
"""By one of these a desktop knows that the user wants a window in front."""
Word = dict[str, str]


@dataclass(frozen=True, slots=True)
class Claim:
    """The first one holds it. `listening` is absent where the system gives no place for it."""

    lock: TextIO | None
    listening: socket.socket | None

    def close(self) -> None:
        for held in (self.listening, self.lock):
            if held is not None:
                held.close()


def claim(data: Path) -> Claim | None:
    """Be the one for this folder of data; nothing if another one is."""
    try:
        place = path_of(data)
        lock = place.with_suffix(".lock").open("a")
    except OSError:
        return Claim(None, None)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    except OSError:
        return Claim(lock, None)
    return Claim(lock, _listen(place))


def word(path: Path | None) -> Word:
    """What a later start has to tell: the file that it was asked to open, if any."""
    tokens = {token: os.environ[token] for token in TOKENS if token in os.environ}
    return tokens | {"path": str(path) if path is not None else ""}


def call(data: Path, said: Mapping[str, str]) -> bool:
    """Tell the first one; whether it has heard."""
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(PATIENCE_S)
            line.connect(str(path_of(data)))
            line.sendall(json.dumps(said).encode() + b"\n")
            return line.recv(len(HEARD)) == HEARD
    except OSError:
        return False


def hear(listening: socket.socket) -> Word | None:
    """What the one who is calling wants; nothing if it can't be understood."""
    try:
        line, _ = listening.accept()
        with line:
            line.settimeout(PATIENCE_S)
            with line.makefile("rb") as words:
                said = json.loads(words.readline(LONGEST_BYTES))
            line.sendall(HEARD)
    except (OSError, ValueError):
        return None
    return {str(name): str(value) for name, value in said.items()} if isinstance(said, dict) else None


def _listen(place: Path) -> socket.socket | None:
    listening = socket.socket(socket.AF_UNIX)
    try:
        with suppress(FileNotFoundError):
            place.unlink()  # of one that is gone: the lock is ours
        listening.bind(str(place))
        listening.listen()
    except OSError:
        listening.close()
        return None
    return listening


def path_of(data: Path) -> Path:
    """The socket's path: short, since the system allows no long one."""
    name = hashlib.sha256(str(data.resolve()).encode()).hexdigest()[:16]
    given = os.environ.get("XDG_RUNTIME_DIR")
    folder = Path(given) if given else Path(tempfile.gettempdir()) / f"sluice-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} is somebody else's")
    return folder / f"sluice-{name}"
