"""Deleting models from the Hugging Face cache: first what it would free, then the deed."""

from __future__ import annotations

from app.engine.types import Failure
from app.library.types import LocalModel, Removal


def removal(model: LocalModel) -> Removal | Failure:
    """What deleting would free. A bundled model or a user's own folder is never deleted."""
    raise NotImplementedError


def remove(planned: Removal) -> int | Failure:
    """Delete what was planned; the bytes that were freed."""
    raise NotImplementedError
