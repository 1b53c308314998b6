"""Columns of a comparison, made by hand."""

from collections.abc import Sequence
from dataclasses import replace
from math import log

from app.comparison.columns import ComparedRun, column_of_run
from app.engine.meter.meter import RunMetrics, Summary
from app.engine.types import Alternative, Conditions, Finish, Reason, Request, TokenLogprobs
from app.records.types import TokenRecord, WholeRun
from tests.ui.runs import test_controller_replay as replayed

RUN = replace(replayed.RUN, ids=(), text="", finish=None)


def tokens(words: Sequence[str], probability: float = 0.5, top: Sequence[tuple[str, float]] = ()) -> list[TokenRecord]:
    """Tokens, each with the same alternatives. Equal texts have equal ids."""

    def alternative(text: str, chance: float) -> Alternative:
        return Alternative(sum(map(ord, text)), text, log(chance), 0.0)

    others = tuple(alternative(*each) for each in top)
    made = []
    for at, text in enumerate(words):
        own = alternative(text, probability)
        observed = TokenLogprobs(own, 1, (own, *others), 0.0, 0.0, 0.0)
        made.append(TokenRecord(at, own.id, text, (at + 1) / 10, observed=observed))
    return made


def whole(
    words: Sequence[str], speed: float = 10.0, kv: int = 1_000, request: Request = RUN.request, **changes: object
) -> WholeRun:
    figures = RunMetrics(elapsed=10 / speed, first_token=1 / speed, speed_mean=speed)
    finish = Finish(Reason.STOP, conditions=Conditions(weights=100, kv=kv))
    summary = Summary(figures, None, None, None)
    made = tuple(tokens(words))
    run = replace(RUN, summary=summary, finish=finish, ids=tuple(token.id for token in made), text="".join(words))
    return WholeRun(replace(run, request=request, **changes), made)  # type: ignore[arg-type]


def column(*words: str, name: str = "one", **changes: object) -> ComparedRun:
    return replace(column_of_run(whole(words), name), **changes)  # type: ignore[arg-type]
