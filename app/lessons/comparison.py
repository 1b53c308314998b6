"""The figures of a comparison: a model and a quantized copy of it, on a text."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from statistics import fmean

from app.i18n import tr
from app.lessons.types import LessonFigure, Value
from app.perplexity.result import PerplexityResult, changed
from app.perplexity.statistics import PerplexityMetrics
from app.quantization.choice import QuantizationOutcome
from app.records.html_export import visible

SHOWN_CHANGES = 5
CHANGED_SHARE = 0.1
CERTAIN = 0.9
"""Probability of the original's most likely token from which it counts as certain."""


@dataclass(frozen=True, slots=True)
class QuantizedComparison:
    """A quantized copy, and the scores of a text by the original and by the copy."""

    model: str
    """Name of the original."""
    copy: QuantizationOutcome
    scores: PerplexityResult


def _changed_tokens(found: QuantizedComparison, _: int) -> str:
    """Return the tokens that changed most, with what each model expected there."""
    words = tr("“{text}” (“{first}” → “{second}”)")
    rows = changed(found.scores, SHOWN_CHANGES)
    texts = (map(visible, (row.text, row.first, row.second)) for row in rows)
    return ", ".join(words.format(text=text, first=first, second=second) for text, first, second in texts)


def _changed_share(found: QuantizedComparison, _: int) -> float | None:
    """Return the share of the KL divergence that is in the tenth of the tokens with the largest one."""
    values = sorted(found.scores.kl, reverse=True)
    return sum(values[: ceil(CHANGED_SHARE * len(values))]) / sum(values) if sum(values) else None


def _mean_kl(is_certain: bool) -> Callable[[QuantizedComparison, int], float | None]:
    """Return the mean KL divergence where the original is certain, or elsewhere."""

    def read(found: QuantizedComparison, _: int) -> float | None:
        pairs = zip(found.scores.weights, found.scores.kl, strict=False)  # other vocabularies have no KL divergence
        values = [kl for weight, kl in pairs if (weight.likeliest_probability >= CERTAIN) is is_certain]
        return fmean(values) if values else None

    return read


def _between(name: str) -> Callable[[QuantizedComparison, int], Value | None]:
    return lambda found, _: getattr(found.scores.between, name) if found.scores.between is not None else None


PAIR_FIGURES: dict[str, LessonFigure[QuantizedComparison]] = {
    "tokens": LessonFigure(tr("Tokens of the text"), "", lambda found, _: found.scores.first.tokens),
    "bits_per_weight": LessonFigure(
        tr("Bits per weight, scales included"), "number", lambda found, _: found.copy.bits_per_weight
    ),
    "kl_mean": LessonFigure(tr("Mean KL divergence per token"), "nats", _between("kl_mean")),
    "same_first": LessonFigure(tr("Same most likely token"), "share", _between("same_first")),
    "changed_share": LessonFigure(tr("KL divergence in the most changed tenth"), "share", _changed_share),
    "kl_certain": LessonFigure(tr("Mean KL divergence where the original is certain"), "nats", _mean_kl(True)),
    "kl_uncertain": LessonFigure(tr("Mean KL divergence elsewhere"), "nats", _mean_kl(False)),
    "changed": LessonFigure(tr("Most changed tokens"), "text", _changed_tokens),
}
"""Figures of both models together."""


def _of_one(of: Callable[[PerplexityMetrics], float]) -> Callable[[QuantizedComparison, int], float | None]:
    """Return a figure of the model with this number: 1 the original, 2 the copy."""

    def read(found: QuantizedComparison, number: int) -> float | None:
        metrics = {1: found.scores.first, 2: found.scores.second}.get(number)
        return of(metrics) if metrics is not None else None

    return read


def _size(found: QuantizedComparison, number: int) -> float | None:
    return {1: found.copy.before, 2: found.copy.bytes}.get(number)


MODEL_FIGURES: dict[str, LessonFigure[QuantizedComparison]] = {
    "size": LessonFigure(tr("Size of the weights"), "bytes", _size),
    "perplexity": LessonFigure(tr("Perplexity"), "number", _of_one(lambda one: one.perplexity)),
    "bits_per_byte": LessonFigure(tr("Bits per byte"), "number", _of_one(lambda one: one.bits_per_byte)),
}
"""Figures of one model, with its number in place of the variant's."""
