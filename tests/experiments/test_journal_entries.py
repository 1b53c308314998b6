"""Every arm is an ordinary recorded run."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine.types import Role
from app.experiments.journal_entries import Keeper
from app.experiments.questions import sweep
from app.experiments.types import Axis, Experiment, Outcome, Plan
from app.records.journal import Journal, open_journal
from tests.experiments.making import MODEL, basis, carried_out

AXES = (Axis("limits.max_tokens", (4, 8)),)
SWEPT = Experiment("sweep", "A sweep", "What?", sweep.plan, sweep.conclude, axes=AXES)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = open_journal(tmp_path)
    yield opened
    opened.close()


def kept(journal: Journal) -> Outcome:
    plan = SWEPT.plan(basis(MODEL, axes=AXES))
    assert isinstance(plan, Plan)
    made = carried_out(SWEPT, keep=Keeper(journal, plan.title))
    assert journal.flush()
    return made


def test_the_figures_of_the_table_are_those_of_the_journal(journal: Journal) -> None:
    made = kept(journal)
    assert len(made.results) == 4
    for run in made.results:
        assert run.run is not None
        record = journal.runs.get(run.run)
        assert record is not None and record.finish is not None and record.summary is not None
        assert (record.ids, record.text, record.request) == (run.ids, run.text, run.request)
        ours, theirs = run.summary.figures, record.summary.figures
        assert theirs.speed_mean == pytest.approx(ours.speed_mean)
        assert (theirs.tokens, theirs.visible) == (ours.tokens, ours.visible)
        assert theirs.first_token == pytest.approx(ours.first_token)


def test_they_are_the_answers_of_a_session_named_after_the_experiment(journal: Journal) -> None:
    made = kept(journal)
    (session,) = journal.sessions.rows()
    assert session.title == "Experiment: A sweep of settings"
    turns = journal.sessions.turns(session.id)
    assert [turn.role for turn in turns] == [Role.USER, Role.ASSISTANT] * 4
    assert [turn.runs for turn in turns[1::2]] == [(run.run,) for run in made.results]
    assert [turn.text for turn in turns[1::2]] == [run.text for run in made.results]
    assert {turn.text for turn in turns[::2]} == {"Tell me."}
