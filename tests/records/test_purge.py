import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from app.records import database as databases
from app.records.database import size_of
from app.records.journal import Journal, open_journal
from app.records.journal_file import FILE
from app.records.purge import ExpiredSessions
from app.records.types import SessionId
from tests.records import builders
from tests.records.conftest import Opener

SECRET = "zanzibar"
DAY_S = 86_400.0


def told_secret(journal: Journal, word: str = SECRET) -> SessionId:
    """A word in the question, the answer, the tokens, the title and the draft."""
    session, _, _ = builders.answered(journal, f"Where is {word}?", ("Off", f" {word}", "."))
    journal.sessions.rename(session, f"About {word}")
    journal.sessions.set_draft(session, f"And {word} again")
    assert journal.flush()
    return session


def aged(journal: Journal, session: SessionId, days: float) -> None:
    journal._writer.post([databases.SqlWrite("UPDATE session SET changed = ? WHERE id = ?", [(ago(days), session)])])
    assert journal.flush()


def ago(days: float) -> float:
    return time.time() - days * DAY_S


def found(folder: Path, *wanted: bytes) -> list[str]:
    """In which files any of it stands, byte for byte."""
    return sorted(path.name for path in folder.iterdir() if any(each in path.read_bytes() for each in wanted))


def packed(folder: Path) -> list[bytes]:
    """What the journal keeps of runs in its own form."""
    with sqlite3.connect(folder / FILE) as connection:
        rows = connection.execute("SELECT request, prompt_text, prompt_ids FROM detail").fetchall()
    connection.close()
    return [each for row in rows for each in row]


def test_erase_leaves_no_byte(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path)
    told_secret(journal)
    journal.sessions.delete(told_secret(journal))
    aside = tmp_path / "journal.damaged-2026-01-01-1.sqlite"
    aside.write_bytes(SECRET.encode())
    assert journal.flush()
    traces = [SECRET.encode(), *packed(tmp_path)]
    assert len(traces) > 3
    assert FILE in found(tmp_path, *traces) or f"{FILE}-wal" in found(tmp_path, *traces)
    assert journal.erase()() is None
    assert found(tmp_path, *traces) == []
    assert (tmp_path / f"{FILE}-wal").stat().st_size == 0
    assert (journal.size().sessions, journal.size().deleted, journal.size().runs) == (0, 0, 0)
    assert journal.sessions.search(SECRET) == ()
    builders.answered(journal)
    assert [row.title for row in journal.sessions.rows()] == [builders.QUESTION], "the database still works"
    assert len(journal.sessions.search("wide")) == 1
    journal.close()
    assert found(tmp_path, SECRET.encode()) == []


def test_erase_refused_is_a_failure(opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "READERS_MS", 1)
    journal = opener(tmp_path)
    told_secret(journal)
    reader = sqlite3.connect(tmp_path / FILE)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM session").fetchall()
    failure = journal.erase()()
    assert failure is not None and failure.kind == "locked"
    assert "another program" in failure.what
    reader.close()
    assert journal.erase()() is None
    assert found(tmp_path, SECRET.encode()) == []


def test_erase_in_memory_leaves_nothing(opener: Opener) -> None:
    journal = opener(None)
    told_secret(journal)
    assert journal.erase()() is None
    assert (journal.sessions.count(), journal.size().files) == (0, 0)


def test_purge_keeps_pinned_and_open_sessions(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path)
    old, pinned, kept, young = (told_secret(journal, word) for word in ("abalone", "basalt", "cobalt", "dolmen"))
    for each in (old, pinned, kept):
        aged(journal, each, 40)
    aged(journal, young, 20)
    journal.sessions.pin(pinned, True)
    expired = ExpiredSessions(ago(30), kept)
    assert journal.sessions.expired(expired) == 1
    journal.close()
    assert found(tmp_path, b"abalone")
    again = opener(tmp_path)
    assert again.sessions.count() == 4, "only who was told so loses anything"
    again.close()
    with closing(open_journal(tmp_path, expired)) as last:
        assert {row.id for row in last.sessions.rows()} == {pinned, kept, young}
        assert found(tmp_path, b"abalone") == []
        assert last.sessions.search("abalone") == ()
        assert len(last.sessions.search("basalt")) > 0


def test_journal_size_counts_and_measures(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path)
    assert journal.size().sessions == 0
    told_secret(journal)
    journal.sessions.delete(told_secret(journal))
    assert journal.flush()
    held = journal.size()
    assert (held.sessions, held.deleted, held.runs, held.tokens) == (1, 1, 2, 6)
    assert 0 < held.traces < held.files == size_of(tmp_path / FILE)
    assert held.files == sum(path.stat().st_size for path in tmp_path.glob("journal.*"))
