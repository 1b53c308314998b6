"""Checks of the hosts of a ring, and search for free ports."""

import ipaddress
import re
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from app.engine.model_files.folder import read_json
from app.engine.types import Failure
from app.i18n import tr
from app.library.memory_estimate import splits
from app.serving.types import LAST_PORT, LOOPBACK, RingHost

FEWEST = 2
NAME = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._@:-]*[A-Za-z0-9_])?")
"""Pattern of an ssh host name: no space, and no leading dash."""
KIND = "hosts"


def hosts_failure(hosts: Sequence[RingHost]) -> Failure | None:
    """Return why these hosts can't form a ring; None if they can."""
    if len(hosts) < FEWEST:
        return Failure(tr("A ring needs at least two processes."), tr("Add a host."), kind=KIND)
    for host in hosts:
        if NAME.fullmatch(host.ssh) is None:
            what = tr("“{name}” is not a valid ssh host name.").format(name=host.ssh)
            return Failure(what, tr("Enter a name as in ssh NAME, or 127.0.0.1 for this computer."), kind=KIND)
        if not host.ips or not all(map(_is_address, host.ips)):
            what = tr("The ring needs an IP address of {name} that the other hosts can reach.").format(name=host.ssh)
            return Failure(what, tr("Enter an IP address such as 192.168.1.20."), kind=KIND)
    if not hosts[0].is_here:
        what = tr("The first host has to be this computer, since it answers the requests.")
        return Failure(what, tr("Put 127.0.0.1 first."), kind=KIND)
    return None


def split_failure(folder: Path, count: int) -> Failure | None:
    """Return why the model can't be divided among processes; mlx-lm would silently drop the remainder."""
    if splits(read_json(folder / "config.json"), count):
        return None
    what = tr("{count} processes can't divide the attention heads of this model evenly.")
    return Failure(what.format(count=count), tr("Use another number of hosts."), kind=KIND)


def remote_hosts(hosts: Sequence[RingHost]) -> tuple[str, ...]:
    return tuple(host.ssh for host in hosts if not host.is_here)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


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


def free_port(first: int = USUAL, count: int = 1, is_free: Callable[[int], bool] = is_free) -> int:
    """Return the first of `count` consecutive free ports; 0: none."""
    for start in range(first, min(first + TRIES, LAST_PORT + 1 - count)):
        if all(is_free(port) for port in range(start, start + count)):
            return start
    return 0


def free_ring_port(count: int, first: int = RING) -> int:
    """Return the first of `count` ports for a ring; 0: none."""
    return free_port(first, count, is_unused)


def _can_bind(port: int, *, after_others: bool) -> bool:
    """Return whether the port can be bound; `after_others`: also while old connections are closing."""
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, int(after_others))
        try:
            listening.bind((LOOPBACK, port))
        except OSError:
            return False
    return True
