"""Export of a run's tokens, with all recorded values, as JSON and CSV."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.engine.meter.trace import Trace, TraceToken
from app.engine.types import Alternative
from app.records.export import as_csv
from app.records.inspection_results import JsonObject
from app.records.run_environment import seed_of
from app.records.types import TokenRecord, WholeRun

FORMAT = "sluice tokens"
VERSION = 1
UNITS = {
    "place": "which token of the run, from 0",
    "origin": "who chose it: model, draft (proposed by the draft model and accepted), you",
    "seconds": "since Send",
    "gap": "seconds since the token before it",
    "probability": "after penalties, before temperature and truncation; so are all that follow but raw_logit",
    "logprob": "natural logarithm of the probability",
    "raw_logit": "before penalties",
    "rank": "1 is the likeliest",
    "entropy_bits": "of the whole distribution",
    "end_probability": "that the answer ended here",
    "rest": "probability of everything that is not in top",
    "drawn": "with which probability it was drawn: after temperature and truncation too, over the whole vocabulary",
}
"""Descriptions of the values. Unknown ones are null in JSON and empty cells in CSV."""
COLUMNS = ("place", "id", "text", *list(UNITS)[1:])
Plain = str | int | float | None


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """One recorded token: its values by name, and its most likely alternatives."""

    values: dict[str, Plain]
    top: tuple[dict[str, Plain], ...]


def tokens_json(full_run: WholeRun, looks: Sequence[JsonObject] = ()) -> str:
    """Return the tokens, the run, and its interpretability results as JSON.

    Tokens are dumped one by one, so that other threads can run in between.
    """
    run = full_run.run
    head: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "model": run.model.name,
        "started": run.started,
        "seed": seed_of(run),
        "prompt_tokens": run.prompt_tokens if run.prompt is not None else None,
        "precision": run.finish.precision if run.finish is not None else "",
        "reason": run.finish.reason.value if run.finish is not None else None,
        "units": UNITS,
    }
    if looks:
        head["inside"] = looks
    tokens = ",\n".join(_dumped({**fact.values, "top": fact.top}) for fact in _facts(full_run.tokens))
    return f'{_dumped(head)[:-1]},"tokens":[\n{tokens}\n]}}\n'


def tokens_csv(full_run: WholeRun) -> str:
    """Return one CSV row per token; alternatives have their own columns."""
    tokens, finish = full_run.tokens, full_run.run.finish
    precision = finish.precision if finish is not None else ""
    most = max((len(token.observed.top) for token in tokens if token.observed), default=0)
    kinds = ("id", "text", "probability", "logprob", "raw_logit")
    rivals = [f"top{number}_{kind}" for number in range(1, most + 1) for kind in kinds]
    return as_csv((*COLUMNS, "precision", *rivals), (_row(fact, precision) for fact in _facts(tokens)))


def _facts(tokens: Sequence[TokenRecord]) -> Iterator[TokenFacts]:
    trace = Trace()
    trace.begin_run()
    trace.extend(tokens)
    for place in range(len(trace)):
        token = trace.token(place)
        top = token.observed.top if token.observed is not None else ()
        yield TokenFacts(_values(token), tuple(map(_candidate, top)))


def _values(token: TraceToken) -> dict[str, Plain]:
    seen = token.observed
    return {
        "place": token.place,
        "id": token.id,
        "text": token.text,
        "origin": token.origin.value,
        "seconds": token.at,
        "gap": token.gap,
        "probability": seen.chosen.probability if seen else None,
        "logprob": _finite(seen.chosen.logprob) if seen else None,
        "raw_logit": _finite(seen.chosen.raw_logit) if seen else None,
        "rank": seen.rank if seen else None,
        "entropy_bits": _finite(seen.entropy / math.log(2)) if seen else None,
        "end_probability": _finite(seen.eos_probability) if seen else None,
        "rest": seen.rest if seen else None,
        "drawn": seen.drawn.own if seen and seen.drawn else None,
    }


def _candidate(candidate: Alternative) -> dict[str, Plain]:
    return {
        "id": candidate.id,
        "text": candidate.text,
        "probability": candidate.probability,
        "logprob": _finite(candidate.logprob),
        "raw_logit": _finite(candidate.raw_logit),
    }


def _row(fact: TokenFacts, precision: str) -> tuple[object, ...]:
    return (*fact.values.values(), precision, *(value for candidate in fact.top for value in candidate.values()))


def _finite(value: float) -> float | None:
    """Return None for an infinite value, which JSON doesn't have."""
    return value if math.isfinite(value) else None


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
