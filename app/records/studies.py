"""Evaluations of prompt sets in the journal: each answer is an ordinary run."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from app.engine.types import Reason
from app.files import json_reader, json_values
from app.records.database import SqlWrite
from app.records.store import Store
from app.records.types import JournalChange, RunId, RunState, SessionId

StudyId: TypeAlias = int
Place: TypeAlias = tuple[int, int, int]
"""Variant, row and repeat of an answer, from 0."""
Vote: TypeAlias = tuple[int, int, int, str, bool]
"""Two variants, a row, the preference, and whether the comparison was blind."""

REASONS = frozenset(Reason)
NEW = "INSERT INTO study (id, created, title, definition, setup) VALUES (?,?,?,?,?)"
CHANGE = "UPDATE study SET setup = ? WHERE id = ?"
RUN = "INSERT INTO study_run (run, study, arm, place, repeat) VALUES (?,?,?,?,?)"
VOTE = "INSERT INTO vote (study, first, second, place, preference, blind) VALUES (?,?,?,?,?,?)"
FIND = "SELECT id FROM study WHERE definition = ? ORDER BY id DESC LIMIT 1"
SHORT = "CASE WHEN json_valid(setup) THEN json_remove(setup, '$.texts') ELSE '' END"
"""SQL of the setup without the set's texts, which may be long."""
LATEST = f"SELECT definition, {SHORT} FROM study WHERE instr(definition, ?) ORDER BY id DESC LIMIT 100"
WHOLE = "SELECT title, definition, setup FROM study WHERE id = ?"
NAMED = "SELECT 1 FROM study WHERE title = ? LIMIT 1"
ENDED = f"""SELECT arm, place, repeat, run.id, run.reason, run.tokens, run.elapsed, detail.text
            FROM study_run JOIN run ON run.id = study_run.run JOIN detail ON detail.run = run.id
            JOIN session ON session.id = run.session
            WHERE study = ? AND run.state = '{RunState.ENDED}' AND session.deleted IS NULL ORDER BY run.id"""
COUNTED = f"""SELECT study, repeat, count(DISTINCT arm || ' ' || place) AS answers
              FROM study_run JOIN run ON run.id = study_run.run JOIN session ON session.id = run.session
              WHERE run.state = '{RunState.ENDED}' AND run.reason NOT IN ('{Reason.STOPPED}', '{Reason.ERROR}')
              AND session.deleted IS NULL
              GROUP BY study, repeat"""
OF_STUDY = f"""SELECT study, json_group_object(repeat, answers) AS answers FROM ({COUNTED})
               GROUP BY study ORDER BY study DESC LIMIT 500"""
LISTED = f"""SELECT id, title, created, {SHORT}, answers FROM ({OF_STUDY}) JOIN study ON id = study ORDER BY id DESC"""
"""SQL of the list, which reads each setup once."""
SESSIONS = """SELECT DISTINCT run.session FROM study_run JOIN run ON run.id = study_run.run
              JOIN session ON session.id = run.session WHERE study = ? AND session.deleted IS NULL"""
VOTES = "SELECT first, second, place, preference, blind FROM vote WHERE study = ? ORDER BY id"


@dataclass(frozen=True, slots=True)
class StudyRun:
    key: Place
    run: RunId
    reason: Reason
    tokens: int
    seconds: float
    text: str


@dataclass(frozen=True, slots=True)
class StudyRow:
    id: StudyId
    title: str
    created: float
    setup: str
    """The setup without the set's texts."""
    answers: Mapping[int, int]
    """Number of answers by repeat, without stopped and failed ones."""


class Studies:
    """Storage of evaluations. Evaluations with the same text `definition` are the same."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def new(self, title: str, definition: str, setup: str = "") -> StudyId:
        """Create an evaluation; `setup` is stored to resume it."""
        study = self._store.number("study")
        self._post(SqlWrite(NEW, [(study, time.time(), json_values.clean(title), definition, setup)]))
        return study

    def change(self, study: StudyId, setup: str) -> None:
        self._post(SqlWrite(CHANGE, [(setup, study)]))

    def find(self, definition: str) -> StudyId:
        """Return the latest evaluation with this definition; 0: there is none."""
        found = self._store.read(FIND, (definition,))
        return found[0][0] if found else 0

    def latest(self, has: str) -> tuple[tuple[str, str], ...]:
        """Return definition and setup, without texts, of evaluations whose definition contains `has`; latest first."""
        return tuple((row[0], row[1]) for row in self._store.read(LATEST, (has,)))

    def rows(self) -> tuple[StudyRow, ...]:
        """Return the evaluations that have answers, latest first. Answers in deleted sessions don't count."""
        found = []
        for number, title, created, setup, counts in self._store.read(LISTED):
            answers = {int(repeat): count for repeat, count in json_reader.parse(counts).items()}
            found.append(StudyRow(number, title, created, setup, answers))
        return tuple(found)

    def get(self, study: StudyId) -> tuple[str, str, str] | None:
        """Return title, definition and setup; None if it doesn't exist."""
        found = self._store.read(WHOLE, (study,))
        return found[0] if found else None

    def sessions(self, study: StudyId) -> tuple[SessionId, ...]:
        return tuple(row[0] for row in self._store.read(SESSIONS, (study,)))

    def knows(self, title: str) -> bool:
        return bool(self._store.read(NAMED, (json_values.clean(title),)))

    def add_run(self, study: StudyId, key: Place, run: RunId) -> None:
        self._post(SqlWrite(RUN, [(run, study, *key)]))

    def ended(self, study: StudyId) -> tuple[StudyRun, ...]:
        """Return an evaluation's ended answers, also failed ones, oldest first, without deleted sessions."""
        rows = self._store.read(ENDED, (study,))
        known = (row for row in rows if row[4] in REASONS)
        return tuple(StudyRun(row[:3], row[3], Reason(row[4]), row[5], row[6] or 0.0, row[7]) for row in known)

    def vote(self, study: StudyId, vote: Vote) -> None:
        self._post(SqlWrite(VOTE, [(study, *vote)]))

    def votes(self, study: StudyId) -> tuple[Vote, ...]:
        """Return all votes of an evaluation, oldest first."""
        return tuple((*row[:4], bool(row[4])) for row in self._store.read(VOTES, (study,)))

    def _post(self, *writes: SqlWrite) -> None:
        self._store.writer.post(writes, JournalChange.RUNS)
