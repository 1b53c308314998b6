"""A study's answers are ordinary runs, and whoever goes on finds them again."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.protocol import Emit, StopFlag
from app.engine.types import ChatPrompt, Failure, Finish, LoadRequest, Message, RawPrompt, Reason, Request, Role
from app.evaluation import journal_entries
from app.evaluation.evaluation_run import Note, run_evaluation
from app.evaluation.journal_entries import StudyKeeper, earlier, listed, reopened
from app.evaluation.types import (
    AnswerKey,
    Check,
    CheckKind,
    Evaluation,
    EvaluationAnswer,
    EvaluationOutcome,
    EvaluationVariant,
    FewShotExamples,
    Preference,
    Template,
    Vote,
    Wording,
)
from app.evaluation.verdict import verdict
from app.experiments import journal_entries as experiments
from app.records.database import SqlWrite
from app.records.journal import Journal, open_journal
from app.records.types import JournalChange
from tests.evaluation.sums import ASKED, Adding, opened, sampled, study, sums


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = open_journal(tmp_path)
    yield made
    made.close()


def kept(journal: Journal, asked: Evaluation, engine: Adding | None = None, until: int = 1_000) -> EvaluationOutcome:
    """Stopped after so many answers."""
    engine, stop, ended = engine or Adding(), StopFlag(), list[Note]()

    def tell(note: Note) -> None:
        ended.extend([note] if isinstance(note, EvaluationAnswer) else [])
        if len(ended) == until:
            stop.ask()

    model = opened(engine)
    keeper = StudyKeeper(journal, asked, model)
    made = run_evaluation(engine, asked, model, stop, tell, keeper, keeper.answers(StopFlag()))
    assert journal.flush()
    return made


def keeper_of(journal: Journal, asked: Evaluation, name: str = "first", from_start: bool = False) -> StudyKeeper:
    return StudyKeeper(journal, asked, opened(Adding(), name), from_start=from_start)


@pytest.mark.parametrize("together", [1, 4])
def test_evaluation_answers_are_recorded_as_runs_of_a_session(journal: Journal, together: int) -> None:
    made = kept(journal, study(sums(6), together=together))
    (session,) = journal.sessions.rows()
    assert session.title == "Prompt set: Sums"
    turns = journal.sessions.turns(session.id)
    assert [turn.role for turn in turns] == [Role.USER, Role.ASSISTANT] * 6
    texts = {turn.runs[0]: turn.text for turn in turns[1::2]}
    assert texts == {each.run: each.text for each in made.answers}
    for each in made.answers:
        assert each.run is not None
        record = journal.runs.get(each.run)
        assert record is not None and record.finish is not None
        assert (record.text, record.finish.tokens) == (each.text, each.tokens)
        asked = record.request
        assert asked.sampling.seed == 5


class Timed(Adding):
    """Which of `did` came after the moment of Send, and before the engine was asked."""

    def __init__(self, did: Sequence[float]) -> None:
        super().__init__()
        self._did = did
        self.late: list[float] = []

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        self.late += [at for at in self._did if at > stop.made_at]
        return super().generate(request, emit, stop)


def test_answer_time_excludes_the_writes_of_the_session_database(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    did: list[float] = []

    def noted(owner: object, name: str) -> None:
        work = getattr(owner, name)

        def done(*given: object) -> object:
            try:
                return work(*given)
            finally:
                did.append(time.monotonic())

        monkeypatch.setattr(owner, name, done)

    monkeypatch.setattr(journal_entries, "SESSION_ANSWERS", 2)
    noted(journal_entries, "_options_json")
    noted(experiments, "model_ref")
    noted(journal, "flush")
    engine = Timed(did)
    assert len(kept(journal, study(sums(5), together=1), engine).answers) == 5
    assert len(did) >= 5, "kept and looked at once, three sessions"
    assert engine.late == []


def test_recorded_evaluation_of_many_answers_is_split_into_sessions(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_entries, "SESSION_ANSWERS", 3)
    kept(journal, study(sums(7), together=2))
    assert sorted(len(journal.sessions.turns(each.id)) for each in journal.sessions.rows()) == [2, 6, 6]


@pytest.mark.parametrize("together", [1, 4])
def test_evaluation_resumed_asks_the_missing_rows_and_gives_the_same_answers(journal: Journal, together: int) -> None:
    asked = study(sums(10), sampled(0), sampled(0.8), repeats=2, together=together)
    undisturbed = Adding()
    whole = run_evaluation(undisturbed, asked, opened(undisturbed), StopFlag())
    for until in (3, 5, 9):
        half = kept(journal, asked, until=until)
        assert half.stopped
    engine = Adding()
    made = kept(journal, asked, engine)
    assert 0 < len(engine.asked) <= 40 - (3 + 5 + 9)
    assert [_said(each) for each in made.answers] == [_said(each) for each in whole.answers]
    again = Adding()
    assert kept(journal, asked, again).answers == made.answers and again.asked == []


def _said(answer: EvaluationAnswer) -> tuple[object, ...]:
    return answer.key, answer.text, answer.tokens, answer.reason, answer.right, answer.why


def test_evaluation_resumed_with_another_check_continues_but_another_set_restarts(journal: Journal) -> None:
    asked = study(sums(3))
    kept(journal, asked)
    engine = Adding()
    more = replace(asked, repeats=2, check=Check(CheckKind.CONTAINS, "7"))
    made = kept(journal, more, engine)
    assert len(engine.asked) == 3 and len(made.answers) == 6
    assert [each.right for each in made.answers if each.key.repeat == 0] == [False, False, True]
    others = [
        replace(asked, template=Template("Say: {prompt}", expected="{expected}")),
        replace(asked, arms=(sampled(0.5),)),
        replace(asked, prompts=replace(asked.prompts, digest="changed")),
    ]
    assert keeper_of(journal, asked).found
    assert not any(keeper_of(journal, other).found for other in others)
    assert not keeper_of(journal, asked, from_start=True).found
    assert not keeper_of(journal, asked, "second").found, "another model is open"
    named = replace(asked, arms=(replace(asked.arms[0], name="other"),))
    engine = Adding()
    assert len(kept(journal, named, engine).answers) == 3 and engine.asked == []
    assert len(listed(journal)) == 1, "a renamed variant continues the same evaluation"


def test_evaluation_stored_with_empty_raw_prompts_is_resumed(journal: Journal) -> None:
    """As the window once kept them; what a variant does say is asked by itself."""
    asked = study(sums(3))
    once = replace(asked, arms=(EvaluationVariant("plain", replace(ASKED, prompt=RawPrompt(""))),))
    answers = kept(journal, once).answers
    engine = Adding()
    assert kept(journal, asked, engine).answers == answers and engine.asked == []
    says = replace(ASKED, prompt=ChatPrompt((Message(Role.SYSTEM, "Answer in Latin."),)))
    assert not keeper_of(journal, replace(asked, arms=(EvaluationVariant("plain", says),))).found


def test_votes_of_a_recorded_evaluation_are_stored_with_it(journal: Journal) -> None:
    asked = study(sums(2))
    vote = Vote(0, 1, 1, Preference.SAME, True)
    keeper_of(journal, asked).vote(vote)
    assert keeper_of(journal, asked).votes() == (), "nothing is kept of it yet"
    kept(journal, asked)
    keeper_of(journal, asked).vote(vote)
    assert journal.flush() and keeper_of(journal, asked).votes() == (vote,)


def test_recorded_run_of_a_batch_starts_when_it_was_sent(journal: Journal) -> None:
    model = opened(Adding())
    keeper = StudyKeeper(journal, study(), model)
    keeper.ready(ASKED, model)
    sent = time.time() - 500
    recorder = keeper(AnswerKey(0, 0), ASKED, model, time.monotonic() - 500)
    recorder.finish(Finish(Reason.STOP))
    assert journal.flush()
    (row,) = journal.runs.rows()
    assert row.started == pytest.approx(sent, abs=60)


def test_earlier_evaluation_of_a_set_has_its_last_options(journal: Journal) -> None:
    asked = study(sums(3), sampled(0), sampled(0.8), repeats=2, together=4)
    asked = replace(asked, check=Check(CheckKind.CONTAINS, "7"))
    kept(journal, study(sums(3)))
    kept(journal, asked, until=3)
    again = journal_entries.earlier(journal, asked.prompts)
    assert again is not None and [each.load is None for each in again.arms] == [False, False]
    assert replace(again, arms=tuple(replace(each, load=None) for each in again.arms)) == asked
    assert keeper_of(journal, again).found
    assert journal_entries.earlier(journal, replace(asked.prompts, digest="changed")) is None


def test_evaluation_with_changed_weights_is_not_resumed(journal: Journal, tmp_path: Path) -> None:
    weights = tmp_path / "adapter" / "adapters.safetensors"
    weights.parent.mkdir()
    weights.write_bytes(b"once")
    adapted = replace(sampled(0), load=LoadRequest("echo", adapter=str(weights.parent)))
    asked = study(sums(2), adapted)
    kept(journal, asked)
    assert keeper_of(journal, asked).found
    weights.write_bytes(b"again")
    assert not keeper_of(journal, asked).found


def test_reopened_evaluation_without_its_file_has_rows_answers_notes_and_examples(journal: Journal) -> None:
    prompts, examples = replace(sums(6), notes=("Recognized.",)), FewShotExamples("1 + 1 = 2\n\n", 1, "dev.csv", 3)
    asked = study(prompts, sampled(0), EvaluationVariant("small", ASKED, wording=Wording.UPPER_CASE), repeats=2)
    asked = replace(asked, template=replace(asked.template, examples=examples))
    made = kept(journal, asked)
    (row,) = listed(journal)
    assert (row.title, row.arms, row.total) == ("Sums", tuple(each.name for each in asked.arms), len(made.answers))
    assert row.answers == len(made.answers)
    found = reopened(journal, row.number)
    assert not isinstance(found, Failure)
    keeper, outcome = found
    assert outcome.answers == made.answers and not outcome.stopped
    assert outcome.study.prompts.rows == asked.prompts.rows and outcome.study.check == asked.check
    assert outcome.study.template.examples == examples and outcome.study.prompts.notes == ("Recognized.",)
    assert "dev.csv (seed 3)" in examples.note
    keeper.vote(Vote(0, 1, 3, Preference.LEFT, blind=True))
    assert journal.flush() and len(keeper.votes()) == 1


def test_reopened_evaluation_has_its_last_check_and_repeats(journal: Journal) -> None:
    asked = study(sums(6), sampled(0), sampled(0.8))
    kept(journal, asked)
    named = tuple(replace(each, name=f"at {each.name}") for each in asked.arms)
    more = replace(asked, arms=named, repeats=3, check=Check(CheckKind.CONTAINS, "7"))
    for other in (more, replace(more, check=Check(CheckKind.EQUAL)), replace(asked, together=2)):
        made = kept(journal, other)
        (row,) = listed(journal)
        assert row.answers == row.total == len(made.answers) == 12 * other.repeats
        assert row.arms == tuple(each.name for each in other.arms)
        found = reopened(journal, row.number)
        assert not isinstance(found, Failure)
        assert found[1].answers == made.answers and not found[1].stopped
        assert (found[1].study.check, found[1].study.repeats) == (other.check, other.repeats)
    keeper_of(journal, replace(more, repeats=2), from_start=True)
    assert journal.flush() and listed(journal) == (row,), "an evaluation from the start is not part of it"


@pytest.mark.parametrize("check", [CheckKind.NUMBER, CheckKind.BY_HAND])
def test_reopened_evaluation_with_a_failed_answer_asks_it_again(journal: Journal, check: CheckKind) -> None:
    asked = replace(study(sums(6), together=1), check=Check(check))
    made = kept(journal, asked, Adding(lambda words: "2 + 4" in words))
    (row,) = listed(journal)
    found = reopened(journal, row.number)
    assert not isinstance(found, Failure)
    assert verdict(found[1]) == verdict(made) and not found[1].stopped
    assert [each.right for each in found[1].answers] == [each.right for each in made.answers]
    engine = Adding()
    assert len(kept(journal, found[1].study, engine).answers) == 6 and len(engine.asked) == 1


def test_reopened_evaluation_of_a_large_set_needs_its_file(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_entries, "MOST_TEXTS", 20)
    kept(journal, study(sums(6)))
    (row,) = listed(journal)
    found = reopened(journal, row.number)
    assert isinstance(found, Failure) and "not its prompt set" in found.what
    assert earlier(journal, sums(6)) is not None, "with its file it is taken up"


def test_listed_evaluation_with_deleted_sessions_disappears_until_they_are_restored(journal: Journal) -> None:
    kept(journal, study(sums(3)))
    kept(journal, study(sums(4)))
    latest, _ = listed(journal)
    sessions = journal.studies.sessions(latest.number)
    for session in sessions:
        journal.sessions.delete(session)
    assert journal.flush() and [each.total for each in listed(journal)] == [3]
    for session in sessions:
        journal.sessions.restore(session)
    assert journal.flush() and listed(journal)[0] == latest


def test_listed_evaluations_with_an_invalid_setup_are_left_out(journal: Journal) -> None:
    kept(journal, study(sums(3)))
    for wrong in ("{", "", "[]", '{"names": 3}'):
        database = journal.studies._store
        database.writer.post([SqlWrite("UPDATE study SET setup = ?", [(wrong,)])], JournalChange.RUNS)
        assert journal.flush() and listed(journal) == ()
        assert isinstance(reopened(journal, 1), Failure)


def test_keeper_answers_include_a_run_that_just_ended(journal: Journal) -> None:
    asked = study(sums(4), together=1)
    kept(journal, asked, until=2)
    keeper, model = keeper_of(journal, asked), opened(Adding())
    keeper.ready(ASKED, model)
    recorder = keeper(AnswerKey(0, 2), ASKED, model, 0.0)
    recorder.finish(Finish(Reason.STOP))
    assert [each.key.row for each in keeper.answers(StopFlag())] == [0, 1, 2]
