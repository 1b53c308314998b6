"""Which models a server has, whether it answers at all and is well: asked aside, when servers are looked at."""

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
"""So much of what is no list is looked through for a key, and told."""
LARGEST_CONTEXT = 1 << 32
CONTEXTS = ("max_model_len", "context_length", "max_context_length", "n_ctx")
"""How servers call the number of tokens that a model holds."""
HEALTH_SILENCE_S = 5.0


def list_models(server: Server, key: str = "", silence_s: float = SILENCE_S) -> tuple[ServerModel, ...] | Failure:
    """What the server lists, in its own order."""
    reached = test(server, key, silence_s)
    return reached if isinstance(reached, Failure) else reached.models


def test(server: Server, key: str = "", silence_s: float = SILENCE_S) -> ReachedServer | Failure:
    """Connect, and ask for the list of models."""
    with closing(Exchange(server.address, "/models", key)) as exchange:
        whole = exchange.whole(silence_s, LIST_LIMIT)
    return whole if isinstance(whole, Failure) else _read(whole[1], exchange, whole[0])


def _read(content: bytes, exchange: Exchange, opened: Opened) -> ReachedServer | Failure:
    address = exchange.address
    if not content.strip():
        what = tr("{host} answers, but lists no models.")
        todo = tr("Name the model yourself; mlx_lm.server calls the one it was started with default_model.")
        return Failure(what.format(host=host_of(address)), todo, kind="unlisted")
    said = value_of(content)
    data = said.get("data") if isinstance(said, dict) else None
    if not isinstance(data, list):
        return failures.foreign(address, exchange.redact(content[:REDACTED_LIMIT].decode("utf-8", "replace")))
    models: dict[str, ServerModel] = {}
    for each in data:
        name = each.get("id") if isinstance(each, dict) else None
        # One that quotes the key can't be asked for without it.
        if is_name(name) and exchange.redact(name) == name and len(models) < MODELS_LIMIT:
            models.setdefault(name, ServerModel(address, name, _context(each)))
    return ReachedServer(tuple(models.values()), opened.connect, opened.first_byte)


def _context(entry: dict[str, object]) -> int | None:
    meta = entry.get("meta")
    known = {**(meta if isinstance(meta, dict) else {}), **entry}
    found = next((known[name] for name in CONTEXTS if name in known), None)
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 < found <= LARGEST_CONTEXT else None


def ailment(address: str, silence_s: float = HEALTH_SILENCE_S) -> Failure | None:
    """None: it is well. Of kind "server": it says itself that it isn't."""
    with closing(Exchange(address.removesuffix("/v1"), "/health")) as exchange:
        said = exchange.whole(silence_s, BODY_LIMIT)
    return said if isinstance(said, Failure) else None
