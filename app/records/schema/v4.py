"""A run of a server's says what was counted, and whether the server was given the seed."""

from __future__ import annotations

import sqlite3

# What nobody can read any more says nothing.
SUMMARY, FINISH, MODEL = (
    f"CASE WHEN json_valid(detail.{name}) THEN detail.{name} END" for name in ("summary", "finish", "model")
)
ON_A_SERVER = f"json_extract({MODEL}, '$.folder') LIKE 'http%:/%#%'"
STATEMENTS = (
    # Pieces of text stand for tokens.
    "ALTER TABLE run ADD COLUMN pieces INTEGER NOT NULL DEFAULT 0",
    # The seed of the settings was used.
    "ALTER TABLE run ADD COLUMN seeded INTEGER NOT NULL DEFAULT 1",
    f"""UPDATE run SET (pieces, seeded) = (SELECT coalesce(json_extract({SUMMARY}, '$.figures.pieces'), 0),
        coalesce(json_extract({FINISH}, '$.wire.seeded'), 0) FROM detail WHERE detail.run = run.id)
        WHERE id IN (SELECT detail.run FROM detail WHERE {ON_A_SERVER})""",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in STATEMENTS:
        connection.execute(statement)
