"""Search for LoRA adapters of a model: in its folder, next to it, and in the Hugging Face cache."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from app.engine.errors import UserError
from app.engine.model_files.adapter import CONFIG, look_at
from app.engine.model_files.folder import Folder, look, model_name
from app.library.cached import PREFIX
from app.library.local import beside, cache_folder
from app.library.types import FolderChoice

MOST_ENTRIES = 2_000
"""The most entries that are read from a folder, since a model's folder may contain anything."""
INSIDE = "adapters"
"""Folder in which mlx_lm.lora saves adapters."""


def adapters_for(model: Path, more: Path | None = None) -> tuple[FolderChoice, ...]:
    """Return the adapters that fit, then the others with the reason. `more`: a folder that the user chose."""
    folders = list(dict.fromkeys((*([more] if more else []), *_folders(model))))
    try:
        looked = look(model) if folders else None
    except UserError:
        looked = None
    choices = (_choice(folder, looked) for folder in folders) if looked is not None else ()
    return tuple(sorted(choices, key=lambda choice: (bool(choice.why_not), choice.name)))


def _choice(folder: Path, model: Folder) -> FolderChoice:
    try:
        return FolderChoice(look_at(folder, model).adapter.name, folder)
    except (UserError, OSError) as error:
        return FolderChoice(model_name(folder), folder, str(error))


def _folders(model: Path) -> Iterator[Path]:
    for around in (model, *beside(model)):
        for folder in (*_inside(around), *_inside(around / INSIDE)):
            with suppress(PermissionError):
                if (folder / CONFIG).is_file():
                    yield folder
    for file in islice(cache_folder().glob(f"{PREFIX}*/snapshots/*/{CONFIG}"), MOST_ENTRIES):
        yield file.parent


def _inside(folder: Path) -> list[Path]:
    try:
        return sorted(islice(folder.iterdir(), MOST_ENTRIES))
    except OSError:
        return []
