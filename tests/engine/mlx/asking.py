"""Conversations as token ids, and requests for them."""

import random
from typing import Any

from app.engine.types import KV, Limits, Request, Sampling, TokenPrompt

GREEDY = Sampling(temperature=0)
STUCK = ("sliding_window", "recurrent")
"""Their caches can't be trimmed."""
ALL_MODELS = ("tiny_llama", "llama3_rope", *STUCK)


def text(seed: int, length: int) -> tuple[int, ...]:
    chance = random.Random(seed)
    return tuple(chance.randrange(5, 300) for _ in range(length))


A, B = text(1, 600), text(2, 600)


def ask(ids: tuple[int, ...], session: int | None = 1, tokens: int = 4, **kv: Any) -> Request:
    return Request(TokenPrompt(ids), GREEDY, Limits(tokens), KV(**kv), session=session)
