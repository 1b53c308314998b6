"""The commands of a server of one's own: as a terminal takes them, and as this program starts its child."""

import json
import os
import shlex
from pathlib import Path

from app.platform.bootstrap import SERVE_SWITCH, child_command, child_environment
from app.serving.types import DEFAULT_MODEL, KEY_VARIABLE, LOOPBACK, ServerConfig

SERVER, LAUNCH = "mlx_lm.server", "mlx.launch"
MISSED = "[ring] Couldn't connect"
"""What mlx says when a process of a ring has called another before that one listened, or after a stranger called it.
It tries for fifteen seconds; on a busy machine one may well begin so much later than the other."""


def server_arguments(order: ServerConfig, model: str) -> list[str]:
    """It listens on this machine alone, and no web page of a stranger's may use it by way of the browser."""
    own = f"http://{LOOPBACK}:{order.port}"
    adapter = ["--adapter-path", order.adapter] if order.adapter else []
    return ["--model", model, *adapter, "--host", LOOPBACK, "--port", str(order.port), "--allowed-origins", own]


def launch_arguments(order: ServerConfig, hostfile: Path) -> list[str]:
    starting = ["--starting-port", str(order.ring_port)] if order.ring_port else []
    return ["--backend", "ring", *starting, "--hostfile", str(hostfile)]


def shown(order: ServerConfig, hostfile: Path) -> str:
    """The whole command, quoted for a shell: of mlx-lm's server as it is, since other machines may have no Sluice."""
    server = [SERVER, *server_arguments(order, order.public)]
    if not order.hosts:
        return shlex.join(server)
    return shlex.join([LAUNCH, *launch_arguments(order, hostfile), "--", *server])


def curl(order: ServerConfig) -> str:
    """A line that asks it something, for a terminal."""
    said = {"model": DEFAULT_MODEL, "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 64}
    kind = "Content-Type: application/json"
    asks = shlex.join(["curl", f"{order.address}/chat/completions", "-H", kind, "-d", json.dumps(said)])
    return f'{asks} -H "Authorization: Bearer ${KEY_VARIABLE}"' if order.key else asks


def child(order: ServerConfig, hostfile: Path) -> list[str]:
    """The same by this program itself, behind its front."""
    myself = child_command(SERVE_SWITCH)
    server = [*myself, SERVER, *server_arguments(order, order.folder)]
    return [*myself, LAUNCH, *launch_arguments(order, hostfile), "--", *server] if order.hosts else server


def environment(order: ServerConfig) -> dict[str, str]:
    """The child's: it finds this program, says at once what it says, and fetches nothing from anywhere."""
    key = {KEY_VARIABLE: order.key} if order.key else {}
    return {**child_environment(os.environ), "PYTHONUNBUFFERED": "1", "HF_HUB_OFFLINE": "1", **key}


def hostfile_text(order: ServerConfig) -> str:
    """What mlx.launch reads of the machines."""
    hosts = [{"ssh": host.ssh, "ips": list(host.ips), "rdma": []} for host in order.hosts]
    return json.dumps({"backend": "ring", "envs": [], "hosts": hosts}, indent=1, ensure_ascii=False) + "\n"
