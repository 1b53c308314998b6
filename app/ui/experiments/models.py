"""Draft models and second models that an experiment can use. Called on a thread."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from app.bridge.model_sources import wants_warning
from app.engine.remote import directory
from app.engine.remote.address import host_of, reference
from app.engine.types import Failure, Model, Server
from app.i18n import tr
from app.library import drafts_and_adapters, local
from app.library.keychain import ServerKeys
from app.ui.experiments.setup import ModelChoice

TIMEOUT_S = 2.0
AT_ONCE = 8
Choices = tuple[ModelChoice, ...]


def find_server_choices(servers: Sequence[Server], keys: ServerKeys) -> Choices:
    """Ask all servers at the same time; one that needs a warning first is not asked."""
    trusted = [server for server in servers if not wants_warning(server)]
    if not trusted:
        return ()
    with ThreadPoolExecutor(min(AT_ONCE, len(trusted))) as pool:
        return tuple(choice for found in pool.map(partial(_list_models, keys), trusted) for choice in found)


def _list_models(keys: ServerKeys, server: Server) -> Choices:
    models = directory.list_models(server, keys.of(server.address), TIMEOUT_S)
    if isinstance(models, Failure):
        return ()
    label, name = tr("{model} on {server}"), server.called or host_of(server.address)
    return tuple(
        ModelChoice(label.format(model=each.name, server=name), reference(each.address, each.id)) for each in models
    )


def find_choices(
    model: Model, bundled: Path, folders: Sequence[str], on_servers: Callable[[], Choices]
) -> tuple[Choices, Choices]:
    """Return draft models and second models; none where files can't be read."""
    try:
        helpers = drafts_and_adapters.drafts_around(model.folder, bundled) if model.folder.is_dir() else ()
        found = local.around(model.folder, bundled, [Path(each) for each in folders])
    except Exception:
        return (), ()
    choices = [ModelChoice(each.model.name, str(each.model.folder), each.why_not) for each in helpers]
    if model.draft is not None:
        loaded = ModelChoice(model.draft.name, str(model.draft.folder))
        choices = [loaded, *(each for each in choices if each.folder != loaded.folder)]
    others = [ModelChoice(each.name, str(each.folder), each.why_not) for each in found if each.folder != model.folder]
    remote = [each for each in on_servers() if Path(each.folder) != model.folder]
    return tuple(choices), (*others, *remote)
