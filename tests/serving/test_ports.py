"""Ports that are taken, free, and free in a row."""

import socket

import pytest

from app.serving import ports


def test_a_port_is_taken_while_somebody_listens_and_free_afterwards() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
        assert not ports.is_free(port)
        assert ports.free(port) > port
    assert ports.is_free(port)


def test_one_that_listens_everywhere_takes_it_here_too() -> None:
    with socket.create_server(("0.0.0.0", 0)) as listening:
        assert not ports.is_free(int(listening.getsockname()[1]))


def test_a_row_of_ports_begins_behind_the_one_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
        first = ports.free(max(1024, port - 1), 3)
        assert first > port and all(map(ports.is_free, range(first, first + 3)))


def test_there_is_none_beyond_the_last() -> None:
    assert ports.free(65_536) == 0


def test_a_ring_s_ports_are_looked_for_without_a_call_to_those_that_are_taken() -> None:
    """A process of a ring takes whoever calls first for its neighbour, and hears no other."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
        assert not ports.is_unused(port)
        assert ports.free_for_ring(2, max(1024, port - 1)) > port
        listening.settimeout(0)
        with pytest.raises(BlockingIOError):
            listening.accept()
    assert ports.is_unused(port)


def test_one_that_listens_as_mlx_does_takes_its_port_too() -> None:
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        assert not ports.is_unused(int(listening.getsockname()[1]))
