"""Lists a server's models and checks its health."""

from contextlib import closing

from app.engine.remote import failures
from app.engine.remote.address import host_of
from app.engine.remote.exchange import BODY_LIMIT, Exchange, Opened
from app.engine.remote.foreign_json import is_name, value_of
from app.engine.types import Failure, ReachedServer, Server, ServerModel
from app.i18n import tr

SILENCE_S = 30.0
LIST_LIMIT, MODELS_LIMIT = 4 << 20, 10_000
REDACTED_LIMIT = 8_000
"""Bytes of a malformed answer that are searched for the key and shown."""
LARGEST_CONTEXT = 1 << 32
CONTEXTS = ("max_model_len", "context_length", "max_context_length", "n_ctx")
"""Names of the context length."""
HEALTH_SILENCE_S = 5.0


def list_models(server: Server, key: str = "", silence_s: float = SILENCE_S) -> tuple[ServerModel, ...] | Failure:
    """Return the server's models in its order."""
    reached = test(server, key, silence_s)
    return reached if isinstance(reached, Failure) else reached.models


def test(server: Server, key: str = "", silence_s: float = SILENCE_S) -> ReachedServer | Failure:
    """Connect and request the list of models."""
    with closing(Exchange(server.address, "/models", key)) as exchange:
        found = exchange.read_all(silence_s, LIST_LIMIT)
    return found if isinstance(found, Failure) else _read(found[1], exchange, found[0])


def _read(content: bytes, exchange: Exchange, opened: Opened) -> ReachedServer | Failure:
    address = exchange.address
    if not content.strip():
        what = tr("{host} answers, but lists no models.")
        todo = tr("Enter the name of a model. mlx_lm.server's own model has the name default_model.")
        return Failure(what.format(host=host_of(address)), todo, kind="unlisted")
    said = value_of(content)
    data = said.get("data") if isinstance(said, dict) else None
    if not isinstance(data, list):
        return failures.not_model_server(address, exchange.redact(content[:REDACTED_LIMIT].decode("utf-8", "replace")))
    models: dict[str, ServerModel] = {}
    for each in data:
        name = each.get("id") if isinstance(each, dict) else None
        # A model name that contains the key can't be requested without revealing it.
        if is_name(name) and exchange.redact(name) == name and len(models) < MODELS_LIMIT:
            models.setdefault(name, ServerModel(address, name, _context(each)))
    return ReachedServer(tuple(models.values()), opened.connect, opened.first_byte)


def _context(entry: dict[str, object]) -> int | None:
    meta = entry.get("meta")
    known = {**(meta if isinstance(meta, dict) else {}), **entry}
    found = next((known[name] for name in CONTEXTS if name in known), None)
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 < found <= LARGEST_CONTEXT else None


def health_failure(address: str, silence_s: float = HEALTH_SILENCE_S) -> Failure | None:
    """Request /health; None: healthy. Kind "server": it reports an error."""
    with closing(Exchange(address.removesuffix("/v1"), "/health")) as exchange:
        said = exchange.read_all(silence_s, BODY_LIMIT)
    return said if isinstance(said, Failure) else None
