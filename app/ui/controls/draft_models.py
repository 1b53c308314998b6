"""Which models on this machine can be the draft model of the one that is open: looked up on a thread."""

from __future__ import annotations

from pathlib import Path

from app.library.drafts import drafts_around
from app.ui.controls import DraftOffer

Offers = tuple[DraftOffer, ...]


def look_for(model: Path, bundled: Path | None) -> Offers:
    """What there is to choose from, as the panel shows it."""
    choices = drafts_around(model, bundled)
    return tuple(DraftOffer(choice.model.name, str(choice.model.folder), choice.why_not) for choice in choices)
