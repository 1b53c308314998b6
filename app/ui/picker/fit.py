"""Whether a model will fit on this device."""

from __future__ import annotations

import os

from app.library.fit import fit
from app.library.types import Fit, Shape


def fit_of(
    weights: int, shape: Shape | None, context: int, limit: int, draft: tuple[int, Shape | None] | None = None
) -> Fit | None:
    """The sum; None where there are no weights to add up. `limit` 0: the device has not told yet."""
    if not weights:
        return None
    return fit(weights, shape, context, limit or system_memory(), draft)


def system_memory() -> int:
    """All the memory that the machine has, in bytes."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
