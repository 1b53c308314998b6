"""Export of sessions and runs as Markdown, plain text and CSV. `session_file` has the format that can be imported."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields

from app.engine.types import Role
from app.records.listing import UNTITLED
from app.records.run_settings import text_of
from app.records.types import Plain, RunRow, WholeSession, WholeTurn

SPEAKERS = {role: role.words for role in Role}
FORMULA = re.compile(r"'*[\t\r\n]*[=+\-@＝＋－＠]")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
ROW_COLUMNS = tuple(field.name for field in fields(RunRow) if field.name != "settings")


def as_markdown(session: WholeSession) -> str:
    """Return the conversation as Markdown; reasoning is quoted."""
    parts = [f"# {session.title or UNTITLED}"]
    if session.settings.system:
        parts += [f"## {SPEAKERS[Role.SYSTEM]}", session.settings.system]
    for turn in visible_turns(session):
        parts.append(f"## {SPEAKERS[turn.role]}")
        if turn.reasoning.strip():
            parts.append("\n".join(f"> {line}".rstrip() for line in turn.reasoning.strip().splitlines()))
        parts.append(turn.text.strip("\n"))
    return "\n\n".join(part for part in parts if part) + "\n"


def as_plain_text(session: WholeSession) -> str:
    """Return the conversation as plain text."""
    paragraphs = [f"{SPEAKERS[turn.role]}:\n{turn.text.strip()}\n" for turn in visible_turns(session)]
    return "\n".join([f"{session.title or UNTITLED}\n", *paragraphs])


def runs_csv(rows: Sequence[RunRow]) -> str:
    """Return the runs table as CSV, with one column per setting."""
    settings = list(dict.fromkeys(name for row in rows for name, _ in row.settings))
    return as_csv((*ROW_COLUMNS, *settings), (_row(row, settings) for row in rows))


def visible_turns(session: WholeSession) -> Iterator[WholeTurn]:
    """Yield the visible turns."""
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
