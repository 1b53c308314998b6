"""What a draft model proposed in vain is kept with its run, and goes wherever the run goes."""

from dataclasses import replace

from app.engine.types import Drafted, Rejected
from app.records.journal import Journal
from app.records.session_file import read_session, session_text
from app.records.types import RunId, SessionId
from tests.records import making

DRAFTED = Drafted(6, 3, 3, (Rejected(1, (7, 8), (" one", " two")), Rejected(2, (9,), ("한",))))


def drafted(journal: Journal) -> tuple[SessionId, RunId]:
    session, turn = making.conversation(journal)
    start = making.start()
    recorder = journal.begin(session, turn, start)
    making.stream(recorder, start.sent)
    recorder.finish(replace(making.finish(start.sent), drafted=DRAFTED))
    assert journal.flush()
    return session, recorder.run


def kept(journal: Journal, session: SessionId) -> list[Drafted | None]:
    whole = journal.sessions.whole(session)
    assert whole is not None
    return [one.run.finish.drafted for turn in whole.turns for one in turn.runs if one.run.finish is not None]


def test_it_is_read_with_the_tokens_only(journal: Journal) -> None:
    session, run = drafted(journal)
    assert journal.runs.rejected(run) == DRAFTED.rejected
    (brief,) = journal.runs.briefs(session)
    assert brief.finish is not None
    assert brief.finish.drafted == replace(DRAFTED, rejected=())
    whole = journal.runs.whole(run)
    assert whole is not None
    assert whole.run.finish is not None
    assert whole.run.finish.drafted == DRAFTED


def test_it_goes_into_a_copy_and_through_a_file(journal: Journal) -> None:
    session, _ = drafted(journal)
    copy = journal.sessions.duplicate(session)
    assert journal.flush()
    assert kept(journal, copy) == [DRAFTED]
    whole = making.without_numbers(journal.sessions.whole(session))
    read = read_session(session_text(whole).encode())
    assert read == whole
    added = journal.sessions.add(whole)
    assert journal.flush()
    assert kept(journal, added) == [DRAFTED]


def test_a_run_without_drafts_has_none(journal: Journal) -> None:
    _, _, run = making.answered(journal)
    assert journal.runs.rejected(run) == ()
    assert journal.runs.rejected(999) == ()
