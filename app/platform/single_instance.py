"""Single instance per data folder: a second start sends its arguments to the first one, and ends.

The first one listens on a socket in the user's runtime folder (`app/ui/shell/later_starts.py`). macOS does this only
for an app bundle, not for a second copy or a start from a shell.
"""

import hashlib
import json
import os
import select
import socket
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from app.files import json_reader

TIMEOUT_S = 2.0
BUSY_TIMEOUT_S = 15.0
LONGEST_BYTES = 65_536
RECEIVED = b"received"
TOKENS = ("XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID")
"""Environment variables with the desktop's activation tokens, which allow a window to come to the front."""
FIELDS = (*TOKENS, "path", "model")
Message = dict[str, str]


def message_of(path: Path | None, model: str = "") -> Message:
    """Return the message of a later start: the file and the model to open, if any."""
    tokens = {token: os.environ[token] for token in TOKENS if token in os.environ}
    return tokens | {"path": str(path) if path is not None else "", "model": model}


def send_to_first(data: Path, message: Mapping[str, str], on_busy: Callable[[], object] = bool) -> bool:
    """Send a message to another Sluice with this data folder; return whether it received it.

    `on_busy` is called if it doesn't answer at once; then the answer is awaited longer.
    """
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(TIMEOUT_S)
            line.connect(str(socket_path(data)))
            line.sendall(json.dumps(message).encode() + b"\n")
            if not select.select([line], [], [], TIMEOUT_S)[0]:
                on_busy()
                line.settimeout(BUSY_TIMEOUT_S)
            return line.recv(len(RECEIVED)) == RECEIVED
    except OSError:
        return False


def is_served(data: Path) -> bool:
    """Return whether a process listens on the socket. After a crash, the socket's file exists without a listener."""
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(TIMEOUT_S)
            line.connect(str(socket_path(data)))
    except OSError as error:
        return isinstance(error, TimeoutError | BlockingIOError)
    return True


def read_message(line: bytes) -> Message | None:
    """Parse a message; None unless all values are texts that can be file names."""
    try:
        content = json_reader.parse(line)
    except ValueError:
        return None
    if not isinstance(content, dict):
        return None
    message = {name: content.get(name, "") for name in FIELDS}
    return message if all(isinstance(each, str) and _is_system_text(each) for each in message.values()) else None


def _is_system_text(text: str) -> bool:
    try:
        os.fsencode(text)
    except ValueError:
        return False
    return "\0" not in text


def socket_path(data: Path) -> Path:
    """Return the path of the socket, short enough for the system's limit. Raises OSError without a folder for it."""
    name = hashlib.sha256(str(data.resolve()).encode()).hexdigest()[:16]
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    folder = Path(runtime) if runtime else Path(tempfile.gettempdir()) / f"sluice-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to another user")
    return folder / f"sluice-{name}"
