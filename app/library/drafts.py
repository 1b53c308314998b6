"""Which models on this machine can be the draft model of another, told from files alone."""

from __future__ import annotations

from collections.abc import Sequence

from app.library.types import DraftChoice, LocalModel


def drafts_for(model: LocalModel, others: Sequence[LocalModel]) -> tuple[DraftChoice, ...]:
    """Every other model with the reason why it can't be a draft; those that can come first, the smallest first."""
    raise NotImplementedError
