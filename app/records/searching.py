"""Finds words in all titles and all turns, those on other branches too; what was deleted is not looked through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.records.listing import COLUMNS, INFO, info_of
from app.records.store import Store
from app.records.types import Hit
from app.records.wording import excerpt, query

IN_SIGHT = 1 << 60
"""Added to the number of a turn that is in sight: it is found before one on another branch, however late that is."""
FOUND = f"""WITH titled AS (SELECT rowid AS session FROM title_words WHERE title_words MATCH ?1),
                 said AS (SELECT turn.session AS session, max(turn.id + (turn.place IS NOT NULL) * {IN_SIGHT}) AS last
                          FROM turn_words JOIN turn ON turn.id = turn_words.rowid WHERE turn_words MATCH ?1
                          AND (turn.place IS NOT NULL OR turn.parent IS NOT NULL) GROUP BY turn.session),
                 found AS (SELECT session, 1 AS titled FROM titled UNION SELECT session, 0 FROM said
                           WHERE session NOT IN (SELECT session FROM titled)),
                 page AS (SELECT found.session AS number, titled FROM found JOIN session ON session.id = found.session
                          WHERE deleted IS NULL ORDER BY titled DESC, changed DESC, session.id DESC LIMIT ?2 OFFSET ?3)
            SELECT {INFO}, turn.id, coalesce(turn.text || char(10) || turn.reasoning, session.title),
                   turn.id IS NOT NULL AND turn.place IS NULL
            FROM page JOIN session ON session.id = number LEFT JOIN said ON said.session = number
            LEFT JOIN turn ON turn.id = said.last % {IN_SIGHT}
            ORDER BY titled DESC, session.changed DESC, session.id DESC"""


def search(store: Store, words: str, start: int, count: int) -> tuple[Hit, ...]:
    """Each session in which all of the words occur, each also as a beginning: those with such a title come first.

    Of its turns it is the last one, if there is one in sight.
    """
    asked = query(words)
    found = store.read(FOUND, (asked, count, start)) if asked else ()
    return tuple(_hit(row, words) for row in found)


def _hit(row: Sequence[Any], words: str) -> Hit:
    turn, text, aside = row[COLUMNS:]
    return Hit(info_of(row), turn, *excerpt(text, words), bool(aside))
