"""Experiment `models`: one prompt on two models."""

from functools import partial
from urllib.parse import urlsplit

from app.engine.remote.address import server_model
from app.engine.types import Failure, LoadRequest
from app.experiments.conclusion_text import answer, differs, faster, level, row, spanned
from app.experiments.metrics import compare_variants, spread, usual, values
from app.experiments.pace import over_shared
from app.experiments.requests import measured
from app.experiments.types import BaseConfig, Conclusion, Experiment, ExperimentOutcome, Plan, Variant
from app.i18n import tr
from app.number_format import size, two_digits


def plan(basis: BaseConfig) -> Plan | Failure:
    """Plan one variant per model; one model is loaded at a time."""
    if not basis.other:
        return Failure(tr("No second model is selected."), tr("Choose a model to compare with this one."))
    request = measured(basis.request)
    first = str(basis.model.folder)
    names = _names(first, basis.other)
    own = LoadRequest(first, adapter=basis.model.opened_by.adapter)
    arms = (Variant(names[0], request, own), Variant(names[1], request, LoadRequest(basis.other)))
    return EXPERIMENT.of(arms, basis.repeats)


def conclude(outcome: ExperimentOutcome) -> Conclusion:
    speed, over = over_shared(outcome, (0, 1))
    judged = compare_variants(outcome, 0, 1, speed, shown=usual("speed_mean"))
    if judged is None:
        return answer(outcome, "")
    first, second = (arm.name for arm in outcome.plan.arms)
    text = tr("{level} between {first} and {second}").format(level=level(judged), first=first, second=second)
    if differs(judged):
        slow, fast = (first, second) if judged.ratio > 1 else (second, first)
        judged = judged if judged.ratio > 1 else judged.inverse
        text = tr("the faster model is {arm}: {speed}").format(arm=fast, speed=faster(judged, slow))
    peaks = [spread(values(outcome.of(arm), usual("memory_peak"))) for arm in (0, 1)]
    memory = ""
    if peaks[0] and peaks[1]:
        less, more = (spanned(each, partial(size, digits=two_digits)) for each in (peaks[0], peaks[1]))
        memory = tr("peak memory was {more} with {second}, {less} with {first}")
        memory = memory.format(second=second, more=more, first=first, less=less)
    return answer(outcome, row([text, over]), [memory])


def _names(first: str, second: str) -> tuple[str, str]:
    """Return the models' names: their folder names, or longer ones if these are equal."""
    short = tuple(_name(path) for path in (first, second))
    return (short[0], short[1]) if short[0] != short[1] else (first, second)


def _name(path: str) -> str:
    elsewhere = server_model(path)
    if elsewhere is not None:
        return tr("{model} on {server}").format(model=elsewhere.name, server=urlsplit(elsewhere.address).netloc)
    return path.rstrip("/").rpartition("/")[2]


EXPERIMENT = Experiment(
    "models",
    tr("Which of two models?"),
    tr("How do two models answer the same prompt, how fast, and in how much memory?"),
    plan,
    conclude,
    max_tokens=128,
    claims=lambda arms: 1,
    lead="speed_mean",
)
