"""What the picker says of a model, as facts and sentences."""

from __future__ import annotations

from app.engine.types import Failure
from app.library.types import HubDetails, HubModel, LocalModel, Source
from app.widgets.formatting import count, parameters, size
from app.widgets.picker.columns import day, quantised, rough

PLACES = {Source.BUNDLED: "comes with Sluice", Source.CACHE: "Hugging Face cache", Source.FOLDER: "a folder of yours"}

Facts = tuple[tuple[str, str], ...]


def local_facts(model: LocalModel) -> Facts:
    """All that is known of a model on this machine."""
    known = (
        ("Parameters", parameters(model.parameters) if model.parameters else ""),
        ("Precision", precision(model.bits)),
        ("Architecture", model.model_type),
        ("Context", count(model.context, "token") if model.context else ""),
        ("Vocabulary", count(model.vocabulary, "token") if model.vocabulary else ""),
        ("Chat template", "yes" if model.chat else "none: only Raw suits it"),
        ("On disk", size(model.size)),
        ("Last used", day(model.last_used) if model.last_used else "not yet, in Sluice"),
        ("From", PLACES[model.source]),
        ("Folder", str(model.folder)),
    )
    return tuple((name, value) for name, value in known if value)


def hub_facts(model: HubModel, details: HubDetails | None) -> Facts:
    """What the search told, and what a closer look told besides."""
    closer = (
        ("Architecture", details.model_type if details else model.model_type),
        ("Context", count(details.context, "token") if details and details.context else ""),
        ("To download", f"{size(details.size)} in {count(len(details.files), 'file')}" if details else ""),
    )
    known = (
        ("Author", model.author),
        ("Parameters", parameters(model.parameters) if model.parameters else ""),
        ("Precision", precision(model.bits)),
        *closer,
        ("Licence", model.licence or "none is named"),
        ("Gated", "yes: its owner wants a login and consent first" if model.gated else "no"),
        ("Made for MLX", "yes" if model.mlx else "no; mlx-lm may open it all the same"),
        ("Likes", rough(model.likes)),
        ("Changed", day(model.changed)),
    )
    return tuple((name, value) for name, value in known if value)


def precision(bits: int | None) -> str:
    """How its weights are kept."""
    return f"{quantised(bits)} quantised" if bits else "not quantised"


def reason(failure: Failure | None) -> str:
    """What is wrong and what to do, in one piece."""
    return f"{failure.what} {failure.todo}" if failure is not None else ""
