"""Finds the folder of a model by its name, without network access."""

import os
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from app.engine.errors import UserError, printable_name
from app.files.regular_files import expand_home
from app.i18n import tr


def locate(name: str) -> Path:
    """Return the absolute folder of a model, given its path or its id in the Hugging Face cache."""
    if not name.strip() or "\0" in name:
        raise UserError(
            tr("The model name is missing."), tr("Choose a model folder or an id in the Hugging Face cache.")
        )
    path = expand_home(name)
    mode = _mode(path)
    if S_ISDIR(mode):
        return path.resolve()
    if S_ISREG(mode):
        what = tr("“{name}” is a file, and a model is a folder.").format(name=printable_name(path.name))
        todo = tr("Choose its folder: {folder}").format(folder=path.parent)
        raise UserError(what, todo, kind="absent")
    if looks_like_a_path(name):
        what = tr("There is no folder “{name}”.").format(name=name)
        raise UserError(what, tr("Check the path, or choose the model again."), kind="absent")
    return _in_cache(name)


def looks_like_a_path(name: str) -> bool:
    """Return whether a name looks like a path: a repository id has at most one slash."""
    return name.startswith(("/", ".", "~", os.sep)) or name.count("/") > 1 or "\\" in name


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode
    except OSError:  # it doesn't exist, or the name is too long for the file system
        return 0


def _in_cache(model_id: str) -> Path:
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = try_to_load_from_cache(model_id, "config.json")
    except HFValidationError:
        found = None
    if not isinstance(found, str):
        what = tr("“{name}” is neither a folder nor a model in the Hugging Face cache.").format(name=model_id)
        raise UserError(what, tr("Download it first, or choose a folder."), kind="absent")
    # The files of a snapshot are links to blobs: the folder itself must not be resolved through them.
    return Path(found).parent.absolute()
