import http.client
import json
import os
import signal
import subprocess
import urllib.request
from pathlib import Path
from typing import cast

import pytest
from pytestqt.qtbot import QtBot

from app.bridge.serving import ServerProcess
from app.engine.remote import server_probe
from app.engine.types import Server
from app.serving import commands, hosts
from app.serving.types import RingHost, ServerConfig, ServerStage
from tests.patience import WAIT_S
from tests.ports import free_port

pytestmark = pytest.mark.slow


def test_ring_of_two_processes_answers_and_ends_together(qtbot: QtBot, demo_draft: Path, tmp_path: Path) -> None:
    """The bundled draft model has heads that two processes can share."""
    ring = hosts.free_ring_port(2, free_port())
    order = ServerConfig(str(demo_draft), free_port(), (RingHost(), RingHost()), ring, "a-key")
    hostfile = tmp_path / "a folder" / "hosts.json"
    hostfile.parent.mkdir()
    hostfile.write_text(commands.hostfile_text(order))
    process = ServerProcess(delays_s=())
    process.start(commands.child(order, hostfile), commands.environment(order), order.address)
    try:
        qtbot.waitUntil(lambda: process.condition.stage in (ServerStage.READY, ServerStage.FAILED))
        assert process.condition.stage is ServerStage.READY, process.condition.message
        models = server_probe.list_models(Server(order.address), order.key)
        assert isinstance(models, tuple) and models[-1].name == demo_draft.name
        assert len(of_the_ring(order)) >= len(order.hosts)
        leave_in_the_middle(order)
        assert ask(order, max_tokens=2).read(), "the two still go on together"
        os.kill(process.pid, signal.SIGKILL)
        qtbot.waitUntil(lambda: process.condition.stage is ServerStage.FAILED)
        qtbot.waitUntil(lambda: hosts.is_free(order.port))
        qtbot.waitUntil(lambda: not of_the_ring(order))
    finally:
        process.close()


def leave_in_the_middle(order: ServerConfig) -> None:
    """Disconnect during an answer with a seed, which is not batched."""
    with ask(order, max_tokens=300, stream=True, seed=5) as answer:
        while not answer.readline().startswith(b"data:"):
            pass  # the prompt is still read


def ask(order: ServerConfig, **more: object) -> http.client.HTTPResponse:
    said = json.dumps({"prompt": "Once upon a time", **more}).encode()
    heads = {"Content-Type": "application/json", "Authorization": f"Bearer {order.key}"}
    asking = urllib.request.Request(f"{order.address}/completions", said, heads)
    return cast(http.client.HTTPResponse, urllib.request.urlopen(asking, timeout=WAIT_S))


def of_the_ring(order: ServerConfig) -> list[str]:
    """Return its processes: their ports stay taken for a minute after them."""
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "args="], capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if f"--port {order.port}" in line]
