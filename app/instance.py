"""One Sluice for each folder of data: a second start tells the first one what it was asked to open, and leaves.

A lock says who was first and a socket brings the word. Both lie in the folder that the system keeps for such things,
named after the folder of data. The lock goes with its process, however that ended, so what a crash leaves behind is in
nobody's way. macOS does the same by itself for the app alone: not for a second copy, nor for what a shell starts.
"""

import fcntl
import hashlib
import json
import os
import socket
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from app import json_reader

PATIENCE_S = 2.0
LONGEST_BYTES = 65_536
HEARD = b"heard"
TOKENS = ("XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID")
"""By one of these a desktop knows that the user wants a window in front."""
WORDS = (*TOKENS, "path", "model")
Word = dict[str, str]


@dataclass(frozen=True, slots=True)
class Claim:
    """The first one holds it. `listening` is absent where the system gives no place for it."""

    lock: TextIO | None
    listening: socket.socket | None

    def close(self) -> None:
        """The lock first: whoever called and was not heard is the first one then."""
        for held in (self.lock, self.listening):
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


def word(path: Path | None, model: str = "") -> Word:
    """What a later start has to tell: the file and the model that it was asked to open, if any."""
    tokens = {token: os.environ[token] for token in TOKENS if token in os.environ}
    return tokens | {"path": str(path) if path is not None else "", "model": model}


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


def answer(listening: socket.socket) -> socket.socket | None:
    """The line to the one who is calling; nothing if nobody is any more. It waits for nobody."""
    try:
        return listening.accept()[0]
    except OSError:
        return None


def hear(line: socket.socket) -> Word | None:
    """What the caller wants, who has `PATIENCE_S` for all of it; nothing if it can't be understood."""
    with line:
        try:
            said = json_reader.parse(_line(line, time.monotonic() + PATIENCE_S))
            line.sendall(HEARD)
        except (OSError, ValueError):
            return None
    return {name: said.get(name, "") for name in WORDS} if _is_word(said) else None


def _line(line: socket.socket, until: float) -> bytes:
    said = b""
    while not said.endswith(b"\n") and len(said) < LONGEST_BYTES:
        line.settimeout(max(0.001, until - time.monotonic()))
        piece = line.recv(LONGEST_BYTES - len(said))
        if not piece or time.monotonic() > until:
            break
        said += piece
    return said


def _is_word(said: object) -> bool:
    """Texts that the system can take: it ends them with a NUL, and hands them on in bytes."""
    if not isinstance(said, dict):
        return False
    given = [said.get(name, "") for name in WORDS]
    return all(isinstance(each, str) and "\0" not in each and _is_bytes(each) for each in given)


def _is_bytes(text: str) -> bool:
    try:
        os.fsencode(text)
    except ValueError:
        return False
    return True


def _listen(place: Path) -> socket.socket | None:
    listening = socket.socket(socket.AF_UNIX)
    try:
        with suppress(FileNotFoundError):
            place.unlink()  # of one that is gone: the lock is ours
        listening.bind(str(place))
        listening.listen()
        listening.setblocking(False)
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
