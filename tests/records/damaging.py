"""Journals that are filled, and torn."""

from pathlib import Path

from app.records import database
from tests.records import builders
from tests.records.conftest import Opener

LEAF = b"\x0d"
"""How SQLite begins a page with rows."""
FILLING = " and lakes" * 40
MARKS = {"turn": FILLING[:100].encode(), "session": b'"reply_start"'}
"""What only rows of the table have in them."""


def filled(opener: Opener, folder: Path, count: int = 1) -> None:
    journal = opener(folder)
    for number in range(count):
        builders.answered(journal, f"Question {number} about rivers" + FILLING * (count > 1))
    journal.close()


def damage(path: Path, table: str) -> None:
    """Tear the first page that holds rows of the table."""
    connection = database.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    connection.close()
    content = path.read_bytes()
    pages = [content[start : start + size] for start in range(0, len(content), size)]
    torn = next(number for number, page in enumerate(pages) if page[:1] == LEAF and MARKS[table] in page)
    with path.open("r+b") as file:
        file.seek(torn * size)
        file.write(b"\xff" * size)
