"""The plan of a download: the commit, and the files that MLX needs."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from app.library.types import HubFile

if TYPE_CHECKING:
    from huggingface_hub import DatasetInfo, ModelInfo
    from huggingface_hub.hf_api import RepoSibling

NEEDED = ("*.json", "*.jsonl", "*.txt", "*.jinja", "*.tiktoken", "tokenizer.model", "model*.safetensors")
"""Patterns of files that mlx-lm reads. Python files are left out, since Sluice never runs them."""
UNNEEDED = ("model*.gguf.json", "trainer_state.json", "training_args.json", "optimizer*")
WEIGHTS = "model*.safetensors"
LARGEST_FILE = 2**50
LONGEST_NAME = 200
COMMIT = re.compile(r"[0-9a-f]{40}")
CHECKSUM = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def commit_of(info: ModelInfo | DatasetInfo) -> str:
    """Return the commit of the main branch; raise an error for an unusual one, since it names a folder."""
    if not isinstance(info.sha, str) or not COMMIT.fullmatch(info.sha):
        raise ValueError(f"no commit: {info.sha!r}")
    return info.sha


def files_of(info: ModelInfo) -> tuple[HubFile, ...]:
    found = {file.name: file for file in map(file_of, filter(_is_needed, info.siblings or ()))}
    return tuple(found.values())


def is_needed(name: str) -> bool:
    """Return whether mlx-lm or the tokenizer reads this file; subfolders contain other formats."""
    if "/" in name or "\\" in name or name.startswith(".") or not name.isprintable() or len(name) > LONGEST_NAME:
        return False
    return _matches(name, NEEDED) and not _matches(name, UNNEEDED)


def _is_needed(sibling: RepoSibling) -> bool:
    name: object = sibling.rfilename
    return isinstance(name, str) and is_needed(name)


def weights_of(files: tuple[HubFile, ...]) -> int:
    return sum(file.size for file in files if fnmatchcase(file.name, WEIGHTS))


def file_of(sibling: RepoSibling) -> HubFile:
    """Return name, size and checksum of a file on the hub; raise an error for unusual ones."""
    large = sibling.lfs
    size = large.size if large is not None else sibling.size
    checksum = large.sha256 if large is not None else sibling.blob_id
    # Checksums name files in the cache, so only hexadecimal digits are allowed.
    is_size = type(size) is int and 0 <= size <= LARGEST_FILE
    if not is_size or not isinstance(checksum, str) or not CHECKSUM.fullmatch(checksum):
        raise ValueError(f"{sibling.rfilename}: no size or checksum")
    return HubFile(sibling.rfilename, int(size or 0), checksum)


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
