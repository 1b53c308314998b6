"""How soon one can type, and reads the first token, beside mlx-lm's own chat on the command line; and memory at rest.

Both are processes as users start them, the program as `make run` does; who is at them types at once. They take turns,
so that the machine's load falls on both alike.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from app.engine.system_load import resident_bytes
from tests.bench.lengths import SHORT, length
from tests.bench.row import Row
from tests.bench.start_window import PROMPT

STARTS = length(9, 1)
RESTS = length(3, 1)
PROJECT = Path(__file__).parents[2]
DEMO = PROJECT / "resources" / "models" / "demo"
LAUNCHER = PROJECT / "packaging" / "linux" / "preload.sh"
PROMPT_SIGN = "›".encode()
"""With which it asks for the next question; the answer begins on the line after it."""
MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds from the process's start."""

    typing: float
    first_token: float


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as kept:
        environment = _environment(Path(kept))
        if not SHORT:  # these may have to compile what they import, and keep what later starts find
            _window(environment), _chat(environment)
        pairs = [_pair(number, environment) for number in range(STARTS)]
        rests = [_rest(environment) for _ in range(RESTS)]
    detail = {"pairs": len(pairs), "load": round(os.getloadavg()[0], 1)}
    first = [(window.first_token, chat.first_token) for window, chat in pairs]
    typing = [(window.typing, chat.typing) for window, chat in pairs]
    at_rest = {"mb": [round(each / MB) for each in rests]}
    return [
        Row("start.first_token_ratio", _ratio(first), "x", 1.25, "lower", detail | _told(first)),
        Row("start.typing_ratio", _ratio(typing), "x", 0.65, "lower", detail | _told(typing)),
        Row("start.memory_mb", statistics.median(rests) / MB, "MB", 185.0, "lower", at_rest),
    ]


def _pair(number: int, environment: Mapping[str, str]) -> tuple[Start, Start]:
    """Every second one the other way round."""
    if number % 2:
        chat = _chat(environment)
        return _window(environment), chat
    return _window(environment), _chat(environment)


def _window(environment: Mapping[str, str]) -> Start:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(_launch("start", folder), env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return Start(*map(float, done.stdout.split()))


def _rest(environment: Mapping[str, str]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        command = _launch("rest", folder)
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as window:
            assert window.stdout is not None
            window.stdout.readline()
            resident = resident_bytes(window.pid)
            window.kill()
    return resident


def _launch(what: str, folder: str) -> list[str]:
    return [str(LAUNCHER), sys.executable, "-m", "tests.bench.start_window", folder, str(time.time()), what]


def _chat(environment: Mapping[str, str]) -> Start:
    """Its question lies in its input before it asks for one."""
    began = time.time()
    command = [sys.executable, "-m", "mlx_lm", "chat", "--model", str(DEMO), "--max-tokens", "8"]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
    ) as chat:
        assert chat.stdin is not None and chat.stdout is not None
        chat.stdin.write(f"{PROMPT}\nq\n".encode())
        _read_past(PROMPT_SIGN, chat.stdout)
        asked = time.time() - began
        _read_past(b"\n", chat.stdout)
        _read_past(b"", chat.stdout)
        answered = time.time() - began
        chat.stdout.read()
    return Start(asked, answered)


def _read_past(sign: bytes, stream: IO[bytes]) -> None:
    """Read to the end of the sign, and one byte at least."""
    said = stream.read(1)
    while said and not said.endswith(sign):
        more = stream.read(1)
        said = said + more if more else b""
    if not said:
        raise RuntimeError("mlx-lm's chat broke off.")


def _ratio(pairs: list[tuple[float, float]]) -> float:
    return statistics.median(window / chat for window, chat in pairs)


def _told(pairs: list[tuple[float, float]]) -> dict[str, object]:
    window, chat = zip(*pairs, strict=True)
    return {
        "s": round(statistics.median(window), 2),
        "mlx_lm_chat_s": round(statistics.median(chat), 2),
        "lowest": round(min(ours / theirs for ours, theirs in pairs), 2),
        "highest": round(max(ours / theirs for ours, theirs in pairs), 2),
    }


def _environment(kept: Path) -> dict[str, str]:
    """As both run from their second start on: compiled, and with what the first has kept."""
    environment = dict(os.environ) | {"XDG_CACHE_HOME": str(kept / "cache")}
    if not SHORT:
        environment["PYTHONPYCACHEPREFIX"] = str(kept / "bytecode")
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment
