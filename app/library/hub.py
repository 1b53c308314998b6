"""Search and model details on the Hugging Face hub. Calls wait for the network."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from app.engine.errors import printable_name
from app.engine.model_files.folder import context_length
from app.engine.types import Failure
from app.files.json_values import json_object
from app.i18n import tr
from app.library import plan, supported_architectures
from app.library.memory_estimate import shape_of
from app.library.types import HubDetails, HubFile, HubModel, Sort
from app.library.weights import bits_of, dtype_of, group_size_of, hub_parameters, hub_weights

if TYPE_CHECKING:
    from huggingface_hub import ModelInfo

MOST_TEXT_BYTES = 2_000_000
MLX_AUTHOR = "mlx-community"
MLX_TAG = "mlx"
SEARCHES = ((MLX_TAG,), ("safetensors", "text-generation"))
"""Filters of the searches, in order: models for MLX, then others that mlx-lm may support."""
ASKED = ("author", "config", "downloads", "gated", "lastModified", "likes", "safetensors", "tags")
ID = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}", re.ASCII)
ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/([^?#]+)", re.IGNORECASE)
CARD_HEADER = re.compile(r"\A---[ \t\r]*\n.*?\n---[ \t\r]*\n", re.DOTALL)
"""Metadata of a model card. The pattern excludes empty lines, which could take quadratic time."""
NAME = re.compile(r"(?!\.+(/|$))[\w.-]{1,96}(/(?!\.+$)[\w.-]{1,96})?", re.ASCII)
"""Pattern of a model id, with or without an author."""
MOST_TAGS = 1_000
LONGEST_WORD = 200
LARGEST_FIGURE = 2**53
BITS_TAG = re.compile(r"(\d{1,2})-?bit")


def search(query: str, sort: Sort = Sort.DOWNLOADS, token: str | None = None) -> tuple[HubModel, ...] | Failure:
    """Search models by name, author, id or URL. Models for MLX come first."""
    from app.library.hub_requests import ERRORS, hub_failure

    words, wanted = query.strip(), model_id_of(query)
    try:
        found: dict[str, HubModel] = {}
        for filters in SEARCHES:
            found = {model.id: model for model in _page(wanted or words, filters, sort, token)} | found
        if wanted and wanted not in found and (named := _named(wanted, token)) is not None:
            found[wanted] = named
    except ERRORS as error:
        return hub_failure(error, wanted or words)
    return tuple(sorted(found.values(), key=lambda model: _place(model, wanted, sort)))


def details(model_id: str, token: str | None = None) -> HubDetails | Failure:
    """Return sizes, files and model card of a model, without downloading weights."""
    from app.library import hub_requests
    from app.library.hub_requests import ERRORS, hub_failure

    try:
        info = hub_requests.model(model_id, token)
        files, commit = plan.files_of(info), plan.commit_of(info)
        texts, unusable = _texts(info, commit, token)
        return _details(info, files, texts, unusable)
    except ERRORS as error:
        return hub_failure(error, model_id)


def model_id_of(text: str) -> str | None:
    """Return the model id of an id or URL; None for anything else."""
    text = text.strip()
    if (address := ADDRESS.match(text)) is not None:
        text = "/".join(address[1].split("/")[:2])
    return text if ID.fullmatch(text) else None


def _page(words: str, filters: tuple[str, ...], sort: Sort, token: str | None) -> list[HubModel]:
    from app.library import hub_requests

    order: hub_requests.Params = {"sort": sort.value, "expand": ASKED}
    named: hub_requests.Params = {"search": words} if words else {}
    return [_model(info) for info in hub_requests.models({"filter": filters, **named, **order}, token)]


def _named(model_id: str, token: str | None) -> HubModel | None:
    """Return the model with exactly this id, since a search may omit it; None if it doesn't exist."""
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    from app.library import hub_requests

    try:
        return _model(hub_requests.model(model_id, token))
    except GatedRepoError:
        raise
    except RepositoryNotFoundError:
        return None


