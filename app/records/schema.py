"""Tables of the journal as a list of migrations; a file stores how many were applied."""

import sqlite3
from collections.abc import Sequence
from itertools import chain

TABLES = (
    """CREATE TABLE session (
        id INTEGER PRIMARY KEY,
        title TEXT NOT NULL DEFAULT '',
        named INTEGER NOT NULL DEFAULT 0,
        pinned INTEGER NOT NULL DEFAULT 0,
        created REAL NOT NULL,
        changed REAL NOT NULL,
        deleted REAL,
        settings TEXT NOT NULL,
        draft TEXT NOT NULL DEFAULT ''
    )""",
    "CREATE INDEX session_order ON session (pinned DESC, changed DESC, id DESC) WHERE deleted IS NULL",
    # A turn without `place` is hidden: it is on another branch, or deleted.
    """CREATE TABLE turn (
        id INTEGER PRIMARY KEY,
        session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
        place INTEGER,
        role TEXT NOT NULL,
        text TEXT NOT NULL,
        reasoning TEXT NOT NULL
    )""",
    "CREATE INDEX turn_order ON turn (session, place)",
    # Columns of the runs table. `settings` has those of the request, by dotted name.
    """CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
        turn INTEGER NOT NULL REFERENCES turn ON DELETE CASCADE,
        started REAL NOT NULL,
        state TEXT NOT NULL,
        reason TEXT NOT NULL DEFAULT '',
        model TEXT NOT NULL,
        draft TEXT NOT NULL,
        mode TEXT NOT NULL,
        prompt_tokens INTEGER,
        reused INTEGER,
        tokens INTEGER NOT NULL DEFAULT 0,
        first_token REAL,
        prompt_speed REAL,
        speed_mean REAL,
        end_to_end REAL,
        elapsed REAL,
        settings TEXT NOT NULL
    )""",
    "CREATE INDEX run_order ON run (session, id)",
    "CREATE INDEX run_turn ON run (turn, id)",
    "CREATE INDEX run_started ON run (started)",
    "CREATE INDEX run_going ON run (state) WHERE state = 'running'",
    # The other values of a run, in their own table because they are large. Texts and ids are compressed.
    """CREATE TABLE detail (
        run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
        request BLOB NOT NULL,
        model TEXT NOT NULL,
        draft TEXT,
        versions TEXT NOT NULL,
        context INTEGER,
        prompt_text BLOB,
        prompt_ids BLOB,
        prompt_offsets BLOB,
        prompt_rest BLOB,
        summary TEXT,
        finish TEXT,
        text TEXT NOT NULL DEFAULT '',
        reasoning TEXT NOT NULL DEFAULT ''
    )""",
    # The tokens of a quarter of a second: one column per field of the tokens, and the visible text.
    """CREATE TABLE batch (
        run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
        first INTEGER NOT NULL,
        ids BLOB NOT NULL,
        times BLOB NOT NULL,
        drafts BLOB NOT NULL,
        texts TEXT NOT NULL,
        observed TEXT,
        text TEXT NOT NULL,
        reasoning TEXT NOT NULL,
        PRIMARY KEY (run, first)
    )""",
    "CREATE VIRTUAL TABLE turn_words USING fts5 (text, content='', tokenize='unicode61 remove_diacritics 2')",
    "CREATE VIRTUAL TABLE title_words USING fts5 (text, content='', tokenize='unicode61 remove_diacritics 2')",
)
ADD_TURN = "INSERT INTO turn_words (rowid, text) VALUES (new.id, spread(new.text || ' ' || new.reasoning));"
TAKE_TURN = (
    "INSERT INTO turn_words (turn_words, rowid, text) "
    "VALUES ('delete', old.id, spread(old.text || ' ' || old.reasoning));"
)
ADD_TITLE = "INSERT INTO title_words (rowid, text) VALUES (new.id, spread(new.title));"
TAKE_TITLE = "INSERT INTO title_words (title_words, rowid, text) VALUES ('delete', old.id, spread(old.title));"
TRIGGERS = (
    f"CREATE TRIGGER turn_added AFTER INSERT ON turn BEGIN {ADD_TURN} END",
    f"CREATE TRIGGER turn_removed AFTER DELETE ON turn BEGIN {TAKE_TURN} END",
    f"CREATE TRIGGER turn_reworded AFTER UPDATE OF text, reasoning ON turn BEGIN {TAKE_TURN} {ADD_TURN} END",
    f"CREATE TRIGGER session_added AFTER INSERT ON session BEGIN {ADD_TITLE} END",
    f"CREATE TRIGGER session_removed AFTER DELETE ON session BEGIN {TAKE_TITLE} END",
    f"CREATE TRIGGER session_renamed AFTER UPDATE OF title ON session BEGIN {TAKE_TITLE} {ADD_TITLE} END",
)
V1 = TABLES + TRIGGERS

