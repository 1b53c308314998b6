"""The steps since the first tables, as statements of SQL in the order in which they are taken."""

BEFORE = """(SELECT other.id FROM turn AS other WHERE other.session = turn.session AND other.place < turn.place
            ORDER BY other.place DESC LIMIT 1)"""
AFTER = """(SELECT other.id FROM turn AS other WHERE other.session = turn.session AND other.place > turn.place
           ORDER BY other.place LIMIT 1)"""
V2 = (
    # The turn before it; 0: it begins the conversation; NULL: it was deleted. What was hidden until now stays so.
    "ALTER TABLE turn ADD COLUMN parent INTEGER",
    # The turn that followed it when it was last seen; 0: none.
    "ALTER TABLE turn ADD COLUMN next INTEGER NOT NULL DEFAULT 0",
    # Of an answer that was forked from another: where, and how.
    "ALTER TABLE turn ADD COLUMN forked TEXT",
    f"UPDATE turn SET parent = coalesce({BEFORE}, 0), next = coalesce({AFTER}, 0) WHERE place IS NOT NULL",
)
"""Turns know which one they follow, so that other answers and other questions stay as branches."""

# Apart from how the run ended, since it may be long and is only asked for with the run's tokens.
V3 = ("ALTER TABLE detail ADD COLUMN rejected TEXT",)
"""A run keeps what its draft model proposed in vain."""

# What nobody can read any more says nothing.
SUMMARY, FINISH, MODEL = (
    f"CASE WHEN json_valid(detail.{name}) THEN detail.{name} END" for name in ("summary", "finish", "model")
)
ON_A_SERVER = f"json_extract({MODEL}, '$.folder') LIKE 'http%:/%#%'"
V4 = (
    # Pieces of text stand for tokens.
    "ALTER TABLE run ADD COLUMN pieces INTEGER NOT NULL DEFAULT 0",
    # The seed of the settings was used.
    "ALTER TABLE run ADD COLUMN seeded INTEGER NOT NULL DEFAULT 1",
    f"""UPDATE run SET (pieces, seeded) = (SELECT coalesce(json_extract({SUMMARY}, '$.figures.pieces'), 0),
        coalesce(json_extract({FINISH}, '$.wire.seeded'), 0) FROM detail WHERE detail.run = run.id)
        WHERE id IN (SELECT detail.run FROM detail WHERE {ON_A_SERVER})""",
)
"""A run of a server's says what was counted, and whether the server was given the seed."""

V5 = ("ALTER TABLE run ADD COLUMN removed INTEGER NOT NULL DEFAULT 0",)
"""A run can be out of the table of runs; its session keeps all of it."""

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
    # Its answers went with their sessions: there is nothing left that could be gone on with.
    """CREATE TRIGGER study_emptied AFTER DELETE ON study_run
       WHEN NOT EXISTS (SELECT 1 FROM study_run WHERE study = old.study)
       BEGIN DELETE FROM study WHERE id = old.study; END""",
)
"""Studies of prompt sets: which of its places a run answered, and what somebody liked better."""
