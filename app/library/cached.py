"""The Hugging Face cache and the last use of its models, without huggingface_hub, which takes long to import."""

import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from app.files import json_reader, regular_files
from app.files.json_values import UNFIT

PREFIX = "models--"
LONGEST_COMMIT = 200
HUB_CACHE = "HF_HUB_CACHE"
SHELL_S = 5.0
MARK = "sluice-asks"
"""Marker before the answer, which follows the shell's own output."""


def id_of(name: str) -> str:
    """Return the model id of an id or of a folder in the cache; empty for anything else."""
    path = Path(name)
    if not path.is_absolute():
        return name if name.count("/") == 1 else ""
    inside = next((part for part in path.parts if part.startswith(PREFIX)), "")
    return inside.removeprefix(PREFIX).replace("--", "/")


def name_of(model: str) -> str:
    """Return the model id of an id or of a folder in the cache, else the folder's name."""
    return id_of(model) or Path(model).name


def folder_of(model_id: str) -> Path:
    return folder_of_cache() / f"{PREFIX}{model_id.replace('/', '--')}"


def has(model_id: str) -> bool:
    folder = folder_of(model_id)
    commit = commit_of(folder)
    try:
        return bool(commit) and (folder / "snapshots" / commit / "config.json").is_file()
    except OSError:
        return False


def commit_of(folder: Path) -> str:
    """Return the commit of a model's main branch in the cache; empty if unknown."""
    try:
        return regular_files.read(folder / "refs" / "main", LONGEST_COMMIT).decode().strip()
    except (OSError, ValueError):
        return ""


def use(folder: str) -> None:
    """Set the cache folder, before huggingface_hub is imported; empty: the default."""
    if folder:
        os.environ[HUB_CACHE] = folder


def size_of(folder: Path) -> int:
    """Return the bytes of all files in a folder, without links. Slow: don't call it on the UI thread."""
    total = 0
    for inside, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # gone meanwhile
                found = Path(inside, name).lstat()
                total += found.st_size if stat.S_ISREG(found.st_mode) else 0
    return total


def folder_of_cache(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the cache folder that the environment sets, by huggingface_hub's rules."""
    if cache := environment.get(HUB_CACHE) or environment.get("HUGGINGFACE_HUB_CACHE"):
        return regular_files.expand_home(cache)
    home = environment.get("XDG_CACHE_HOME", "~/.cache")
    return regular_files.expand_home(environment.get("HF_HOME") or f"{home}/huggingface") / "hub"


def of_shell(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the cache folder that the user's shell sets; None without a shell or an answer.

    A program started by Finder doesn't have the shell's variables. This runs the shell's startup files: don't call it
    on the UI thread.
    """
    if sys.platform != "darwin" or "TERM" in environment or "SHELL" not in environment:
        return None
    command = [environment["SHELL"], "-lic", f"echo {MARK}; /usr/bin/env"]
    try:
        asked = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SHELL_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    _, _, raw = asked.stdout.decode("utf-8", "replace").partition(f"{MARK}\n")
    return folder_of_cache(dict(line.split("=", 1) for line in raw.splitlines() if "=" in line)) if raw else None


USED_FILE = "used.json"
MOST_USED = 200
LARGEST_USED_BYTES = 2_000_000
"""The largest file in bytes; paths may have 4,096 characters."""


def read_last_used(folder: Path) -> dict[Path, float]:
    """Read the last use of each model, in seconds since 1970, by its resolved folder. `folder`: the data folder."""
    try:
        stored = json_reader.parse(regular_files.read(folder / USED_FILE, LARGEST_USED_BYTES))
        return {Path(name): float(moment) for name, moment in stored.items()}
    except UNFIT:
        return {}


def note_use(folder: Path, model: Path) -> None:
    """Record that a model was opened now. Errors such as a full disk are ignored."""
    moments = read_last_used(folder) | {model.resolve(): time.time()}
    newest = sorted(moments, key=lambda path: moments[path], reverse=True)[:MOST_USED]
    text = json.dumps({str(path): moments[path] for path in newest}, indent=1, ensure_ascii=False)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        # A path may have bytes that aren't UTF-8.
        regular_files.write_atomically(folder / USED_FILE, text.encode("utf-8", "backslashreplace"))