BEFORE = """(SELECT other.id FROM turn AS other WHERE other.session = turn.session AND other.place < turn.place
            ORDER BY other.place DESC LIMIT 1)"""
AFTER = """(SELECT other.id FROM turn AS other WHERE other.session = turn.session AND other.place > turn.place
           ORDER BY other.place LIMIT 1)"""
V2 = (
    # The previous turn; 0: it is the first one; NULL: it was deleted. Turns that were hidden stay hidden.
    "ALTER TABLE turn ADD COLUMN parent INTEGER",
    # The next turn when it was last in the conversation; 0: none.
    "ALTER TABLE turn ADD COLUMN next INTEGER NOT NULL DEFAULT 0",
    # For an answer that was forked from another one: the position and the tokens.
    "ALTER TABLE turn ADD COLUMN forked TEXT",
    f"UPDATE turn SET parent = coalesce({BEFORE}, 0), next = coalesce({AFTER}, 0) WHERE place IS NOT NULL",
)
"""Each turn stores its parent, so that other answers and questions stay as branches."""

# Not in `finish`, since it may be long and is only read with the run's tokens.
V3 = ("ALTER TABLE detail ADD COLUMN rejected TEXT",)
"""Runs store the rejected tokens of the draft model."""

# Unreadable rows get no value.
SUMMARY, FINISH, MODEL = (
    f"CASE WHEN json_valid(detail.{name}) THEN detail.{name} END" for name in ("summary", "finish", "model")
)
ON_A_SERVER = f"json_extract({MODEL}, '$.folder') LIKE 'http%:/%#%'"
V4 = (
    # Whether `tokens` counts pieces of text.
    "ALTER TABLE run ADD COLUMN pieces INTEGER NOT NULL DEFAULT 0",
    # Whether the seed of the settings was used.
    "ALTER TABLE run ADD COLUMN seeded INTEGER NOT NULL DEFAULT 1",
    f"""UPDATE run SET (pieces, seeded) = (SELECT coalesce(json_extract({SUMMARY}, '$.figures.pieces'), 0),
        coalesce(json_extract({FINISH}, '$.wire.seeded'), 0) FROM detail WHERE detail.run = run.id)
        WHERE id IN (SELECT detail.run FROM detail WHERE {ON_A_SERVER})""",
)
"""A server's run stores whether it counts tokens or pieces, and whether the seed was sent."""

V5 = ("ALTER TABLE run ADD COLUMN removed INTEGER NOT NULL DEFAULT 0",)
"""Runs can be hidden from the table; they stay in their sessions."""

V6 = (
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
    # Delete an evaluation whose answers were deleted with their sessions: it can't be resumed.
    """CREATE TRIGGER study_emptied AFTER DELETE ON study_run
       WHEN NOT EXISTS (SELECT 1 FROM study_run WHERE study = old.study)
       BEGIN DELETE FROM study WHERE id = old.study; END""",
)
"""Evaluations of prompt sets: the run of each answer, and votes."""

STEPS: tuple[tuple[str, ...], ...] = (V1, V2, V3, V4, V5, V6)
APPLICATION_ID = 0x534C4943
"""“SLIC”, in the header of each journal."""


class NewerError(Exception):
    """The file was written by a later version of the program."""


def version_of(connection: sqlite3.Connection) -> int:
    """Return the number of migrations applied to the file; 0: a new file."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection, steps: Sequence[Sequence[str]] = STEPS) -> None:
    """Apply all missing migrations in one transaction; raise NewerError for a newer file."""
    version = version_of(connection)
    if version > len(steps):
        raise NewerError(f"schema {version}")
    if version == len(steps):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in chain.from_iterable(steps[version:]):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(steps)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
