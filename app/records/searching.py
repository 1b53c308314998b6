"""Finds words in all titles and all turns, those on other branches too; what was deleted is not looked through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.records.listing import COLUMNS, INFO, info_of
from app.records.store import Store
from app.records.types import Hit
from app.records.wording import excerpt, query

IN_TITLES = f"""SELECT {INFO}, NULL, session.title, 0 FROM title_words
                JOIN session ON session.id = title_words.rowid
                WHERE title_words MATCH ? AND session.deleted IS NULL
                ORDER BY session.changed DESC LIMIT ?"""
IN_TURNS = f"""SELECT {INFO}, turn.id, turn.text || char(10) || turn.reasoning, turn.place IS NULL FROM turn_words
               JOIN turn ON turn.id = turn_words.rowid JOIN session ON session.id = turn.session
               WHERE turn_words MATCH ? AND session.deleted IS NULL
               AND (turn.place IS NOT NULL OR turn.parent IS NOT NULL)
               ORDER BY turn_words.rowid DESC LIMIT ? OFFSET ?"""


def search(store: Store, words: str, start: int, count: int) -> tuple[Hit, ...]:
    """Where all of the words occur, each also as a beginning: in titles first, then in the latest turns."""
    asked = query(words)
    if not asked:
        return ()
    found = store.read(IN_TITLES, (asked, start + count))
    titles = len(found)
    found = found[start:]
    if len(found) < count:
        found += store.read(IN_TURNS, (asked, count - len(found), max(0, start - titles)))
    return tuple(_hit(row, words) for row in found)


def _hit(row: Sequence[Any], words: str) -> Hit:
    turn, text, aside = row[COLUMNS:]
    return Hit(info_of(row), turn, *excerpt(text, words), bool(aside))
