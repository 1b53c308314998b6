"""A session as a row of the list, as it is read from the journal's tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app import json_values
from app.controls import Controls
from app.records.types import SessionInfo
from app.words import tr

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
"""More is not seen: a session from a file may have megabytes of it, which stay in the journal."""


def info_of(columns: Sequence[Any]) -> SessionInfo:
    """A row of the list from the columns of INFO."""
    session, title, pinned, created, changed, turns, interrupted, unsent = columns[:COLUMNS]
    return SessionInfo(session, title_of(title), bool(pinned), created, changed, turns, bool(interrupted), bool(unsent))


def title_of(title: str) -> str:
    """As it is listed."""
    return title[:LONGEST_TITLE] or UNTITLED


def settings_from(said: str) -> Controls:
    """A session's settings; the usual ones where nobody can read any more what was kept."""
    try:
        return json_values.loads(Controls, said)
    except ValueError:
        return Controls()
