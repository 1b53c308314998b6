"""KV caches on disk, which remain after the program quits. Off unless the user turns it on.

A file's name contains its session and its checksum. Its header contains the settings of the cache. A file that is
damaged or from another model or version is not used: the prompt is prefilled again.
"""

import hashlib
import json
import os
import time
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mlx.core as mx
import mlx_lm
from mlx_lm.models.cache import (
    ArraysCache,
    KVCache,
    QuantizedKVCache,
    RotatingKVCache,
    load_prompt_cache,
    save_prompt_cache,
)

from app.engine.mlx.caches.prompt_cache_pool import PooledCache, PromptCachePool
from app.engine.mlx.loaded import LoadedModel
from app.engine.model_files.folder import check_safetensors
from app.engine.saved_names import name_of, saved_files, session_of
from app.engine.text import common_prefix
from app.engine.types import DiskCacheStats
from app.files import json_reader
from app.files.json_reader import JsonLimits
from app.files.regular_files import put_in_place
from app.i18n import tr

FORMAT = 1
HALF = ".half.safetensors"
CLASSES = (KVCache, QuantizedKVCache, RotatingKVCache, ArraysCache)
"""The cache classes that mlx-lm restores exactly; others stay in memory."""
LEAST = 64
"""Fewer tokens are prefilled as fast as a file is read."""
HEADER_BYTES = 16_000_000
SAMPLE_BYTES = 1 << 16
PIECE_BYTES = 1 << 20
WRITES = 4
"""Maximum bytes that the program writes from its start to its end, as a multiple of the disk budget."""
SAVE_S = 1.5
"""Seconds after which no further file is written, since shutdown waits for it."""
DAMAGED = tr("its saved cache was damaged and has been deleted")
UNFIT = tr("The open model's kind of KV cache can't be saved on disk, so it stays in memory only.")
STRANGE = tr("its saved cache is from another model or version")


@dataclass(frozen=True, slots=True)
class SavedCache:
    """A file with a KV cache, as described by its header."""

    path: Path
    session: int
    ids: tuple[int, ...]
    kind: str
    cut: bool
    pace: float
    """The prefill speed of its model, in tok/s."""

    def usable(self, ids: tuple[int, ...]) -> int:
        keep = min(common_prefix(self.ids, ids), len(ids) - 1)
        return keep if self.cut or keep == len(self.ids) else 0

    def covers(self, old: "SavedCache") -> bool:
        return old.cut and (self.kind, self.ids[: len(old.ids)]) == (old.kind, old.ids) and self.path != old.path


