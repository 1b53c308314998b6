"""Ids of models in the Hugging Face cache, found without the hub's client: it takes long to import."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from app import ordinary_files

PREFIX = "models--"
LONGEST_COMMIT = 200
HUB_CACHE = "HF_HUB_CACHE"


def id_of(kept: str) -> str:
    """The id that this is, or that a folder in the cache had; empty for anything else."""
    path = Path(kept)
    if not path.is_absolute():
        return kept if kept.count("/") == 1 else ""
    inside = next((part for part in path.parts if part.startswith(PREFIX)), "")
    return inside.removeprefix(PREFIX).replace("--", "/")


def has(model_id: str) -> bool:
    """Whether the cache holds a model of this id that can be found by it."""
    folder = folder_of_cache() / f"{PREFIX}{model_id.replace('/', '--')}"
    try:
        commit = ordinary_files.read(folder / "refs" / "main", LONGEST_COMMIT).decode().strip()
    except (OSError, ValueError):
        return False
    return (folder / "snapshots" / commit / "config.json").is_file()


def use(folder: str) -> None:
    """Call this before the hub's client is imported: models are kept in `folder`; empty: where they usually are."""
    if folder:
        os.environ[HUB_CACHE] = folder


def size_of(folder: Path) -> int:
    """Bytes of the files in it; links to them take none. Long for a large one: not for a UI thread."""
    total = 0
    for inside, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # gone meanwhile
                found = Path(inside, name).lstat()
                total += found.st_size if stat.S_ISREG(found.st_mode) else 0
    return total


def folder_of_cache() -> Path:
    """As the environment sets it, in the hub's own order."""
    if cache := os.environ.get(HUB_CACHE) or os.environ.get("HUGGINGFACE_HUB_CACHE"):
        return Path(cache).expanduser()
    home = os.environ.get("XDG_CACHE_HOME", "~/.cache")
    return Path(os.environ.get("HF_HOME") or f"{home}/huggingface").expanduser() / "hub"
