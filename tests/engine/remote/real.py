"""The real mlx_lm.server as a child process on this machine, alone or over several processes."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from app.engine.remote import server_probe
from app.engine.types import Failure, Server
from app.serving.commands import RING_FAILED
from tests.ports import free_port

UP_S, POLL_S = 60.0, 0.05
TRIES = 3
SCRIPTS = Path(sys.executable).parent


def widened(model: Path, folder: Path) -> Path:
    """The same model in float32, as this program computes it on a CPU: half precision gives other logprobs."""
    import mlx.core as mx

    shutil.copytree(model, folder)
    weights = mx.load(str(folder / "model.safetensors"))
    assert isinstance(weights, dict)
    wide = {name: array.astype(mx.float32) for name, array in weights.items()}
    mx.save_safetensors(str(folder / "model.safetensors"), wide, {"format": "mlx"})
    return folder


class Started(NamedTuple):
    address: str
    process: int


@contextmanager
def serving(model: Path, home: Path, before: Sequence[str] = ()) -> Iterator[str]:
    with started(model, home, before) as server:
        yield server.address


@contextmanager
def started(model: Path, home: Path, before: Sequence[str] = ()) -> Iterator[Started]:
    (home / "hub").mkdir(parents=True, exist_ok=True)  # without one, mlx_lm.server can't list its models
    port = free_port()
    command = [*before, str(SCRIPTS / "mlx_lm.server"), "--model", str(model), "--port", str(port)]
    environment = {**os.environ, "HF_HOME": str(home), "HF_HUB_OFFLINE": "1"}
    child = _up(command, environment, home / "server.log", f"http://127.0.0.1:{port}/v1")
    try:
        yield Started(f"http://127.0.0.1:{port}/v1", child.pid)
    finally:
        _end(child)


def _up(command: Sequence[str], environment: dict[str, str], log: Path, address: str) -> subprocess.Popen[bytes]:
    """It answers. A ring whose processes missed each other is started over, as this program does too."""
    for _ in range(TRIES):
        with log.open("wb") as file:
            # A group of its own, since a launcher has children.
            child = subprocess.Popen(command, env=environment, stdout=file, stderr=file, start_new_session=True)
        try:
            if until_answers(address, child):
                return child
        except BaseException:
            _end(child)
            raise
        _end(child)
        if RING_FAILED not in log.read_text():
            break
    raise AssertionError(log.read_text())


def until_answers(address: str, child: subprocess.Popen[bytes], key: str = "") -> bool:
    until = time.monotonic() + UP_S
    while isinstance(server_probe.test(Server(address), key), Failure):
        if child.poll() is not None or time.monotonic() > until:
            return False
        time.sleep(POLL_S)
    return True


def _end(child: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