class DiskPromptCache:
    """The cache files of the open model. A file is read when a prompt begins with its ids."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._budget = self._written = 0
        self._seconds = 0.0
        self._stamp = ""
        self._known: list[SavedCache] = []
        self._unusable_sessions: set[int] = set()
        self._why_not = ""
        self.note = ""
        """The last failure that has not been reported yet."""

    def state(self) -> DiskCacheStats:
        return DiskCacheStats(sum(map(_size, saved_files(self._folder))), self._written, self._seconds, self._why_not)

    def tune(self, folder: Path | None, budget: int) -> None:
        """Set the folder and the budget in bytes; 0: none, and existing files are deleted."""
        self._folder, self._budget = folder, budget
        self._shrink(budget)

    def open(self, stamp: str) -> None:
        """Read the headers of a model's files (no model: ''), and delete incomplete files of ended processes."""
        self._stamp, self._why_not = stamp, ""
        for half in self._folder.glob(f"*{HALF}") if self._folder is not None else ():
            if not _is_writer_running(half):
                _remove(half)
        files = saved_files(self._folder) if stamp and self._budget else []
        self._known = [each for each in map(self._read_header, files) if each is not None]
        self._unusable_sessions = {session_of(path) or 0 for path in files} - {each.session for each in self._known}

    def note_unusable(self, session: int | None) -> None:
        """Note once that the session's files are from another model or version."""
        if session in self._unusable_sessions:
            self._unusable_sessions.discard(session)
            self.note = self.note or STRANGE

    def find(self, ids: tuple[int, ...], kind: object, more_than: int, budget: int) -> SavedCache | None:
        """Return the file with most of a prompt, if it saves enough tokens; None otherwise."""
        each = [(saved.usable(ids), saved) for saved in self._known if saved.kind == repr(kind)]
        count, best = max(each, key=lambda pair: pair[0], default=(0, None))
        return best if best is not None and count >= more_than + LEAST and _size(best.path) <= budget else None

    def load(self, ids: tuple[int, ...], kind: object, more_than: int, pool: PromptCachePool) -> PooledCache | None:
        """Read the best file into the pool and return its cache, even if the pool dropped it at once."""
        best = self.find(ids, kind, more_than, pool.budget)
        if best is None:
            return None
        self._known.remove(best)
        try:
            loaded = pool.keep(_load(best), best.ids, kind, best.session)
        except Exception:  # an incomplete file may raise anything
            _remove(best.path)
            self.note = DAMAGED
            return None
        self._known.append(best)
        self._seconds += (best.usable(ids) - more_than) / best.pace if best.pace > 0 else 0.0
        with suppress(OSError):
            os.utime(best.path)
        return loaded

    def save(self, caches: Iterable[PooledCache], pace: float) -> None:
        """Write caches without a file, in this order, until budget or time is used up."""
        until = time.monotonic() + SAVE_S
        for each in caches:
            if time.monotonic() > until or self._folder is None or not self._stamp:
                return
            room = min(self._budget, WRITES * self._budget - self._written)
            if each.session > 0 and len(each.ids) >= LEAST and each.size < room and not self._has(each):
                try:
                    self._save(each, self._folder, pace)
                except Exception:  # mlx may raise anything, for instance on a full disk
                    self.note = tr("the disk had no room to save its cache")
                    return

    def forget(self, session: int) -> None:
        """Delete the files of a session; 0: of all."""
        for path in saved_files(self._folder):
            if session in (0, session_of(path)):
                _remove(path)
        self._known = [each for each in self._known if session not in (0, each.session)]

    def _has(self, cache: PooledCache) -> bool:
        alike = [each for each in self._known if each.kind == repr(cache.kind)]
        return any(cache.ids in (each.ids, each.ids[: len(cache.ids)] if each.cut else None) for each in alike)

    def _save(self, cache: PooledCache, folder: Path, pace: float) -> None:
        caches, _ = cache.restore(len(cache.ids))
        if not all(type(layer) in CLASSES for layer in caches):
            self._why_not = UNFIT
            return
        self._shrink(self._budget - cache.size)
        folder.mkdir(exist_ok=True, mode=0o700)
        half = folder / f"{os.getpid()}{HALF}"
        header = {"stamp": self._stamp, "kind": repr(cache.kind), "ids": json.dumps(cache.ids), "pace": repr(pace)}
        try:
            save_prompt_cache(str(half), caches, header | {"cut": "" if cache.whole else "1"})
            self._written += _size(half)
            path = folder / name_of(cache.session, _checksum(half))
            half.chmod(0o600)
            put_in_place(half, path)
        finally:
            _remove(half)
        saved = self._read_header(path)
        gone = [each for each in self._known if saved is not None and saved.covers(each)]
        for each in gone:
            _remove(each.path)
        self._known = [*(each for each in self._known if each not in gone), *([saved] if saved is not None else [])]
        self._shrink(self._budget)

    def _shrink(self, budget: int) -> None:
        """Delete the least recently used files first."""
        files = sorted(saved_files(self._folder), key=_last_used)
        while files and sum(map(_size, files)) > max(0, budget):
            gone = files.pop(0)
            _remove(gone)
            self._known = [each for each in self._known if each.path != gone]

    def _read_header(self, path: Path) -> SavedCache | None:
        """Return the description of a file; None if it is from another model or version."""
        try:
            check_safetensors(path)
            with path.open("rb") as file:
                length = int.from_bytes(file.read(8), "little")
                header = json_reader.parse(file.read(min(length, HEADER_BYTES)), JsonLimits(HEADER_BYTES))[
                    "__metadata__"
                ]
            names = {header[key] for key in header if key.startswith("1.")}
            if header["0.stamp"] != self._stamp or not names <= {each.__name__ for each in CLASSES}:
                return None
            ids = tuple(json_reader.parse(header["0.ids"], JsonLimits(HEADER_BYTES)))
            whole = all(type(each) is int for each in ids)
            session = session_of(path)
            if not whole or session is None:
                return None
            return SavedCache(path, session, ids, header["0.kind"], bool(header["0.cut"]), float(header["0.pace"]))
        except Exception:  # untrusted content
            return None


def stamp_of(main: LoadedModel, draft: LoadedModel | None) -> str:
    """Return a digest of all that keys and values depend on: models, versions, precision, device."""
    loaded = [each.model for each in (main, draft) if each is not None]
    models = [(_digest(each.folder), each.precision, each.format.unpacked, each.tf32) for each in loaded]
    versions = [str(getattr(each, "__version__", "")) for each in (mx, mlx_lm)]
    return repr((FORMAT, versions, str(mx.default_device()), models))


def _digest(folder: Path) -> str:
    """Return a digest of each file's size, time, start and end: whole models are too large."""
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted((*folder.glob("*.safetensors"), *folder.glob("config.json"))):
        stat = path.stat()
        digest.update(repr((path.name, stat.st_size, stat.st_mtime_ns)).encode())
        with path.open("rb") as file:
            digest.update(file.read(SAMPLE_BYTES))
            file.seek(max(0, stat.st_size - SAMPLE_BYTES))
            digest.update(file.read(SAMPLE_BYTES))
    return digest.hexdigest()


def _load(saved: SavedCache) -> list[Any]:
    """Read a whole file. Raises ValueError, or any error of mlx."""
    if saved.path.name != name_of(saved.session, _checksum(saved.path)):
        raise ValueError("damaged")
    caches: list[Any] = load_prompt_cache(str(saved.path))
    mx.eval([layer.state for layer in caches])
    if any(getattr(layer, "offset", len(saved.ids)) != len(saved.ids) for layer in caches):
        raise ValueError("another length")
    return caches


def _is_writer_running(half: Path) -> bool:
    """Return whether the process that writes this file is still running."""
    pid = half.name.removesuffix(HALF)
    try:
        os.kill(int(pid), 0)
    except (ValueError, OverflowError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return int(pid) != os.getpid()


def _checksum(path: Path) -> int:
    found = 0
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            found = zlib.crc32(piece, found)
    return found


def _remove(path: Path) -> None:
    """Delete a file and ignore errors: another process may use it."""
    with suppress(OSError):
        path.unlink()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _last_used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
