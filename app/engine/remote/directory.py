"""Which models a server has, and whether it answers at all: asked aside, when servers are looked at."""

from __future__ import annotations

import time

from app.engine.remote import failures
from app.engine.remote.address import host_of
from app.engine.remote.exchange import Data, Exchange, Opened, Over
from app.engine.types import Failure, Reached, Server, ServerModel
from app.json_values import json_object
from app.words import tr

SILENCE_S = 30.0
LIST_LIMIT = 4 << 20
CONTEXTS = ("max_model_len", "context_length", "max_context_length", "n_ctx")
"""How servers call the number of tokens that a model holds."""


def list_models(server: Server, key: str = "", silence_s: float = SILENCE_S) -> tuple[ServerModel, ...] | Failure:
    """What the server lists, in its own order."""
    reached = test(server, key, silence_s)
    return reached if isinstance(reached, Failure) else reached.models


def test(server: Server, key: str = "", silence_s: float = SILENCE_S) -> Reached | Failure:
    """Connect, and ask for the list of models."""
    exchange = Exchange(server.address, "/models", key)
    try:
        return _listed(exchange, silence_s)
    finally:
        exchange.close()


def _listed(exchange: Exchange, silence_s: float) -> Reached | Failure:
    address, opened, content = exchange.address, Opened(0.0, 0.0, ""), b""
    until = time.monotonic() + silence_s
    while True:
        news = exchange.next(max(0.0, until - time.monotonic()))
        if news is None:
            return failures.silence(address, silence_s)
        if isinstance(news, Opened):
            opened = news
        elif isinstance(news, Data):
            content += news.content
            if len(content) > LIST_LIMIT:
                return failures.foreign(address)
        elif isinstance(news, Over):
            return news.failure or _read(content, exchange, opened)


def _read(content: bytes, exchange: Exchange, opened: Opened) -> Reached | Failure:
    address, text = exchange.address, exchange.hush(content.decode("utf-8", "replace"))
    if not content.strip():
        return Failure(
            tr("{host} answers, but lists no models.").format(host=host_of(address)),
            tr("Name the model yourself; mlx_lm.server calls the one it was started with default_model."),
            kind="unlisted",
        )
    data = json_object(content).get("data")
    if not isinstance(data, list):
        return failures.foreign(address, text)
    models: dict[str, ServerModel] = {}
    for each in filter(_named, data):
        models.setdefault(each["id"], ServerModel(address, each["id"], _context(each)))
    return Reached(tuple(models.values()), opened.connect, opened.first_byte)


def _named(entry: object) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("id"), str) and bool(entry["id"])


def _context(entry: dict[str, object]) -> int | None:
    meta = entry.get("meta")
    known = {**(meta if isinstance(meta, dict) else {}), **entry}
    found = next((known[name] for name in CONTEXTS if name in known), None)
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else None
