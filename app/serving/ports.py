"""Which ports of this machine are free."""

import socket
from collections.abc import Callable

from app.serving.types import LAST_PORT, LOOPBACK

USUAL = 8080
RING = 32323
"""Where mlx.launch lets the processes of a ring meet, one port after the other."""
PATIENCE_S = 0.2
TRIES = 200


def is_free(port: int) -> bool:
    """Whether a server could listen there, asked as mlx_lm.server will: nobody answers, and the port can be had."""
    with socket.socket() as caller:
        caller.settimeout(PATIENCE_S)
        if caller.connect_ex((LOOPBACK, port)) == 0:
            return False
    return _can_be_had(port, after_others=True)


def is_unused(port: int) -> bool:
    """Whether nobody has it, without a word to whoever does: a ring takes the first that calls for its neighbour."""
    return _can_be_had(port, after_others=False)


def free(first: int = USUAL, count: int = 1, is_free: Callable[[int], bool] = is_free) -> int:
    """The first of so many free ports in a row, from this one on; 0 where there are none."""
    for start in range(first, min(first + TRIES, LAST_PORT + 1 - count)):
        if all(is_free(port) for port in range(start, start + count)):
            return start
    return 0


def free_for_ring(count: int, first: int = RING) -> int:
    """Where so many processes of a ring can meet; 0: nowhere."""
    return free(first, count, is_unused)


def _can_be_had(port: int, *, after_others: bool) -> bool:
    """`after_others`: also one on which connections of an earlier server are still coming to their end."""
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, int(after_others))
        try:
            listening.bind((LOOPBACK, port))
        except OSError:
            return False
    return True
