"""Deletion of models from the Hugging Face cache, after a preview."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.engine.errors import details_of
from app.engine.types import Failure
from app.i18n import tr
from app.library.local import cache_folder
from app.library.types import LocalModel, ModelLocation, Removal

if TYPE_CHECKING:
    from huggingface_hub import DeleteCacheStrategy

REFUSED = {
    ModelLocation.BUNDLED: (tr("This model is part of Sluice."), tr("Uninstalling Sluice deletes it.")),
    ModelLocation.FOLDER: (
        tr("This folder is not in the Hugging Face cache, so Sluice does not delete it."),
        tr("Remove it from the list, or delete it yourself."),
    ),
}


def removal(model: LocalModel) -> Removal | Failure:
    """Return a preview of deleting a model. Bundled models and the user's folders are never deleted."""
    if model.source in REFUSED:
        return Failure(*REFUSED[model.source], kind="not ours")
    folder = model.folder.parent.parent
    if folder.parent.resolve() != cache_folder().resolve() or not folder.is_dir():
        what = tr("“{name}” is no longer in the cache.").format(name=model.name)
        return Failure(what, "", kind="absent")
    strategy = _strategy(folder)
    return Removal(model.name, folder, model.size if strategy is None else strategy.expected_freed_size)


def remove(planned: Removal) -> int | Failure:
    """Delete a model as previewed; return the freed bytes."""
    try:
        strategy = _strategy(planned.folder)
        if strategy is not None:
            strategy.execute()
        else:  # a damaged entry, which huggingface_hub can't read
            shutil.rmtree(planned.folder)
    except FileNotFoundError:
        return 0
    except OSError as error:
        what = tr("“{name}” could not be deleted.").format(name=planned.name)
        return Failure(what, tr("Close the programs that use it, and try again."), details_of(error))
    if any(planned.folder.glob("snapshots/*/*")):
        what = tr("Files of “{name}” could not be deleted.").format(name=planned.name)
        return Failure(
            what, tr("Check that you have permission to write to the Hugging Face cache."), str(planned.folder)
        )
    return planned.freed


def _strategy(folder: Path) -> DeleteCacheStrategy | None:
    """Return huggingface_hub's strategy for deleting a model; None if it can't read the folder.

    Strategies select by commit, and a renamed model is cached under two names with the same commits. So only this
    model's folder is scanned.
    """
    from huggingface_hub import scan_cache_dir

    if not folder.is_dir():
        raise FileNotFoundError(folder)
    try:
        found = scan_cache_dir(folder.parent)
    except ValueError:  # an unreadable reference of any model
        return None
    only = frozenset(repo for repo in found.repos if repo.repo_path.resolve() == folder.resolve())
    if not only:
        return None
    commits = [revision.commit_hash for repo in only for revision in repo.revisions]
    return replace(found, repos=only).delete_revisions(*commits)
