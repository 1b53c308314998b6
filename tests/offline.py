"""Keeps tests off the network: connecting to another computer fails the test, even if the error is caught."""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

LOCAL_HOSTS = (None, "", "localhost", "localhost.localdomain", "::1", "0.0.0.0", "::", socket.gethostname())
_attempts: list[str] = []


class NetworkRefusedError(OSError):
    """A test used the network."""


def watch() -> None:
    """Check every DNS lookup and connection of this process from now on; audit hooks can't be removed."""
    sys.addaudithook(_refuse_strangers)


@contextmanager
def checked() -> Iterator[None]:
    """Fail at the end if something in the block used the network."""
    before = len(_attempts)
    yield
    attempts = _attempts[before:]
    del _attempts[before:]
    if attempts:
        pytest.fail(f"reached for the network: {', '.join(attempts)}")


def _refuse_strangers(event: str, arguments: tuple[object, ...]) -> None:
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        if not isinstance(address, tuple):  # a Unix socket's path
            return
        host = address[0]
    else:
        return
    name = host.decode() if isinstance(host, bytes) else host
    if name in LOCAL_HOSTS or (isinstance(name, str) and name.startswith("127.")):
        return
    _attempts.append(f"{event} {name}")
    raise NetworkRefusedError(f"tests stay off the network: {name}")
