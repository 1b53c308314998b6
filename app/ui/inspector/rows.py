"""The rows of the alternatives table before and after sampling filters, with captions."""

import math
import sys
from dataclasses import dataclass, replace
from enum import StrEnum

from app.engine.catalogue import is_off
from app.engine.sampling_filters import SETTING_OF, FilteredDistribution, SamplingFilter, shape_choice
from app.engine.types import Alternative, ConstraintStats, Sampling, TokenLogprobs
from app.i18n import tr
from app.ui.tokens import sampling_words
from app.ui.tokens.words import legible

REST, WHOLE_REST = tr("the rest"), tr("the rest of the vocabulary")
"""Short and long name."""
BEFORE = tr("After penalties and bias, before temperature and truncation.")
BEFORE_FORM = tr("After penalties and bias, before the output format, which ruled out {share} (struck through).")
ESTIMATED = tr("Only the sum of the other tokens is recorded, so these figures are estimates.")


class Distribution(StrEnum):
    """The distribution before or after the sampling filters."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class AlternativeRow:
    """A row: an alternative, or with `id` None all that weren't recorded. `after` is set after filters only."""

    id: int | None
    text: str
    chosen: bool
    before: float
    logprob: float | None = None
    raw_logit: float | None = None
    after: float | None = None
    removed_by: SamplingFilter | None = None
    passed_over: bool = False
    forbidden: bool = False
    """Ruled out by the output format."""

    @property
    def out(self) -> bool:
        """True if it could not be sampled."""
        return self.forbidden or self.removed_by is not None

    @property
    def name(self) -> str:
        return WHOLE_REST if self.id is None else legible(self.text)

    @property
    def share(self) -> float:
        """The probability that the bar shows."""
        return self.before if self.after is None else self.after

    @property
    def fate(self) -> str:
        """The filter or format that ruled it out."""
        if self.forbidden:
            return tr("output format")
        if self.removed_by is not None:
            return str(self.removed_by)
        return tr("possibly XTC") if self.passed_over else ""


def rows_before(observed: TokenLogprobs) -> tuple[AlternativeRow, ...]:
    """Return the recorded alternatives. A sampled token below the top k is the last row."""
    chosen = observed.chosen
    alternatives = list(observed.top)
    rest = observed.rest
    if all(each.id != chosen.id for each in alternatives):
        alternatives.append(chosen)
        rest -= math.exp(chosen.logprob)
    if observed.formed is not None:
        return _rows_before_constraint(observed, alternatives, observed.formed)
    rows = [_row(each, each.id == chosen.id) for each in alternatives]
    return (*rows, AlternativeRow(None, "", False, max(0.0, rest)))


def _rows_before_constraint(
    observed: TokenLogprobs, alternatives: list[Alternative], formed: ConstraintStats
) -> tuple[AlternativeRow, ...]:
    """Return the rows before the output format, including the tokens it ruled out."""
    left = math.log(max(sys.float_info.min, 1 - formed.removed))
    allowed = [_row(each._replace(logprob=each.logprob + left), each.id == observed.chosen.id) for each in alternatives]
    rows = sorted((*allowed, *_forbidden(observed)), key=lambda row: -row.before)
    return (*rows, AlternativeRow(None, "", False, max(0.0, 1 - sum(row.before for row in rows))))


def rows_after(
    observed: TokenLogprobs, sampling: Sampling, ends: frozenset[int]
) -> tuple[tuple[AlternativeRow, ...], str]:
    """Return the rows after the sampling filters, and a caption."""
    shaped = shape_choice(observed, sampling, ends, made=sampling)
    chosen = observed.chosen
    rows = [
        AlternativeRow(
            each.id,
            each.text,
            each.id == chosen.id,
            each.before,
            after=each.after,
            removed_by=each.removed_by,
            passed_over=each.passed_over,
        )
        for each in shaped.fates
    ]
    among, before, after = any(row.chosen for row in rows), shaped.rest_before, shaped.rest_after
    if not among and observed.drawn is not None and shaped.exact:
        own = min(observed.drawn.own, after)
        passed_over = chosen.id in observed.drawn.passed_over
        rows.append(
            AlternativeRow(chosen.id, chosen.text, True, chosen.probability, after=own, passed_over=passed_over)
        )
        among, before, after = True, max(0.0, before - chosen.probability), after - own
    rest = AlternativeRow(None, "", not among, before, after=after, removed_by=shaped.rest_removed_by)
    return (*rows, *_forbidden(observed, after=0.0), rest), caption(shaped, sampling)


def caption(shaped: FilteredDistribution, sampling: Sampling) -> str:
    words = tr("After {settings}, as this run had them.").format(settings=_settings(sampling))
    estimated = "" if shaped.exact else ESTIMATED
    sentences = (words, sampling_words.caption(shaped, sampling), estimated, sampling_words.left_out(shaped))
    return " ".join(filter(None, sentences))


def _settings(sampling: Sampling) -> str:
    """Return the active filters in the order of their application."""
    if sampling.temperature == 0:
        return tr("temperature 0")
    parts = [f"{each} {getattr(sampling, name):g}" for each, name in SETTING_OF.items() if not is_off(name, sampling)]
    parts.append(tr("temperature {value}").format(value=f"{sampling.temperature:g}"))
    if len(parts) == 1:
        return parts[0]
    return tr("{several} and {last}").format(several=", ".join(parts[:-1]), last=parts[-1])


def _row(alternative: Alternative, chosen: bool, forbidden: bool = False) -> AlternativeRow:
    before = math.exp(alternative.logprob)
    logs = alternative.logprob, alternative.raw_logit
    return AlternativeRow(alternative.id, alternative.text, chosen, before, *logs, forbidden=forbidden)


def _forbidden(observed: TokenLogprobs, after: float | None = None) -> list[AlternativeRow]:
    formed = observed.formed
    rows = [_row(each, chosen=False, forbidden=True) for each in formed.forbidden] if formed is not None else []
    return [replace(row, after=after) for row in rows]
