"""What the hub has: search and a closer look. Calls block, and nothing asks the network before it is called."""

from __future__ import annotations

from app.engine.types import Failure
from app.library.types import HubDetails, HubModel, Sort

MOST_RESULTS = 50


def search(query: str, sort: Sort = Sort.DOWNLOADS, token: str | None = None) -> tuple[HubModel, ...] | Failure:
    """Models for what the user typed: a name, an author, a pasted id or address. Those made for MLX come first."""
    raise NotImplementedError


def details(model_id: str, token: str | None = None) -> HubDetails | Failure:
    """Size, files, card and all that a sum needs, without downloading any weights."""
    raise NotImplementedError


def model_id_of(text: str) -> str | None:
    """The id in a pasted id (`author/name`) or address; None for anything else."""
    raise NotImplementedError
