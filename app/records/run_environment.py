"""What a run depends on beside its request: the model's very files, the libraries, the machine."""

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
from app.records.types import FilesRef, ModelRef, RunRecord, RunStart, Versions

SAMPLES = 16
SAMPLE_BYTES = 1 << 16
"""So much is read at each of so many places of a file: a model may be larger than anyone wants to wait for."""
LONGEST_CHIP = 256
CACHED_IN = "snapshots"
"""The folder of the hub's cache in which each commit has one of its own."""


def model_ref(name: str, folder: Path) -> ModelRef:
    """Which model it is: by its commit if it lies in the hub's cache, by its server, else by a hash of its files."""
    if (there := server_model(str(folder))) is not None:
        return ModelRef(f"{name} · {host_of(there.address)}", str(folder))
    if folder.parent.name == CACHED_IN:
        return ModelRef(name, str(folder), revision=folder.name)
    return ModelRef(name, str(folder), digest=_digest(folder))


def start_of(
    mode: str, request: Request, model: Model, sent: float, ref: Callable[[str, Path], ModelRef] = model_ref
) -> RunStart:
    """What is known of a run when it is sent."""
    draft = model.draft if request.draft_tokens else None
    return RunStart(
        mode=mode,
        request=request,
        model=whole_ref(model, ref, bool(request.sampling.adapter_strength)),
        sent=sent,
        draft=ref(draft.name, draft.folder) if draft else None,
        versions=versions(),
        context=model.context,
    )


def whole_ref(model: Model, ref: Callable[[str, Path], ModelRef] = model_ref, adapted: bool = True) -> ModelRef:
    """With the adapter that is on it, where that counts."""
    found, adapter = ref(model.name, model.folder), model.adapter
    if adapter is None or not adapted:
        return found
    there = ref(adapter.name, adapter.folder)
    return replace(found, adapter=FilesRef(there.name, there.folder, there.revision, there.digest))


@cache
def versions() -> Versions:
    """Of everything that computes; read once, since it means looking at files."""
    return Versions(
        app=__version__,
        mlx=_version("mlx"),
        mlx_lm=_version("mlx-lm"),
        python=platform.python_version(),
        system=platform.platform(),
        chip=_chip(),
    )


def _version(package: str) -> str:
    # Its import takes as long as that of everything else here, and the first paint would wait for it.
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _chip() -> str:
    """Each system keeps the name where `platform` does not look: it calls every Mac's "arm"."""
    if sys.platform == "darwin":
        return _of_mac() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def _of_mac() -> str:
    """Such as "Apple M3 Max"; empty where the system does not say."""
    library = ctypes.CDLL(None)
    size = ctypes.c_size_t(LONGEST_CHIP)
    name = ctypes.create_string_buffer(LONGEST_CHIP)
    missing = library.sysctlbyname(b"machdep.cpu.brand_string", name, ctypes.byref(size), None, ctypes.c_size_t(0))
    return "" if missing else name.value.decode("utf-8", "replace")


def _digest(folder: Path) -> str:
    """Of the names, the sizes and samples of all files; empty where they can't be read."""
    digest = hashlib.sha256()
    try:
        files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
        for path in files:
            _take(digest, path)
    except OSError:
        return ""
    return digest.hexdigest() if files else ""


def _take(digest: hashlib._Hash, path: Path) -> None:
    size = path.stat().st_size
    digest.update(f"{path.name}\0{size}\0".encode())
    with path.open("rb") as file:
        for number in range(SAMPLES):
            file.seek(max(0, size - SAMPLE_BYTES) * number // (SAMPLES - 1))
            digest.update(file.read(SAMPLE_BYTES))
            if size <= SAMPLE_BYTES:
                break


def is_elsewhere(model: ModelRef) -> bool:
    """A server computed with it."""
    return server_model(model.folder) is not None


def was_seeded(model: ModelRef, finish: Finish | None) -> bool:
    """Whether the seed of the settings was used; of a server's run that has not ended nobody knows."""
    return not is_elsewhere(model) or (finish is not None and finish.wire is not None and finish.wire.seeded)


def seed_of(run: RunRecord) -> int | None:
    """The seed that makes this run happen again; None: there was none."""
    return run.request.sampling.seed if was_seeded(run.model, run.finish) else None