def _place(model: HubModel, wanted: str | None, sort: Sort) -> tuple[object, ...]:
    """Return the sort key: the exact id first, then models for MLX, each in the chosen order."""
    figure = {Sort.DOWNLOADS: model.downloads, Sort.LIKES: model.likes, Sort.DATE: model.changed or 0}[sort]
    return (model.id != wanted, model.author != MLX_AUTHOR, not model.mlx, -figure)


def _texts(info: ModelInfo, commit: str, token: str | None) -> tuple[dict[str, str], Failure | None]:
    """Return model card and config, and a failure; for a gated model they are empty."""
    from app.library import hub_requests
    from app.library.hub_requests import ERRORS, hub_failure

    texts = {"README.md": "", "config.json": "{}"}
    # A card may have gigabytes.
    present = {file.rfilename for file in info.siblings or () if (file.size or 0) <= MOST_TEXT_BYTES}
    try:
        for name in present & texts.keys():
            texts[name] = hub_requests.text(info.id, commit, name, token, MOST_TEXT_BYTES)
    except ERRORS as error:
        return texts, hub_failure(error, info.id)
    return texts, None


def _model(info: ModelInfo) -> HubModel:
    config = info.config if isinstance(info.config, dict) else {}
    tags = _tags(info.tags)
    bits = bits_of(config) or next((int(found[1]) for tag in tags if (found := BITS_TAG.fullmatch(tag))), None)
    counts = _counts(info.safetensors.parameters) if info.safetensors is not None else {}
    name = _id(info.id)
    return HubModel(
        id=name,
        author=_word(info.author) or name.partition("/")[0],
        downloads=_count(info.downloads),
        likes=_count(info.likes),
        changed=info.last_modified.timestamp() if info.last_modified is not None else None,
        mlx=MLX_TAG in tags,
        gated=bool(info.gated),
        license=_word(next((tag.removeprefix("license:") for tag in tags if tag.startswith("license:")), "")),
        model_type=_word(config.get("model_type")),
        bits=bits,
        group_size=group_size_of(config),
        dtype=dtype_of(counts),
        parameters=hub_parameters(counts, bits) if counts else None,
        weights=hub_weights(counts) if counts else None,
    )


def _word(value: object) -> str:
    return printable_name(value) if isinstance(value, str) else ""


def _id(value: object) -> str:
    """Return the id; raise an error for an unusual one, since it is used in paths and URLs."""
    if not isinstance(value, str) or not NAME.fullmatch(value):
        raise ValueError(f"no id: {value!r:.100}")
    return value


def _tags(value: object) -> list[str]:
    found = value[:MOST_TAGS] if isinstance(value, list) else ()
    return [tag for tag in found if isinstance(tag, str) and len(tag) <= LONGEST_WORD]


def _count(value: object) -> int:
    return value if type(value) is int and 0 <= value <= LARGEST_FIGURE else 0


def _counts(value: object) -> dict[str, int]:
    found = value if isinstance(value, dict) else {}
    return {str(kind): count for kind, count in found.items() if _count(count)}


def _details(
    info: ModelInfo, files: tuple[HubFile, ...], texts: dict[str, str], unusable: Failure | None
) -> HubDetails:
    config = json_object(texts["config.json"])
    model_type = _word(config.get("model_type"))
    return HubDetails(
        model=_model(info),
        files=files,
        weights=plan.weights_of(files),
        card=CARD_HEADER.sub("", texts["README.md"]),
        model_type=model_type,
        context=context_length(config),
        shape=shape_of(config),
        unusable=unusable or _refusal(config, model_type, files),
    )


def _refusal(config: dict[str, Any], model_type: str, files: tuple[HubFile, ...]) -> Failure | None:
    """Return why mlx-lm can't open a model, as far as known before the download."""
    if not plan.weights_of(files):
        what = tr("It has no weights that mlx-lm reads (model*.safetensors).")
        return Failure(what, tr("Choose an MLX or safetensors version of the model."), kind="weights")
    if not model_type:
        what = tr("It has no config.json with a model type.")
        return Failure(what, tr("Choose another version of the model."), kind="config")
    if config.get("model_file"):
        what = tr("This model needs its own Python code, which Sluice doesn't run.")
        return Failure(what, tr("Choose a model that mlx-lm supports without remote code."), kind="remote code")
    return supported_architectures.refusal(model_type)
