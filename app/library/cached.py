"""Ids of models in the Hugging Face cache, found without the hub's client: it takes long to import."""

from __future__ import annotations

import os
from pathlib import Path

PREFIX = "models--"


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
        commit = (folder / "refs" / "main").read_text("utf-8").strip()
    except (OSError, ValueError):
        return False
    return (folder / "snapshots" / commit / "config.json").is_file()


def folder_of_cache() -> Path:
    """As the environment sets it, in the hub's own order."""
    if cache := os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE"):
        return Path(cache).expanduser()
    home = os.environ.get("XDG_CACHE_HOME", "~/.cache")
    return Path(os.environ.get("HF_HOME") or f"{home}/huggingface").expanduser() / "hub"
