import sqlite3
from contextlib import closing
from pathlib import Path

from app.engine.types import Finish, Reason, Times
from app.records.database import connect, open_file
from app.records.journal import Journal
from app.records.journal_file import FILE, recover_damaged_file
from app.records.purge import KEPT_S, purge
from app.records.schema import STEPS, migrate
from app.records.studies import StudyId
from app.records.types import RunId, SessionId
from tests.records import builders
from tests.records.conftest import Opener

DEFINITION = '{"digest": "d"}'


def begun(journal: Journal) -> StudyId:
    return journal.studies.new("Sums", DEFINITION)


def answered(journal: Journal, study: StudyId, key: tuple[int, int, int], word: str = " 5") -> tuple[SessionId, RunId]:
    session, _, run = builders.answered(journal, "2 + 3?", (word,))
    journal.studies.add_run(study, key, run)
    assert journal.flush()
    return session, run


def test_answer_is_found_by_definition_and_place(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path)
    study = begun(journal)
    _, run = answered(journal, study, (1, 7, 2))
    journal.close()
    journal = opener(tmp_path)
    assert journal.studies.find(DEFINITION) == study and journal.studies.find("{}") == 0
    assert journal.studies.knows("Sums") and not journal.studies.knows("Names")
    (ended,) = journal.studies.ended(study)
    assert (ended.key, ended.run, ended.text, ended.tokens) == ((1, 7, 2), run, " 5", 1)
    assert journal.studies.new("Sums", DEFINITION) == study + 1
    assert journal.studies.find(DEFINITION) == study + 1, "the latest one"


def test_unfinished_answer_is_not_counted(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path)
    study = begun(journal)
    recorder = journal.begin(*builders.conversation(journal), builders.start())
    journal.studies.add_run(study, (0, 0, 0), recorder.run)
    assert journal.flush() and journal.studies.ended(study) == ()
    recorder.finish(Finish(Reason.STOP, times=Times(0.0)))
    assert journal.flush() and len(journal.studies.ended(study)) == 1


def test_deleted_sessions_remove_answers_and_studies(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path)
    study = begun(journal)
    (first, _), (second, _) = answered(journal, study, (0, 0, 0)), answered(journal, study, (0, 1, 0))
    builders.answered(journal)
    journal.studies.vote(study, (0, 1, 0, "left", True))
    journal.sessions.delete(first)
    assert [each.key for each in journal.studies.ended(study)] == [(0, 1, 0)]
    journal.sessions.restore(first)
    assert len(journal.studies.ended(study)) == 2
    journal.sessions.delete(first)
    assert journal.flush()
    _purge(journal)
    assert [each.key for each in journal.studies.ended(study)] == [(0, 1, 0)] and journal.studies.votes(study)
    journal.sessions.delete(second)
    assert journal.flush()
    _purge(journal)
    assert journal.studies.find(DEFINITION) == 0 and journal.studies.votes(study) == ()


def _purge(journal: Journal) -> None:
    purge(journal._writer.database, now=2 * KEPT_S + 1e10)


def test_erase_removes_studies(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path)
    answered(journal, begun(journal), (0, 0, 0))
    begun(journal)
    assert journal.erase()() is None
    assert journal.studies.find(DEFINITION) == 0


def test_votes_are_read_in_order(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path)
    study = begun(journal)
    said = [(0, 1, 5, "same", True), (0, 1, 5, "left", False), (0, 2, 4, "right", True)]
    for vote in said:
        journal.studies.vote(study, vote)
    assert list(journal.studies.votes(study)) == said


def test_recover_damaged_file_keeps_linked_rows(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path)
    study = begun(journal)
    answered(journal, study, (0, 0, 0))
    _, run = answered(journal, study, (0, 1, 0))
    journal.studies.vote(study, (0, 1, 0, "left", True))
    assert journal.flush()
    journal.close()
    with closing(connect(tmp_path / FILE)) as raw:
        raw.execute("PRAGMA foreign_keys = OFF")
        raw.execute("DELETE FROM detail WHERE run = ?", (run,))
    recover_damaged_file(tmp_path / FILE)
    with closing(open_file(tmp_path / FILE)) as found:
        assert found.read("SELECT study, place FROM study_run") == [(study, 0)]
        assert found.read("SELECT count(*) FROM vote") == [(1,)]
        assert found.read("PRAGMA foreign_key_check") == []


def test_recover_damaged_file_of_an_old_schema_works(tmp_path: Path) -> None:
    with closing(connect(tmp_path / FILE)) as raw:
        migrate(raw, STEPS[:5])
        raw.execute("INSERT INTO session (id, created, changed, settings) VALUES (3, 1.0, 2.0, '{}')")
        raw.execute("INSERT INTO turn (id, session, place, role, text, reasoning) VALUES (4, 3, 1, 'user', 'hi', '')")
    recover_damaged_file(tmp_path / FILE)
    with closing(sqlite3.connect(tmp_path / FILE)) as raw:
        assert raw.execute("SELECT text FROM turn").fetchall() == [("hi",)]
