"""What can be at the path of a file: pipes, devices, folders, links."""

import os
import socket
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path


def bound(path: Path) -> None:
    # By its name alone: an address of a hundred bytes is too long, and a folder of a test may have as many.
    with socket.socket(socket.AF_UNIX) as line, chdir(path.parent):
        line.bind(path.name)


ODD: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "a socket": bound,
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
}
