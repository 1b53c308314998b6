"""The models on servers that an experiment can bring in: asked for on a thread, and only where no warning is due."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from app.bridge.servers import wants_warning
from app.engine.remote import directory
from app.engine.remote.address import host_of, reference
from app.engine.types import Failure, Server
from app.library.server_keys import ServerKeys
from app.ui.experiments.values import Choice
from app.words import tr

PATIENCE_S = 2.0
AT_ONCE = 8


def choices(servers: Sequence[Server], keys: ServerKeys) -> tuple[Choice, ...]:
    """What those list that answer at once, all of them asked together."""
    asked = [server for server in servers if not wants_warning(server)]
    if not asked:
        return ()
    with ThreadPoolExecutor(min(AT_ONCE, len(asked))) as pool:
        return tuple(choice for found in pool.map(partial(_of, keys), asked) for choice in found)


def _of(keys: ServerKeys, server: Server) -> tuple[Choice, ...]:
    models = directory.list_models(server, keys.of(server.address), PATIENCE_S)
    if isinstance(models, Failure):
        return ()
    name = server.called or host_of(server.address)
    return tuple(
        Choice(tr("{model} on {server}").format(model=each.name, server=name), reference(each.address, each.id))
        for each in models
    )
