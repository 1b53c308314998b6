"""Commands of the local server, for a terminal and for the child process."""

import json
import os
import shlex
from pathlib import Path

from app.platform.startup import SERVE_SWITCH, child_command, child_environment
from app.serving.types import DEFAULT_MODEL, KEY_VARIABLE, LOOPBACK, PACKED_VARIABLE, ServerConfig

SERVER, LAUNCH = "mlx_lm.server", "mlx.launch"
RING_FAILED = "[ring] Couldn't connect"
"""Message of mlx when a process of a ring can't connect to another one within 15 s, as on a busy computer."""


def server_arguments(order: ServerConfig, model: str) -> list[str]:
    """Return mlx_lm.server's arguments: it listens on this computer only, and allows no other origins."""
    own = f"http://{LOOPBACK}:{order.port}"
    adapter = ["--adapter-path", order.adapter] if order.adapter else []
    return ["--model", model, *adapter, "--host", LOOPBACK, "--port", str(order.port), "--allowed-origins", own]


def launch_arguments(order: ServerConfig, hostfile: Path) -> list[str]:
    starting = ["--starting-port", str(order.ring_port)] if order.ring_port else []
    return ["--backend", "ring", *starting, "--hostfile", str(hostfile)]


def shell_command(order: ServerConfig, hostfile: Path) -> str:
    """Return the shell command of plain mlx_lm.server, since other computers may not have Sluice."""
    server = [SERVER, *server_arguments(order, order.public)]
    if not order.hosts:
        return shlex.join(server)
    return shlex.join([LAUNCH, *launch_arguments(order, hostfile), "--", *server])


def curl(order: ServerConfig) -> str:
    body = {"model": DEFAULT_MODEL, "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 64}
    kind = "Content-Type: application/json"
    asks = shlex.join(["curl", f"{order.address}/chat/completions", "-H", kind, "-d", json.dumps(body)])
    return f'{asks} -H "Authorization: Bearer ${KEY_VARIABLE}"' if order.key else asks


def child(order: ServerConfig, hostfile: Path) -> list[str]:
    """Return the command of the child process, which has the proxy."""
    myself = child_command(SERVE_SWITCH)
    server = [*myself, SERVER, *server_arguments(order, order.folder)]
    return [*myself, LAUNCH, *launch_arguments(order, hostfile), "--", *server] if order.hosts else server


def environment(order: ServerConfig) -> dict[str, str]:
    """Return the child process's environment: unbuffered output, and no downloads."""
    key = {KEY_VARIABLE: order.key} if order.key else {}
    packed = {PACKED_VARIABLE: "1"} if order.keeps_packed else {}
    return {**child_environment(os.environ), "PYTHONUNBUFFERED": "1", "HF_HUB_OFFLINE": "1", **key, **packed}


def hostfile_text(order: ServerConfig) -> str:
    hosts = [{"ssh": host.ssh, "ips": list(host.ips), "rdma": []} for host in order.hosts]
    return json.dumps({"backend": "ring", "envs": [], "hosts": hosts}, indent=1, ensure_ascii=False) + "\n"
