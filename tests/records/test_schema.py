import sqlite3
from pathlib import Path

import pytest

from app.records.database import Database, connect
from app.records.journal_file import FILE
from app.records.schema import STEPS, NewerError, migrate, version_of
from tests.records import builders
from tests.records.conftest import Opener

ADD_COLOUR = ("ALTER TABLE session ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue'",)
FAIL_HALFWAY = ("DELETE FROM turn", "no such statement")


@pytest.fixture
def file_with_data(opener: Opener, tmp_path: Path) -> Path:
    journal = opener(tmp_path)
    builders.answered(journal)
    journal.close()
    return tmp_path / FILE


def test_migrate_further_step_keeps_data(file_with_data: Path) -> None:
    connection = connect(file_with_data)
    migrate(connection, (*STEPS, ADD_COLOUR))
    assert version_of(connection) == len(STEPS) + 1
    with pytest.raises(NewerError):
        migrate(connection)
    database = Database(file_with_data, connection, connection)
    assert database.read("SELECT title, colour FROM session") == [(builders.QUESTION, "blue")]
    assert database.read("SELECT count(*) FROM batch") == [(1,)]
    connection.close()


def test_migrate_failing_step_changes_nothing(file_with_data: Path) -> None:
    connection = connect(file_with_data)
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, (*STEPS, ADD_COLOUR, FAIL_HALFWAY))
    assert version_of(connection) == len(STEPS)
    assert connection.execute("SELECT count(*) FROM turn").fetchone() == (2,)
    with pytest.raises(sqlite3.OperationalError):
        connection.execute("SELECT colour FROM session")
    connection.close()


@pytest.mark.parametrize("version", range(len(STEPS) + 1))
def test_migrate_every_version_keeps_data(opener: Opener, tmp_path: Path, version: int) -> None:
    old = connect(tmp_path / FILE)
    migrate(old, STEPS[:version])
    if version:
        old.execute(
            "INSERT INTO session (id, title, created, changed, settings) VALUES (3, 'kept', 1.0, 2.0, '{}')",
        )
        old.execute("INSERT INTO turn (id, session, place, role, text, reasoning) VALUES (4, 3, 1, 'user', 'old', '')")
    old.close()
    journal = opener(tmp_path)
    assert journal.failure is None
    assert [row.title for row in journal.sessions.rows()] == ["kept"] * bool(version)
    assert [hit.turn for hit in journal.sessions.search("old")] == [4] * bool(version)
    builders.answered(journal)


def test_migrate_linear_sessions_get_links(opener: Opener, tmp_path: Path) -> None:
    old = connect(tmp_path / FILE)
    migrate(old, STEPS[:1])
    old.execute("INSERT INTO session (id, created, changed, settings) VALUES (3, 1.0, 2.0, '{}')")
    for number, index in ((4, 1), (5, None), (6, 2), (7, 5)):
        row = (number, index)
        old.execute(
            "INSERT INTO turn (id, session, place, role, text, reasoning) VALUES (?, 3, ?, 'user', '', '')", row
        )
    old.close()
    journal = opener(tmp_path)
    assert [(turn.id, turn.parent, turn.next) for turn in journal.sessions.turns(3)] == [
        (4, 0, 6),
        (6, 4, 7),
        (7, 6, 0),
    ]
    assert journal.sessions.branches(3) == ()


RUN_THERE = """INSERT INTO run (id, session, turn, started, state, model, draft, mode, settings)
               VALUES (?, 3, 4, ?, ?, ?, ?, ?, ?)"""
DETAIL_THERE = "INSERT INTO detail (run, request, model, versions, summary, finish) VALUES (?, '', ?, '{}', ?, ?)"
ON_A_SERVER, HERE = '{"folder": "http:/127.0.0.1:8080/v1#one"}', '{"folder": "/models/http"}'


def test_migrate_server_runs_get_counts_and_seeds(opener: Opener, tmp_path: Path) -> None:
    old = connect(tmp_path / FILE)
    migrate(old, STEPS[:3])
    old.execute("INSERT INTO session (id, created, changed, settings) VALUES (3, 1.0, 2.0, '{}')")
    old.execute("INSERT INTO turn (id, session, place, role, text, reasoning) VALUES (4, 3, 1, 'user', '', '')")
    pieces, counted = '{"figures": {"pieces": true}}', '{"figures": {"pieces": false}}'
    seeded, unseeded = '{"wire": {"seeded": true}}', '{"wire": {"seeded": false}}'
    runs = (
        (ON_A_SERVER, pieces, seeded),
        (ON_A_SERVER, counted, unseeded),
        (ON_A_SERVER, pieces, None),
        (ON_A_SERVER, "not JSON", "nor this"),
        (HERE, '{"figures": {}}', '{"wire": null}'),
        ("not JSON", None, None),
    )
    for number, told in enumerate(runs):
        old.execute(RUN_THERE, (number, float(number), "ended", "one", "", "chat", '{"sampling.seed": 7}'))
        old.execute(DETAIL_THERE, (number, *told))
    old.close()
    rows = opener(tmp_path).runs.rows(3, descending=False)
    assert [(row.pieces, row.seed) for row in rows] == [
        (True, 7),
        (False, None),
        (True, None),
        (False, None),
        (False, 7),
        (False, 7),
    ]
