"""Conversations as token ids, requests for them, and models in half precision."""

import random
import shutil
from pathlib import Path
from typing import Any

import mlx.core as mx

from app.engine.types import KV, ChatPrompt, Limits, Message, Request, Role, Sampling, TokenPrompt

GREEDY = Sampling(temperature=0)
STUCK = ("sliding_window", "recurrent")
"""Their caches can't be trimmed."""
ALL_MODELS = ("tiny_llama", "llama3_rope", *STUCK)


def text(seed: int, length: int) -> tuple[int, ...]:
    chance = random.Random(seed)
    return tuple(chance.randrange(5, 300) for _ in range(length))


A, B = text(1, 600), text(2, 600)


def chat(words: str, *before: Message, **rest: Any) -> ChatPrompt:
    """Return a conversation that ends with this message of the user."""
    return ChatPrompt((*before, Message(Role.USER, words)), **rest)


def ask(ids: tuple[int, ...], session: int | None = 1, tokens: int = 4, **kv: Any) -> Request:
    return Request(TokenPrompt(ids), GREEDY, Limits(tokens), KV(**kv), session=session)


def halved(model: Path, folder: Path, dtype: mx.Dtype) -> Path:
    """Return a copy of a model with weights of this precision."""
    shutil.copytree(model, folder)
    weights = mx.load(str(folder / "model.safetensors"))
    assert isinstance(weights, dict)
    mx.save_safetensors(str(folder / "model.safetensors"), {name: each.astype(dtype) for name, each in weights.items()})
    return folder
