"""Search for free ports on this computer."""

import socket
from collections.abc import Callable

from app.serving.types import LAST_PORT, LOOPBACK

USUAL = 8080
RING = 32323
"""Default first port of a ring in mlx.launch; the others follow it."""
TIMEOUT_S = 0.2
TRIES = 200


def is_free(port: int) -> bool:
    """Return whether a server can listen there: no process answers, and the port can be bound."""
    with socket.socket() as caller:
        caller.settimeout(TIMEOUT_S)
        if caller.connect_ex((LOOPBACK, port)) == 0:
            return False
    return _can_bind(port, after_others=True)


def is_unused(port: int) -> bool:
    """Return whether a port is unused, without connecting to it: a ring mistakes any connection for its neighbor."""
    return _can_bind(port, after_others=False)


def free(first: int = USUAL, count: int = 1, is_free: Callable[[int], bool] = is_free) -> int:
    """Return the first of `count` consecutive free ports; 0: none."""
    for start in range(first, min(first + TRIES, LAST_PORT + 1 - count)):
        if all(is_free(port) for port in range(start, start + count)):
            return start
    return 0


def free_for_ring(count: int, first: int = RING) -> int:
    """Return the first of `count` ports for a ring; 0: none."""
    return free(first, count, is_unused)


def _can_bind(port: int, *, after_others: bool) -> bool:
    """Return whether the port can be bound; `after_others`: also while old connections are closing."""
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, int(after_others))
        try:
            listening.bind((LOOPBACK, port))
        except OSError:
            return False
    return True
