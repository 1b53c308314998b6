"""Rows of the session list, and full-text search in titles and turns."""

from collections.abc import Sequence
from typing import Any

from app.controls import Controls
from app.files import json_values
from app.i18n import tr
from app.records.store import Store
from app.records.text_index import excerpt, query
from app.records.types import SearchHit, SessionInfo

UNTITLED = tr("New session")
INFO = """session.id, session.title, session.pinned, session.created,
          session.changed, (SELECT count(*) FROM turn WHERE turn.session = session.id AND place IS NOT NULL),
          coalesce((SELECT state = 'interrupted' FROM run WHERE run.session = session.id ORDER BY id DESC LIMIT 1), 0),
          session.draft <> ''"""
WORDS = "SELECT text FROM turn WHERE turn.session = session.id AND place IS NOT NULL ORDER BY place LIMIT 1"
RETITLE = f"""UPDATE session SET title = title_of(coalesce(({WORDS}), ''), coalesce(({WORDS} OFFSET 1), ''))
              WHERE named = 0 AND id = """
COLUMNS = 8
LONGEST_TITLE = 200
"""Longer titles are cut in lists; an imported session may have megabytes of title."""
IN_SIGHT = 1 << 60
"""Added to the id of a visible turn, so that it ranks before all turns on other branches."""
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


def info_of(columns: Sequence[Any]) -> SessionInfo:
    session, title, pinned, created, changed, turns, interrupted, unsent = columns[:COLUMNS]
    return SessionInfo(session, title_of(title), bool(pinned), created, changed, turns, bool(interrupted), bool(unsent))


def title_of(title: str) -> str:
    return title[:LONGEST_TITLE] or UNTITLED


def settings_from(text: str) -> Controls:
    """Parse a session's settings; return the defaults if they are unreadable."""
    try:
        return json_values.loads(Controls, text)
    except ValueError:
        return Controls()


def search(store: Store, words: str, start: int, count: int) -> tuple[SearchHit, ...]:
    """Find the sessions that contain all words, also as prefixes; title matches come first.

    Each hit has the last matching turn, a visible one if there is one.
    """
    terms = query(words)
    found = store.read(FOUND, (terms, count, start)) if terms else ()
    return tuple(_hit(row, words) for row in found)


def _hit(row: Sequence[Any], words: str) -> SearchHit:
    turn, text, is_hidden = row[COLUMNS:]
    return SearchHit(info_of(row), turn, *excerpt(text, words), bool(is_hidden))
