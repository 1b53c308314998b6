"""Which of the models at hand can be the draft model of the one that is open, told from their files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from app.engine.types import Model
from app.widgets.controls import DraftOffer


def offers_for(model: Model, candidates: Sequence[Path]) -> tuple[DraftOffer, ...]:
    """Each candidate, with the reason why not; what is loaded already is among them wherever it lies."""
    folders = [folder for folder in candidates if folder.is_dir()]
    if model.draft is not None and model.draft.folder not in folders:
        folders.append(model.draft.folder)
    return tuple(DraftOffer(folder.name, str(folder), _why_not(model, folder)) for folder in folders)


def _why_not(model: Model, folder: Path) -> str:
    """What can be told without loading it; the engine looks closer when it does."""
    if model.draft is not None and folder == model.draft.folder:
        return ""
    if folder == model.folder:
        return "it is the model itself."
    if not model.can.trim:
        return "this model's cache can't be rolled back, which a draft needs."
    size = _vocabulary(folder)
    if not size:
        return "it has no config.json that can be read."
    return "" if size == model.vocabulary else f"it knows {size:,} tokens, and this model {model.vocabulary:,}."


def _vocabulary(folder: Path) -> int:
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except (OSError, ValueError):
        return 0
    size = config.get("vocab_size") if isinstance(config, dict) else None
    return size if isinstance(size, int) else 0
