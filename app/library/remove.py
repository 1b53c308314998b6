"""Deleting models from the Hugging Face cache: first what it would free, then the deed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from app.engine.refusal import details_of
from app.engine.types import Failure
from app.library.local import cache_folder
from app.library.types import LocalModel, Removal, Source

if TYPE_CHECKING:
    from huggingface_hub import CachedRepoInfo

REFUSED = {
    Source.BUNDLED: ("This model belongs to Sluice.", "It goes when Sluice is removed."),
    Source.FOLDER: ("This folder is your own, so Sluice does not delete it.", "Take it off the list, or delete it."),
}


def removal(model: LocalModel) -> Removal | Failure:
    """What deleting would free. A bundled model or a user's own folder is never deleted."""
    if model.source in REFUSED:
        return Failure(*REFUSED[model.source], kind="not ours")
    cache = cache_folder()
    repo = _repo(model.name, cache)
    if repo is not None:
        revisions = tuple(sorted(revision.commit_hash for revision in repo.revisions))
        return Removal(model.name, repo.repo_path, _freed(revisions, cache), revisions)
    folder = model.folder.parent.parent
    if folder.parent.resolve() != cache.resolve() or not folder.is_dir():
        return Failure(f"“{model.name}” is not in the cache any more.", "Refresh the list.", kind="absent")
    return Removal(model.name, folder, model.size, ())


def remove(planned: Removal) -> int | Failure:
    """Delete what was planned; the bytes that were freed."""
    from huggingface_hub import scan_cache_dir

    try:
        if planned.revisions:
            scan_cache_dir(cache_folder()).delete_revisions(*planned.revisions).execute()
        else:  # a damaged entry, which the hub's own client can't read
            shutil.rmtree(planned.folder)
    except OSError as error:
        what = f"“{planned.name}” could not be deleted."
        return Failure(what, "Close the programs that use it, and try again.", details_of(error))
    if any(planned.folder.glob("snapshots/*/*")):
        what = f"Files of “{planned.name}” could not be deleted."
        return Failure(what, "Check that you may write to the Hugging Face cache.", str(planned.folder))
    return planned.freed


def _repo(name: str, cache: Path) -> CachedRepoInfo | None:
    from huggingface_hub import scan_cache_dir

    if not cache.is_dir():
        return None
    repos = scan_cache_dir(cache).repos
    return next((repo for repo in repos if repo.repo_type == "model" and repo.repo_id == name), None)


def _freed(revisions: tuple[str, ...], cache: Path) -> int:
    from huggingface_hub import scan_cache_dir

    return scan_cache_dir(cache).delete_revisions(*revisions).expected_freed_size
