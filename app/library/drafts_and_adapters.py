"""Search for draft models and LoRA adapters of a model, by reading files only."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from app.engine.errors import UserError
from app.engine.model_files.adapter import CONFIG, look_at
from app.engine.model_files.folder import VOCABULARY_BYTES, Folder, look, model_name
from app.files import json_reader, regular_files
from app.files.json_reader import JsonLimits
from app.files.json_values import UNFIT
from app.i18n import tr
from app.library import local
from app.library.cached import PREFIX
from app.library.local import beside, cache_folder
from app.library.types import DraftChoice, FolderChoice, LocalModel

LISTS = ("tokenizer.model", "tiktoken.model", "vocab.json", "vocab.txt", "spiece.model")
"""Vocabulary files of models without tokenizer.json."""


def drafts_for(model: LocalModel, others: Sequence[LocalModel]) -> tuple[DraftChoice, ...]:
    """Return all other models as draft models: usable ones by size, then the others with the reason."""
    words = _vocabulary(model.folder)
    choices = [DraftChoice(other, _why_not(model, other, words)) for other in others if other.folder != model.folder]
    return tuple(sorted(choices, key=lambda choice: (bool(choice.why_not), choice.model.weights, choice.model.name)))


def drafts_around(model: Path, bundled: Path | None) -> tuple[DraftChoice, ...]:
    """Return draft models from the bundled models, the Hugging Face cache and the model's parent folder."""
    others = () if model.parent == bundled else local.beside(model)
    return drafts_for(local.describe(model), local.models(bundled or model, others))


def _why_not(model: LocalModel, draft: LocalModel, words: object) -> str:
    if model.shape is not None and not model.shape.plain:
        return tr("The model's KV cache can't be trimmed, which a draft model needs.")
    if draft.why_not:
        return draft.why_not
    if draft.shape is None or not draft.shape.plain:
        return tr("Its KV cache can't be trimmed.")
    if model.vocabulary != draft.vocabulary:
        return tr("Its vocabulary has {own}, the model's has {other}.").format(own=_tokens(draft), other=_tokens(model))
    if words is None or _vocabulary(draft.folder) != words:
        return tr("Its tokenizer has other tokens.")
    if draft.weights >= model.weights:
        return tr("It is not smaller than the model, so it would slow it down.")
    return ""


def _tokens(model: LocalModel) -> str:
    if model.vocabulary is None:
        return tr("an unknown number of tokens")
    return tr("%n tokens", "%n token", model.vocabulary)


def _vocabulary(folder: Path) -> object:
    """Return a value to compare vocabularies: tokens, ids and merges; None if unknown."""
    try:
        file = folder / "tokenizer.json"
        if file.is_file():
            with regular_files.open_regular(file, VOCABULARY_BYTES) as stream:
                content = json_reader.read(stream, JsonLimits(VOCABULARY_BYTES))
            return content["model"]["vocab"], content["model"].get("merges"), _added(content)
        there = (folder / name for name in LISTS if (folder / name).is_file())
        return next((regular_files.read(file, VOCABULARY_BYTES) for file in there), None)
    except UNFIT:
        return None


def _added(content: dict[str, list[dict[str, object]]]) -> list[tuple[object, object]]:
    return [(token["content"], token["id"]) for token in content.get("added_tokens", [])]


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
