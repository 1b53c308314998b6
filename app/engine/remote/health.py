"""Whether a mlx_lm.server can still write: its door answers even when what writes behind it has died."""

from __future__ import annotations

from app.engine.remote.exchange import BODY_LIMIT, Exchange
from app.engine.types import Failure

SILENCE_S = 5.0


def ailment(address: str, silence_s: float = SILENCE_S) -> Failure | None:
    """None: it is well. Of kind "server": it says itself that it isn't."""
    exchange = Exchange(address.removesuffix("/v1"), "/health")
    try:
        said = exchange.whole(silence_s, BODY_LIMIT)
    finally:
        exchange.close()
    return said if isinstance(said, Failure) else None
