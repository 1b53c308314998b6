"""Local models: bundled ones, the Hugging Face cache, and folders that the user added; deletion from the cache."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.engine.errors import UserError, details_of, printable_name
from app.engine.model_files.folder import Folder, context_length, look, read_json
from app.engine.types import Failure
from app.i18n import tr
from app.library import cached, plan, supported_architectures
from app.library.cached import PREFIX
from app.library.memory_estimate import shape_of, text_part
from app.library.types import LocalModel, ModelLocation, Removal
from app.library.weights import bits_of, count, group_size_of, quantization_of

if TYPE_CHECKING:
    from huggingface_hub import DeleteCacheStrategy


CACHE_TODO = tr("Check that you have permission to read it.")
DAMAGED_TODO = tr("Download it again, or delete it.")
TEMPLATE_FILES = ("chat_template.jinja", "chat_template.json")


def models(
    bundled: Path, folders: Sequence[Path] = (), used: Mapping[Path, float] | None = None
) -> tuple[LocalModel, ...]:
    """Return all local models, with the reason for those that mlx-lm can't open. Slow: don't call it on the UI thread.

    `bundled`: the folder of the bundled models; `folders`: models or folders of models; `used`: the time each folder
    was last opened.
    """
    found: dict[Path, LocalModel] = {}
    for model in _all(bundled, folders):
        found.setdefault(model.folder, model)
    moments = used or {}
    return tuple(replace(model, last_used=moments.get(folder.resolve())) for folder, model in found.items())


def describe(folder: Path, source: ModelLocation = ModelLocation.FOLDER) -> LocalModel:
    try:
        # Subfolders of other folders aren't searched.
        inside = folder.rglob("*") if (folder / "config.json").is_file() else folder.iterdir()
        return _described(folder, source, sum(file.stat().st_size for file in inside if file.is_file()))
    except OSError as error:
        return _unread(printable_name(folder.name), folder, source, error)


def beside(model: Path) -> tuple[Path, ...]:
    """Return folders that may contain more models: the parent of `model`, but not of a cached snapshot."""
    return (model.parent,) if model.parent.name != "snapshots" else ()


def around(model: Path | None, bundled: Path, folders: Sequence[Path]) -> tuple[LocalModel, ...]:
    """Return all local models, with those in the parent folder of `model` if it is a folder."""
    return models(bundled, (*folders, *(beside(model) if model is not None and model.is_dir() else ())))


def has_own(folders: Sequence[Path]) -> bool:
    """Return whether mlx-lm can open a model of the cache or of these folders: one that isn't bundled."""
    return any(model.unusable is None for model in _own(folders))


def cache_folder() -> Path:
    """Return the Hugging Face cache of the user's environment."""
    from huggingface_hub import constants

    return Path(constants.HF_HUB_CACHE)


def _all(bundled: Path, folders: Sequence[Path]) -> Iterable[LocalModel]:
    for folder in _model_folders(bundled):
        yield describe(folder, ModelLocation.BUNDLED)
    yield from _own(folders)


def _own(folders: Sequence[Path]) -> Iterable[LocalModel]:
    yield from _cached(cache_folder())
    for added in folders:
        for folder in _model_folders(added) or [added.absolute()]:
            yield describe(folder, ModelLocation.FOLDER)


def _model_folders(folder: Path) -> list[Path]:
    """Return the folder itself if it is a model, else the models in it."""
    if (folder / "config.json").is_file():
        return [folder.absolute()]
    return sorted(file.parent.absolute() for file in folder.glob("*/config.json") if file.is_file())


def _cached(cache: Path) -> Iterable[LocalModel]:
    """Return the models in the cache. huggingface_hub's own scan fails if a single reference is unreadable."""
    if not cache.is_dir():
        return
    try:
        repositories = [folder for folder in cache.iterdir() if folder.name.startswith(PREFIX)]
    except OSError as error:
        failure = Failure(tr("The Hugging Face cache could not be read."), CACHE_TODO, details_of(error))
        yield LocalModel(cache.name, cache, ModelLocation.CACHE, 0, unusable=failure)
        return
    for folder in sorted(repositories, key=lambda folder: folder.name.lower()):
        name = folder.name.removeprefix(PREFIX).replace("--", "/")
        try:
            if (snapshot := _newest(folder)) is not None:
                yield _of_cache(name, folder, snapshot)
        except OSError as error:
            yield _unread(name, folder, ModelLocation.CACHE, error)


def _newest(folder: Path) -> Path | None:
    """Return the snapshot that is opened by the model's name."""
    snapshots = {file.parent for file in folder.glob("snapshots/*/*")}
    main = folder / "snapshots" / cached.commit_of(folder)
    return main if main in snapshots else max(snapshots, key=lambda each: each.stat().st_mtime, default=None)


def _of_cache(name: str, folder: Path, snapshot: Path) -> LocalModel:
    files = {file.resolve() for file in folder.glob("snapshots/*/**/*") if file.is_file()}
    size = sum(file.stat().st_size for file in files)
    if any(plan.is_needed(file.name) and not file.exists() for file in snapshot.iterdir()):
        what = tr("Files of this model are missing from the Hugging Face cache.")
        return LocalModel(
            name, snapshot, ModelLocation.CACHE, size, unusable=Failure(what, DAMAGED_TODO, kind="weights")
        )
    return replace(_described(snapshot, ModelLocation.CACHE, size), name=name)


def _unread(name: str, folder: Path, source: ModelLocation, error: OSError) -> LocalModel:
    what = tr("The folder “{name}” could not be read.").format(name=printable_name(folder.name))
    return LocalModel(name, folder, source, 0, unusable=Failure(what, DAMAGED_TODO, details_of(error), "absent"))


def _described(folder: Path, source: ModelLocation, size: int) -> LocalModel:
    model = LocalModel(printable_name(folder.name), folder, source, size)
    try:
        if (folder / "config.json").is_file():
            model = _with_config(model, read_json(folder / "config.json"))
        found_files = look(folder)
        refusal = supported_architectures.refusal(found_files.model_type)
        return replace(_with_weights(model, found_files), unusable=refusal)
    except UserError as refused:
        return replace(model, unusable=refused.failure)


def _with_config(model: LocalModel, config: dict[str, Any]) -> LocalModel:
    model_type = config.get("model_type")
    vocabulary = config.get("vocab_size") or text_part(config).get("vocab_size")
    return replace(
        model,
        bits=bits_of(config),
        group_size=group_size_of(config),
        model_type=model_type if isinstance(model_type, str) else "",
        context=context_length(config),
        vocabulary=vocabulary if type(vocabulary) is int else None,
        chat=_has_template(model.folder),
        shape=shape_of(config),
    )


def _with_weights(model: LocalModel, found_files: Folder) -> LocalModel:
    try:
        counted = count(found_files.weight_files, quantization_of(found_files.config))
    except (LookupError, TypeError, ValueError, AttributeError):  # headers of another form
        return replace(model, weights=found_files.weight_bytes)
    return replace(model, weights=found_files.weight_bytes, parameters=counted.numbers, dtype=counted.dtype)


def _has_template(folder: Path) -> bool:
    if any((folder / name).is_file() for name in TEMPLATE_FILES):
        return True
    settings = folder / "tokenizer_config.json"
    return settings.is_file() and bool(read_json(settings).get("chat_template"))


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
