"""The first tables. `spread` is a function of our own, see `app.records.text_index`."""

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
    # A turn without a place is hidden: another answer, or a deleted question.
    """CREATE TABLE turn (
        id INTEGER PRIMARY KEY,
        session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
        place INTEGER,
        role TEXT NOT NULL,
        text TEXT NOT NULL,
        reasoning TEXT NOT NULL
    )""",
    "CREATE INDEX turn_order ON turn (session, place)",
    # What the table of runs shows. `settings` are those of the request, by dotted name.
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
    # The rest of a run, apart since it is large. Texts and ids are compressed.
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
    # What came within a quarter of a second: a column of each of the tokens' fields, and what of it may be shown.
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
