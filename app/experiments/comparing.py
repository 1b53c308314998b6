"""Where two runs of one experiment part: token by token, as replays are compared."""

from __future__ import annotations

from app.experiments.types import Detail, Outcome, Result
from app.records.replay import Comparison, compare
from app.records.types import TokenRecord
from app.words import tr


def differences(outcome: Outcome, base: int = 0) -> Detail:
    """The first run of each arm beside the first run of the arm `base`."""
    rows = [
        (outcome.plan.arms[arm].name, compared.sentence, None if compared.at is None else compared.at + 1)
        for arm in outcome.measured()
        if arm != base and (compared := first_difference(outcome, base, arm)) is not None
    ]
    beside = tr("beside {arm}").format(arm=outcome.plan.arms[base].name)
    return Detail(tr("Tokens"), (tr("Arm"), beside, tr("First different token")), tuple(rows))


def first_difference(outcome: Outcome, base: int, other: int) -> Comparison | None:
    """None where one of the two arms has no run."""
    ours, theirs = outcome.of(base), outcome.of(other)
    return compare(_tokens(ours[0]), _tokens(theirs[0])) if ours and theirs else None


def parted(compared: Comparison | None) -> str:
    """The same in a clause."""
    if compared is None:
        return ""
    if compared.at is not None:
        return tr("the text differs from token {place} on").format(place=compared.at + 1)
    return tr("the tokens are the same") if compared.identical else tr("the tokens are the same as far as both go")


def _tokens(run: Result) -> list[TokenRecord]:
    return [TokenRecord(token.index, token.id, token.text, token.at) for token in run.tokens]
