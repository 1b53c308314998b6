"""Whether a model will fit: weights, KV cache, draft model and headroom against the device's limit, line by line."""

from __future__ import annotations

from collections.abc import Mapping

from app.library.types import Fit, Shape


def shape_of(config: Mapping[str, object]) -> Shape | None:
    """What of a config.json decides the KV cache's size; None where it does not tell."""
    raise NotImplementedError


def kv_bytes(shape: Shape, context: int) -> int:
    """What the KV cache takes at this many tokens."""
    raise NotImplementedError


def fit(
    weights: int,
    shape: Shape | None,
    context: int,
    limit: int,
    draft: tuple[int, Shape | None] | None = None,
) -> Fit:
    """The sum and its verdict. `draft` is the draft model's weights and shape, `limit` the bytes the device allows."""
    raise NotImplementedError
