"""Export of sessions, runs and tokens as Markdown, text, CSV and JSON. Only files of `session_file` can be imported."""

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

from app.engine.meter.trace import Trace, TraceToken
from app.engine.types import Alternative, Role
from app.i18n import tr
from app.records.inspection_results import JsonObject
from app.records.listing import UNTITLED
from app.records.run_environment import seed_of
from app.records.run_settings import text_of
from app.records.types import Plain, RunRow, TokenRecord, WholeRun, WholeSession, WholeTurn

SPEAKERS = {role: role.words for role in Role}
FORMULA = re.compile(r"'*[\t\r\n]*[=+\-@＝＋－＠]")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
NOT_EXPORTED = ("settings", "question", "answer")
"""Settings have their own columns; a session's export has the texts."""
ROW_COLUMNS = tuple(field.name for field in fields(RunRow) if field.name not in NOT_EXPORTED)


def as_markdown(session: WholeSession) -> str:
    parts = [f"# {session.title or UNTITLED}"]
    if session.settings.system:
        parts += [f"## {SPEAKERS[Role.SYSTEM]}", session.settings.system]
    for turn in visible_turns(session):
        parts.append(f"## {speaker(turn)}")
        if turn.reasoning.strip():
            parts.append("\n".join(f"> {line}".rstrip() for line in turn.reasoning.strip().splitlines()))
        parts.append(turn.text.strip("\n"))
    return "\n\n".join(part for part in parts if part) + "\n"


def as_plain_text(session: WholeSession) -> str:
    paragraphs = [f"{speaker(turn)}:\n{turn.text.strip()}\n" for turn in visible_turns(session)]
    return "\n".join([f"{session.title or UNTITLED}\n", *paragraphs])


def speaker(turn: WholeTurn) -> str:
    """Return the role of a turn; for an answer with its model: “Model (SmolLM2, 8-bit)”."""
    if not turn.runs:
        words = SPEAKERS[turn.role]
        return tr("{role}, edited by hand").format(role=words) if turn.role is Role.ASSISTANT else words
    model = " ".join(turn.runs[-1].run.model.label.split())  # a line break would end the heading
    return tr("{role} ({model})").format(role=SPEAKERS[turn.role], model=model)


def runs_csv(rows: Sequence[RunRow]) -> str:
    """Return the runs table as CSV, with one column per setting."""
    settings = list(dict.fromkeys(name for row in rows for name, _ in row.settings))
    return as_csv((*ROW_COLUMNS, *settings), (_row(row, settings) for row in rows))


def visible_turns(session: WholeSession) -> Iterator[WholeTurn]:
    return (turn for turn in session.turns if not turn.hidden)


def _row(row: RunRow, settings: Sequence[str]) -> tuple[object, ...]:
    known = dict(row.settings)
    pieces = _cell(row.pieces)
    plain_values = tuple(pieces if name == "pieces" else getattr(row, name) for name in ROW_COLUMNS)
    return (*plain_values, *(_cell(known[name]) if name in known else "" for name in settings))


def _cell(value: Plain) -> str:
    """Format a value for CSV; not translated, since other programs read it."""
    return ("on" if value else "off") if isinstance(value, bool) else text_of(value)


def as_csv(head: Sequence[str], rows: Iterable[tuple[object, ...]]) -> str:
    """Format rows as CSV. Short rows are padded; None is an empty cell."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(tuple(map(_harmless, head)))
    for row in rows:
        writer.writerow((*map(_harmless, row), *("" for _ in range(len(head) - len(row)))))
    return text.getvalue()


def _harmless(cell: object) -> object:
    """Prefix a text that a spreadsheet would run as a formula with an apostrophe.

    A text that begins with apostrophes gets another one, so removing one always restores the text. Numbers stay
    unchanged.
    """
    if isinstance(cell, str) and FORMULA.match(cell) and not NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


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
Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """One recorded token: its values by name, and its most likely alternatives."""

    values: dict[str, Value]
    top: tuple[dict[str, Value], ...]


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
    return as_csv((*COLUMNS, "precision", *rivals), (_token_row(fact, precision) for fact in _facts(tokens)))


def _facts(tokens: Sequence[TokenRecord]) -> Iterator[TokenFacts]:
    trace = Trace()
    trace.begin_run()
    trace.extend(tokens)
    for position in range(len(trace)):
        token = trace.token(position)
        top = token.observed.top if token.observed is not None else ()
        yield TokenFacts(_values(token), tuple(map(_candidate, top)))


def _values(token: TraceToken) -> dict[str, Value]:
    seen = token.observed
    return {
        "place": token.position,
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


def _candidate(candidate: Alternative) -> dict[str, Value]:
    return {
        "id": candidate.id,
        "text": candidate.text,
        "probability": candidate.probability,
        "logprob": _finite(candidate.logprob),
        "raw_logit": _finite(candidate.raw_logit),
    }


def _token_row(fact: TokenFacts, precision: str) -> tuple[object, ...]:
    return (*fact.values.values(), precision, *(value for candidate in fact.top for value in candidate.values()))


def _finite(value: float) -> float | None:
    """Return None for an infinite value, which JSON doesn't have."""
    return value if math.isfinite(value) else None


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
