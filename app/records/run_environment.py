"""Environment of a run: the model's files, library versions and the computer."""

from __future__ import annotations

import ctypes
import hashlib
import platform
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from app import __version__
from app.engine.remote.address import host_of, server_model
from app.engine.types import Finish, Model, Request
from app.platform.packages import installed_version
from app.records.types import FilesRef, ModelRef, RunRecord, RunStart, Versions

SAMPLES = 16
SAMPLE_BYTES = 1 << 16
"""Bytes read at each of SAMPLES positions of a file, since hashing an entire model would take too long."""
LONGEST_CHIP = 256
CACHED_IN = "snapshots"
"""Name of the folder in the Hugging Face cache that contains a folder per commit."""


def model_ref(name: str, folder: Path) -> ModelRef:
    """Identify a model: by its commit in the Hugging Face cache, by its server, or by a hash of its files."""
    if (there := server_model(str(folder))) is not None:
        return ModelRef(f"{name} · {host_of(there.address)}", str(folder))
    if folder.parent.name == CACHED_IN:
        return ModelRef(name, str(folder), revision=folder.name)
    return ModelRef(name, str(folder), digest=_digest(folder))


def run_start(
    mode: str, request: Request, model: Model, sent: float, ref: Callable[[str, Path], ModelRef] = model_ref
) -> RunStart:
    """Return the start of a run, with model, draft model and versions."""
    draft = model.draft if request.draft_tokens and not request.looks_up else None
    return RunStart(
        mode=mode,
        request=request,
        model=full_model_ref(model, ref, bool(request.sampling.adapter_strength)),
        sent=sent,
        draft=ref(draft.name, draft.folder) if draft else None,
        versions=versions(),
        context=model.context,
    )


def full_model_ref(model: Model, ref: Callable[[str, Path], ModelRef] = model_ref, adapted: bool = True) -> ModelRef:
    found, adapter = replace(ref(model.name, model.folder), format=model.format), model.adapter
    if adapter is None or not adapted:
        return found
    there = ref(adapter.name, adapter.folder)
    return replace(found, adapter=FilesRef(there.name, there.folder, there.revision, there.digest))


@cache
def versions() -> Versions:
    """Return the versions of all libraries; cached, since they are read from files."""
    return Versions(
        app=__version__,
        mlx=installed_version("mlx"),
        mlx_lm=installed_version("mlx-lm"),
        python=platform.python_version(),
        system=platform.platform(),
        chip=_chip(),
    )


def _chip() -> str:
    """Return the processor's name; `platform` calls every Mac's "arm"."""
    if sys.platform == "darwin":
        return _mac_chip() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def _mac_chip() -> str:
    """Return a name such as "Apple M3 Max"; empty if unknown."""
    library = ctypes.CDLL(None)
    size = ctypes.c_size_t(LONGEST_CHIP)
    name = ctypes.create_string_buffer(LONGEST_CHIP)
    missing = library.sysctlbyname(b"machdep.cpu.brand_string", name, ctypes.byref(size), None, ctypes.c_size_t(0))
    return "" if missing else name.value.decode("utf-8", "replace")


def _digest(folder: Path) -> str:
    """Return a hash of names, sizes and samples of all files; empty if they can't be read."""
    digest = hashlib.sha256()
    try:
        files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
        for path in files:
            _add_file(digest, path)
    except OSError:
        return ""
    return digest.hexdigest() if files else ""


def _add_file(digest: hashlib._Hash, path: Path) -> None:
    size = path.stat().st_size
    digest.update(f"{path.name}\0{size}\0".encode())
    with path.open("rb") as file:
        for number in range(SAMPLES):
            file.seek(max(0, size - SAMPLE_BYTES) * number // (SAMPLES - 1))
            digest.update(file.read(SAMPLE_BYTES))
            if size <= SAMPLE_BYTES:
                break


def is_on_server(model: ModelRef) -> bool:
    return server_model(model.folder) is not None


def was_seeded(model: ModelRef, finish: Finish | None) -> bool:
    """Return whether the seed was used; False for a server's run that hasn't ended."""
    return not is_on_server(model) or (finish is not None and finish.wire is not None and finish.wire.seeded)


def seed_of(run: RunRecord) -> int | None:
    """Return the seed that reproduces this run; None if it had none."""
    return run.request.sampling.seed if was_seeded(run.model, run.finish) else None
