"""Checks of the hosts of a ring."""

import ipaddress
import re
from collections.abc import Sequence
from pathlib import Path

from app.engine.model_files.folder import read_json
from app.engine.types import Failure
from app.i18n import tr
from app.library.kv_cache_size import splits
from app.serving.types import Host

FEWEST = 2
NAME = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._@:-]*[A-Za-z0-9_])?")
"""Pattern of an ssh host name: no space, and no leading dash."""
KIND = "hosts"


def refusal(hosts: Sequence[Host]) -> Failure | None:
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


def uneven(folder: Path, count: int) -> Failure | None:
    """Return why the model can't be divided among processes; mlx-lm would silently drop the remainder."""
    if splits(read_json(folder / "config.json"), count):
        return None
    what = tr("{count} processes can't divide the attention heads of this model evenly.")
    return Failure(what.format(count=count), tr("Use another number of hosts."), kind=KIND)


def elsewhere(hosts: Sequence[Host]) -> tuple[str, ...]:
    """Return the hosts that are other computers."""
    return tuple(host.ssh for host in hosts if not host.is_here)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
