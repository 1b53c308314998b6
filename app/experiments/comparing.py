"""Token-by-token comparison of an experiment's runs."""

from collections.abc import Sequence
from dataclasses import replace

from app.experiments.types import Detail, ExperimentOutcome, RunResult
from app.i18n import tr
from app.records.comparison import RerunComparison, compare
from app.records.types import TokenRecord


def differences(outcome: ExperimentOutcome, base: int = 0) -> Detail:
    """Compare the first run of each variant with the first run of the variant `base`."""
    rows = [
        (outcome.plan.arms[arm].name, compared.sentence, None if compared.at is None else compared.at + 1)
        for arm in outcome.measured()
        if arm != base and outcome.of(base)
        for compared in (first_difference(outcome.of(base)[0], outcome.of(arm)[0]),)
    ]
    beside = tr("compared with {arm}").format(arm=outcome.plan.arms[base].name)
    return Detail(tr("Tokens"), (tr("Variant"), beside, tr("First different token")), tuple(rows))


def first_difference(*pair: RunResult) -> RerunComparison:
    texts = any(token.id < 0 for run in pair for token in run.tokens)
    return compare(*(_by_text(pair) if texts else map(_tokens, pair)))


def parted(outcome: ExperimentOutcome, base: int, other: int) -> str:
    """Return a clause about the first different token, in the rounds that have both variants.

    The runs of one variant may differ from each other too.
    """
    ours, theirs = ({run.round: run for run in outcome.of(arm)} for arm in (base, other))
    each = [first_difference(ours[at], theirs[at]) for at in sorted(ours.keys() & theirs.keys())]
    places = [compared.at + 1 for compared in each if compared.at is not None]
    if not each:
        return ""
    if not places:
        same = tr("the tokens are the same in %n rounds", "the tokens are the same in %n round", len(each))
        further = tr("{clause}, up to the end of the shorter run")
        return same if all(compared.identical for compared in each) else further.format(clause=same)
    if any(len({run.marks for run in runs.values()}) > 1 for runs in (ours, theirs)):
        words = tr(
            "the text differs in {count} of %n rounds, but also within one variant",
            "the text differs in {count} of %n round, but also within one variant",
            len(each),
        )
        return words.format(count=len(places))
    words = tr(
        "the text differs from token {place} on in %n rounds",
        "the text differs from token {place} on in %n round",
        len(each),
    )
    return words.format(place=min(places))


def _by_text(runs: Sequence[RunResult]) -> list[list[TokenRecord]]:
    """Replace tokens by their texts, numbered, if the server returns no ids. The end of a run has no text."""
    numbers: dict[str, int] = {}
    written = [[token for token in _tokens(run) if token.text] for run in runs]
    return [[replace(token, id=numbers.setdefault(token.text, len(numbers))) for token in each] for each in written]


def _tokens(run: RunResult) -> list[TokenRecord]:
    return [TokenRecord(token.index, token.id, token.text, token.at) for token in run.tokens]
