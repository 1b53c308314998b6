"""What the picker says of a model, as facts and sentences."""

from app.i18n import tr
from app.library.types import HubDetails, HubModel, LocalModel, ModelLocation
from app.number_format import parameters, size
from app.ui.picker.columns import day, rough

PLACES = {
    ModelLocation.BUNDLED: tr("comes with Sluice"),
    ModelLocation.CACHE: tr("Hugging Face cache"),
    ModelLocation.FOLDER: tr("a folder of yours"),
}

Facts = tuple[tuple[str, str], ...]


def local_facts(model: LocalModel) -> Facts:
    """All that is known of a model on this machine."""
    known = (
        (tr("Parameters"), parameters(model.parameters) if model.parameters else ""),
        (tr("Precision"), precision(model)),
        (tr("Architecture"), model.model_type),
        (tr("Context"), tr("%n tokens", "%n token", model.context) if model.context else ""),
        (tr("Vocabulary"), tr("%n tokens", "%n token", model.vocabulary) if model.vocabulary else ""),
        (tr("Chat template"), tr("yes") if model.chat else tr("none: only Raw suits it")),
        (tr("On disk"), size(model.size)),
        (tr("Last used"), day(model.last_used) if model.last_used else tr("not yet, in Sluice")),
        (tr("From"), PLACES[model.source]),
        (tr("Folder"), str(model.folder)),
    )
    return tuple((name, value) for name, value in known if value)


def hub_facts(model: HubModel, details: HubDetails | None) -> Facts:
    """What the search told, and what a closer look told besides."""
    closer = (
        (tr("Architecture"), details.model_type if details else model.model_type),
        (tr("Context"), tr("%n tokens", "%n token", details.context) if details and details.context else ""),
        (tr("To download"), _to_download(details) if details else ""),
    )
    known = (
        (tr("Author"), model.author),
        (tr("Parameters"), parameters(model.parameters) if model.parameters else ""),
        (tr("Precision"), precision(model)),
        *closer,
        (tr("Licence"), model.licence or tr("none is named")),
        (tr("Gated"), tr("yes: its owner wants a login and consent first") if model.gated else tr("no")),
        (tr("Made for MLX"), tr("yes") if model.mlx else tr("no; mlx-lm may open it all the same")),
        (tr("Likes"), rough(model.likes)),
        (tr("Changed"), day(model.changed)),
    )
    return tuple((name, value) for name, value in known if value)


def precision(model: LocalModel | HubModel) -> str:
    """The type of its weights: 4-bit (group 64), or float16; empty where it is not known."""
    if not model.bits:
        return model.dtype
    if model.group_size is None:
        return tr("{bits}-bit").format(bits=model.bits)
    return tr("{bits}-bit (group {size})").format(bits=model.bits, size=model.group_size)


def _to_download(details: HubDetails) -> str:
    return tr("{size} in %n files", "{size} in %n file", len(details.files)).format(size=size(details.size))
