"""Files of a model or dataset in the Hugging Face cache: blobs by checksum, and snapshots that link to them."""

import hashlib
import os
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from app.library.types import HubFile

MAIN = "main"
CONFIG = "config.json"
SHA256_LENGTH = 64
CHUNK_BYTES = 1 << 20
MODELS, DATASETS = "models", "datasets"
"""Kinds of repositories, as in the names of the cache's folders and in the hub's addresses."""
LEFT_OVER_S = 24 * 3600.0
"""Age in seconds from which on a part file belongs to a killed program."""


class Repository:
    """The folder of one model or dataset in the cache."""

    def __init__(self, cache: Path, repository_id: str, kind: str = MODELS) -> None:
        self._name = f"{kind}--{repository_id.replace('/', '--')}"
        self._cache = cache
        self.folder = cache / self._name

    def blob(self, file: HubFile) -> Path:
        return self.folder / "blobs" / file.checksum

    def part(self, file: HubFile) -> Path:
        """Return the path of an incomplete file. huggingface_hub uses the same name, so other tools delete it."""
        return self.folder / "blobs" / f"{file.checksum}.incomplete"

    def lock(self, file: HubFile) -> Path:
        return self._cache / ".locks" / self._name / f"{file.checksum}.lock"

    def has(self, file: HubFile) -> bool:
        """Return whether the file is complete, judged by its size."""
        return _size(self.blob(file)) == file.size

    def present(self, file: HubFile) -> int:
        return file.size if self.has(file) else min(file.size, _size(self.part(file)) or 0)

    def link(self, commit: str, files: Iterable[HubFile]) -> Path:
        """Link complete files into a snapshot. config.json is last, since a folder with it counts as a model."""
        snapshot = self.folder / "snapshots" / commit
        snapshot.mkdir(parents=True, exist_ok=True)
        for file in sorted(files, key=lambda file: file.name == CONFIG):
            (snapshot / file.name).parent.mkdir(parents=True, exist_ok=True)
            _link(self.blob(file), snapshot / file.name)
        reference = self.folder / "refs" / MAIN
        reference.parent.mkdir(parents=True, exist_ok=True)
        fresh = reference.with_name(f"{MAIN}.{os.getpid()}.tmp")
        fresh.write_text(commit, "utf-8")
        fresh.replace(reference)
        return snapshot

    def discard(self, files: Iterable[HubFile]) -> None:
        """Delete part files, and files that no snapshot uses; also the folder if it is then empty."""
        linked = {link.resolve() for link in self.folder.glob("snapshots/*/*")}
        for file in files:
            self.part(file).unlink(missing_ok=True)
            if self.blob(file).resolve() not in linked:
                self.blob(file).unlink(missing_ok=True)
        self._remove_if_empty()

    def sweep(self) -> None:
        """Delete files that killed programs left behind."""
        for left in self.folder.glob("blobs/*.incomplete"):
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > LEFT_OVER_S:
                    left.unlink()

    def _remove_if_empty(self) -> None:
        locks = self._cache / ".locks" / self._name
        blobs, snapshots = self.folder / "blobs", self.folder / "snapshots"
        if any(blobs.glob("*")) or any(snapshots.glob("*/*")):
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(locks, ignore_errors=True)


def is_whole(path: Path, file: HubFile) -> bool:
    return _size(path) == file.size and checksum(path, file) == file.checksum


def checksum(path: Path, file: HubFile) -> str:
    """Return the SHA-256 of a large file, or git's blob hash of a small one."""
    if len(file.checksum) == SHA256_LENGTH:
        digest = hashlib.sha256()
    else:
        digest = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def _link(blob: Path, pointer: Path) -> None:
    """Create a link atomically: another program may do the same, and must not see a partial copy."""
    if pointer.exists():
        return
    fresh = blob.with_name(f"{blob.name}.{os.getpid()}.incomplete")
    try:
        try:
            fresh.symlink_to(os.path.relpath(blob, pointer.parent))
        except OSError:  # a disk without links
            shutil.copyfile(blob, fresh)
        fresh.replace(pointer)
    finally:
        fresh.unlink(missing_ok=True)


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None
