"""Whether a mlx_lm.server can still write: its door answers even when what writes behind it has died."""

from __future__ import annotations

import time

from app.engine.remote import failures
from app.engine.remote.exchange import Exchange, Over
from app.engine.types import Failure

SILENCE_S = 5.0


def ailment(address: str, silence_s: float = SILENCE_S) -> Failure | None:
    """None: it is well. Of kind "server": it says itself that it isn't."""
    exchange = Exchange(address.removesuffix("/v1"), "/health")
    until = time.monotonic() + silence_s
    try:
        while (news := exchange.next(max(0.0, until - time.monotonic()))) is not None:
            if isinstance(news, Over):
                return news.failure
        return failures.silence(address, silence_s)
    finally:
        exchange.close()
