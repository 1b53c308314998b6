"""Which ports of this machine are free."""

from __future__ import annotations

import socket

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
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def free(first: int = USUAL, count: int = 1) -> int:
    """The first of so many free ports in a row, from this one on; 0 where there are none."""
    for start in range(first, min(first + TRIES, LAST_PORT + 1 - count)):
        if all(is_free(port) for port in range(start, start + count)):
            return start
    return 0
