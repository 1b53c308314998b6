"""Which models on this machine can be the draft model of the one that is open: looked up on a thread."""

from __future__ import annotations

from pathlib import Path

from app.library.drafts import drafts_for
from app.library.local import describe, models
from app.ui.controls import DraftOffer

Offers = tuple[DraftOffer, ...]
SNAPSHOTS = "snapshots"
"""What lies beside a model in the Hugging Face cache are other versions of it."""


def look_for(model: Path, bundled: Path | None) -> Offers:
    """The models of the program, of the Hugging Face cache, and those that lie beside the model."""
    beside = () if model.parent == bundled or model.parent.name == SNAPSHOTS else (model.parent,)
    choices = drafts_for(describe(model), models(bundled or model, beside))
    return tuple(DraftOffer(choice.model.name, str(choice.model.folder), choice.why_not) for choice in choices)
