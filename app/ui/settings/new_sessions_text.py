"""The controls that new sessions begin with, in words."""

from app.controls import Controls
from app.engine.types import ENDLESS
from app.i18n import tr

LONGEST = 60


def saved_words(saved: Controls) -> str:
    """What most people look for; the rest goes without saying."""
    return " ".join([_sampling(saved), _limit(saved), _system(saved), _recorded(saved)])


def _sampling(saved: Controls) -> str:
    words = tr("Temperature {temperature}, top-p {top_p}, top-k {top_k}, min-p {min_p}.")
    chosen = saved.sampling
    return words.format(
        temperature=f"{chosen.temperature:g}", top_p=f"{chosen.top_p:g}", top_k=chosen.top_k, min_p=f"{chosen.min_p:g}"
    )


def _limit(saved: Controls) -> str:
    if saved.limits.max_tokens == ENDLESS:
        return tr("As many tokens as the context holds.")
    return tr("At most %n tokens.", "At most %n token.", saved.limits.max_tokens)


def _system(saved: Controls) -> str:
    plain = " ".join(saved.system.split())
    if not plain:
        return tr("No system prompt.")
    shortened = plain if len(plain) <= LONGEST else f"{plain[:LONGEST].rstrip()}…"
    return tr("System prompt “{beginning}”.").format(beginning=shortened)


def _recorded(saved: Controls) -> str:
    if not saved.observe:
        return tr("No alternatives are recorded. The other controls are saved with these.")
    return tr(
        "%n alternatives are recorded for each token. The other controls are saved with these.",
        "%n alternative is recorded for each token. The other controls are saved with these.",
        saved.observe,
    )
