"""A free port for a server of a test."""

import socket


def free_port() -> int:
    """Return a port that the system chooses, so that test runs at the same time get different ones."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])
