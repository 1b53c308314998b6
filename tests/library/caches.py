"""Models in the hub's cache, as its own client leaves them there."""

import shutil
from pathlib import Path

COMMIT = "c" * 40


def put_into_cache(cache: Path, model_id: str, folder: Path, commit: str = COMMIT, ref: str = "main") -> Path:
    """A model as the hub's own client would have left it there."""
    repo = cache / f"models--{model_id.replace('/', '--')}"
    snapshot = repo / "snapshots" / commit
    snapshot.mkdir(parents=True)
    (repo / "blobs").mkdir(exist_ok=True)
    for file in folder.iterdir():
        blob = repo / "blobs" / f"{commit[:4]}{file.name}"
        shutil.copyfile(file, blob)
        (snapshot / file.name).symlink_to(Path("../../blobs") / blob.name)
    if ref:
        (repo / "refs").mkdir(exist_ok=True)
        (repo / "refs" / ref).write_text(commit)
    return snapshot
