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
    resident: float = 0.0
    """Bytes in memory when the first token is there; of the chat."""


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as kept:
        environment = _environment(Path(kept))
        pairs = starts(DEMO, STARTS, environment)
        rests = [(_rest(environment), _chat(DEMO, environment).resident) for _ in range(RESTS)]
    first = [(window.first_token, chat.first_token) for window, chat in pairs]
    typing = [(window.typing, chat.typing) for window, chat in pairs]
    at_rest = {"mb": [[round(each / MB) for each in pair] for pair in rests]}
    return [
        starts_row("start.first_token_ratio", first),
        starts_row("start.typing_ratio", typing),
        Row("start.memory_ratio", _ratio(rests), at_rest),
        Row("start.memory_mb", statistics.median(window for window, _ in rests) / MB),
    ]


def first_tokens(model: Path, count: int) -> list[tuple[float, float]]:
    """Seconds from the start to the first token, of the window and of the chat."""
    with tempfile.TemporaryDirectory() as kept:
        pairs = starts(model, count, _environment(Path(kept)))
    return [(window.first_token, chat.first_token) for window, chat in pairs]


def starts(model: Path, count: int, environment: Mapping[str, str]) -> list[tuple[Start, Start]]:
    """The window and the chat by turns, every second pair the other way round."""
    if not SHORT:  # these may have to compile what they import, and keep what later starts find
        _window(model, environment), _chat(model, environment)
    return [_pair(number, model, environment) for number in range(count)]


def _pair(number: int, model: Path, environment: Mapping[str, str]) -> tuple[Start, Start]:
    if number % 2:
        chat = _chat(model, environment)
        return _window(model, environment), chat
    return _window(model, environment), _chat(model, environment)


def _window(model: Path, environment: Mapping[str, str]) -> Start:
    with tempfile.TemporaryDirectory() as folder:
        command = _launch("start", folder, model)
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return Start(*map(float, done.stdout.split()))


def _rest(environment: Mapping[str, str]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        command = _launch("rest", folder, DEMO)
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as window:
            assert window.stdout is not None
            window.stdout.readline()
            resident = resident_bytes(window.pid)
            window.kill()
    return resident


def _launch(what: str, folder: str, model: Path) -> list[str]:
    opened = [] if model == DEMO else [str(model)]
    return [str(LAUNCHER), sys.executable, "-m", "tests.bench.start_window", folder, str(time.time()), what, *opened]


def _chat(model: Path, environment: Mapping[str, str]) -> Start:
    """Its question is in its input before it asks for one."""
    began = time.time()
    command = [sys.executable, "-m", "mlx_lm", "chat", "--model", str(model), "--max-tokens", "8"]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
    ) as chat:
        assert chat.stdin is not None and chat.stdout is not None
        chat.stdin.write(f"{PROMPT}\n".encode())
        _read_past(PROMPT_SIGN, chat.stdout)
        asked = time.time() - began
        _read_past(b"\n", chat.stdout)
        _read_past(b"", chat.stdout)
        answered = time.time() - began
        resident = resident_bytes(chat.pid)
        chat.communicate(b"q\n")
    return Start(asked, answered, resident)


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


def starts_row(name: str, pairs: list[tuple[float, float]]) -> Row:
    window, chat = zip(*pairs, strict=True)
    detail = {
        "pairs": len(pairs),
        "load": round(os.getloadavg()[0], 1),
        "s": round(statistics.median(window), 2),
        "mlx_lm_chat_s": round(statistics.median(chat), 2),
        "lowest": round(min(ours / theirs for ours, theirs in pairs), 2),
        "highest": round(max(ours / theirs for ours, theirs in pairs), 2),
    }
    return Row(name, _ratio(pairs), detail)


def _environment(kept: Path) -> dict[str, str]:
    """As both run from their second start on: compiled, and with what the first has kept."""
    environment = dict(os.environ) | {"XDG_CACHE_HOME": str(kept / "cache")}
    if not SHORT:
        environment["PYTHONPYCACHEPREFIX"] = str(kept / "bytecode")
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment
