"""The stored list of unfinished downloads, without tokens."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from app.files import atomic_file, json_reader, regular_files
from app.files.json_values import UNFIT
from app.library.plan import CHECKSUM
from app.library.types import HubFile

FILE = "downloads.json"


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An unfinished download: the model, its files, and the new ones, which Cancel deletes."""

    model_id: str
    files: tuple[HubFile, ...] = ()
    ours: tuple[HubFile, ...] = ()

    def planned(self, files: tuple[HubFile, ...], missing: Iterable[HubFile]) -> Unfinished:
        """Return the download with a new plan; Cancel still deletes files of an earlier plan."""
        ours = {file.checksum: file for file in (*self.ours, *missing)}
        return replace(self, files=files, ours=tuple(ours.values()))


def load(folder: Path) -> list[Unfinished]:
    """Load the list. An unreadable one is empty; part files then stay in the cache."""
    try:
        stored = json_reader.parse(regular_files.read(folder / FILE, json_reader.LARGEST_BYTES))
        return [_read(item) for item in stored]
    except UNFIT:
        return []


def save(folder: Path, downloads: Iterable[Unfinished]) -> None:
    """Save the list."""
    items = [asdict(one) for one in downloads]
    with suppress(OSError):  # a full disk also stops the download, which reports it
        folder.mkdir(parents=True, exist_ok=True)
        atomic_file.write(folder / FILE, json.dumps(items, indent=1).encode())


def read_file(item: Mapping[str, Any]) -> HubFile:
    """Parse a file's JSON; checksums are validated, since they name files."""
    file = HubFile(str(item["name"]), int(item["size"]), str(item["checksum"]))
    if not CHECKSUM.fullmatch(file.checksum):
        raise ValueError(f"no checksum: {file.checksum!r}")
    return file


def _read(item: Mapping[str, Any]) -> Unfinished:
    files, ours = (tuple(read_file(file) for file in item[kind]) for kind in ("files", "ours"))
    return Unfinished(str(item["model_id"]), files, ours)
