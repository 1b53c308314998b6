"""What the settings do to a distribution, in words: for the caption, the rows and whoever can't see the picture."""

from __future__ import annotations

from collections import Counter

from app.engine.sampling import number
from app.engine.shaping import Fate, Shaped, Stage
from app.engine.types import Sampling
from app.widgets.formatting import chance
from app.widgets.token_words import legible

OTHERS = "others"
SHORT = {Stage.GREEDY: "T = 0"}
NOTICED = 0.005
"""A change of less than half a percent point is not worth a sentence."""


def cost(part: float) -> str:
    """A share of a run's time, finer than probabilities are told: it is a small one."""
    return f"{100 * part:.1f} %" if part >= 0.0005 else "less than 0.1 %"


def figures(before: float, after: float, removed_by: Stage | None, passed_over: bool = False) -> str:
    """Before and after, or who took it out."""
    if removed_by is not None:
        return f"{chance(before)}, {SHORT.get(removed_by, removed_by)}"
    return f"{_figure(before)} → {chance(after)}{', XTC' if passed_over else ''}"


def caption(shaped: Shaped, sampling: Sampling) -> str:
    """One or two sentences on what happens."""
    best = shaped.fates[0]
    if sampling.temperature == 0:
        return f"At temperature 0 the likeliest one, “{legible(best.text)}”, is always taken."
    said = [sentence for sentence in (_taken(shaped), _passed_over(shaped, sampling), _moved(shaped)) if sentence]
    return " ".join(said) or "These settings leave every probability as the model gave it."


def note(shaped: Shaped) -> str:
    """What the picture does not know."""
    if not shaped.rest_before:
        return ""
    words = f"All below these {len(shaped.fates)} candidates are one bar, “{OTHERS}”."
    return words if shaped.exact else f"{words} How they share it is estimated, and so are the figures after."


def spoken(shaped: Shaped) -> str:
    """Every row."""
    rows = [_row(fate) for fate in shaped.fates]
    if shaped.rest_before:
        rows.append(_told("all others", shaped.rest_before, shaped.rest_after, shaped.rest_removed_by))
    return "; ".join(rows) + "."


def _row(fate: Fate) -> str:
    words = _told(f"“{legible(fate.text)}”", fate.before, fate.after, fate.removed_by)
    return f"{words}, at times passed over by XTC" if fate.passed_over else words


def _told(name: str, before: float, after: float, removed_by: Stage | None) -> str:
    end = f"{chance(after)} after" if removed_by is None else f"taken out by {removed_by}"
    return f"{name} {chance(before)} before, {end}"


def _taken(shaped: Shaped) -> str:
    """How many each stage took, in the order in which they come."""
    counts = Counter(fate.removed_by for fate in shaped.fates if fate.removed_by is not None)
    parts = [f"{stage} takes out {counts[stage]} of {len(shaped.fates)}" for stage in Stage if counts[stage]]
    taker = shaped.rest_removed_by
    if taker is not None:
        stages = [stage for stage in Stage if counts[stage]]
        if taker in stages:
            parts[stages.index(taker)] += " and all others"
        else:
            parts.append(f"{taker} takes out all others")
    return _sentence(", ".join(parts))


def _passed_over(shaped: Shaped, sampling: Sampling) -> str:
    passed = sum(fate.passed_over for fate in shaped.fates)
    return f"XTC passes {number(passed)} over at {chance(sampling.xtc_probability)} of the tokens." if passed else ""


def _moved(shaped: Shaped) -> str:
    best = shaped.fates[0]
    if best.removed_by is not None or abs(best.after - best.before) < NOTICED:
        return ""
    verb = "rises" if best.after > best.before else "falls"
    return f"“{legible(best.text)}” {verb} from {_figure(best.before)} to {chance(best.after)}."


def _figure(probability: float) -> str:
    """Where the unit stands behind the next figure."""
    return chance(probability).removesuffix(" %")


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}." if words else ""
