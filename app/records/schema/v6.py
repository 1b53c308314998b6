"""Studies of prompt sets: which of its places a run answered, and what somebody liked better."""

from __future__ import annotations

import sqlite3

STATEMENTS = (
    """CREATE TABLE study (
        id INTEGER PRIMARY KEY,
        created REAL NOT NULL,
        title TEXT NOT NULL,
        definition TEXT NOT NULL,
        setup TEXT NOT NULL
    )""",
    """CREATE TABLE study_run (
        run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
        study INTEGER NOT NULL REFERENCES study ON DELETE CASCADE,
        arm INTEGER NOT NULL,
        place INTEGER NOT NULL,
        repeat INTEGER NOT NULL
    )""",
    "CREATE INDEX study_order ON study_run (study, run)",
    """CREATE TABLE vote (
        id INTEGER PRIMARY KEY,
        study INTEGER NOT NULL REFERENCES study ON DELETE CASCADE,
        first INTEGER NOT NULL,
        second INTEGER NOT NULL,
        place INTEGER NOT NULL,
        preference TEXT NOT NULL,
        blind INTEGER NOT NULL
    )""",
    "CREATE INDEX vote_order ON vote (study, id)",
    # Its answers went with their sessions: there is nothing left that could be gone on with.
    """CREATE TRIGGER study_emptied AFTER DELETE ON study_run
       WHEN NOT EXISTS (SELECT 1 FROM study_run WHERE study = old.study)
       BEGIN DELETE FROM study WHERE id = old.study; END""",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in STATEMENTS:
        connection.execute(statement)
