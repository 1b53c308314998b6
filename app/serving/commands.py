"""The commands of a server of one's own: as a terminal takes them, and as this program starts its child."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import app
from app.launch import SERVE_SWITCH
from app.serving.types import LOOPBACK, Order

SERVER, LAUNCH = "mlx_lm.server", "mlx.launch"
DEFAULT_MODEL = "default_model"
"""How mlx_lm.server calls the model that it was started with."""

MISSED = "[ring] Couldn't connect"
"""What mlx says when a process of a ring has called another before that one listened, or after a stranger called it.
It tries for fifteen seconds; on a busy machine one may well begin so much later than the other."""


def server_arguments(order: Order) -> list[str]:
    """It listens on this machine alone, and no web page of a stranger's may use it by way of the browser."""
    own = f"http://{LOOPBACK}:{order.port}"
    return ["--model", order.folder, "--host", LOOPBACK, "--port", str(order.port), "--allowed-origins", own]


def launch_arguments(order: Order, hostfile: Path) -> list[str]:
    starting = ["--starting-port", str(order.ring_port)] if order.ring_port else []
    return ["--backend", "ring", *starting, "--hostfile", str(hostfile)]


def shown(order: Order, hostfile: Path) -> str:
    """The whole command, quoted for a shell."""
    server = [SERVER, *server_arguments(order)]
    if not order.hosts:
        return shlex.join(server)
    return shlex.join([LAUNCH, *launch_arguments(order, hostfile), "--", *server])


def curl(order: Order) -> str:
    """A line that asks it something, for a terminal."""
    said = {"model": DEFAULT_MODEL, "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 64}
    kind = "Content-Type: application/json"
    return shlex.join(["curl", f"{order.address}/chat/completions", "-H", kind, "-d", json.dumps(said)])


def child(order: Order, hostfile: Path) -> list[str]:
    """The same by this program itself: what is frozen has no other Python to call."""
    server = [*_myself(), SERVER, *server_arguments(order)]
    return [*_myself(), LAUNCH, *launch_arguments(order, hostfile), "--", *server] if order.hosts else server


def environment() -> dict[str, str]:
    """The child's: it finds this program, says at once what it says, and fetches nothing from anywhere."""
    root = str(Path(app.__file__).parents[1])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1", "HF_HUB_OFFLINE": "1"}


def hostfile_text(order: Order) -> str:
    """What mlx.launch reads of the machines."""
    hosts = [{"ssh": host.ssh, "ips": list(host.ips), "rdma": []} for host in order.hosts]
    return json.dumps({"backend": "ring", "envs": [], "hosts": hosts}, indent=1, ensure_ascii=False) + "\n"


def _myself() -> Sequence[str]:
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "app"]
    return [*program, SERVE_SWITCH]
