"""Where two runs of one experiment part: token by token, as replays are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    if not (ours and theirs):
        return None
    pair = ours[0], theirs[0]
    alike = _by_text if any(token.id < 0 for run in pair for token in run.tokens) else _by_id
    one, other_one = alike(pair)
    return compare(one, other_one)


def parted(compared: Comparison | None) -> str:
    """The same in a clause."""
    if compared is None:
        return ""
    if compared.at is not None:
        return tr("the text differs from token {place} on").format(place=compared.at + 1)
    return tr("the tokens are the same") if compared.identical else tr("the tokens are the same as far as both go")


def _by_text(runs: Sequence[Result]) -> list[list[TokenRecord]]:
    """A server gives text alone: two pieces are the same where their texts are. The end has none."""
    numbers: dict[str, int] = {}
    written = [[token for token in _tokens(run) if token.text] for run in runs]
    return [[replace(token, id=numbers.setdefault(token.text, len(numbers))) for token in each] for each in written]


def _by_id(runs: Sequence[Result]) -> list[list[TokenRecord]]:
    return [_tokens(run) for run in runs]


def _tokens(run: Result) -> list[TokenRecord]:
    return [TokenRecord(token.index, token.id, token.text, token.at) for token in run.tokens]
