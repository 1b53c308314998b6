import json
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.types import (
    Alternative,
    Channel,
    ConstraintStats,
    DraftStats,
    Finish,
    PromptEvent,
    Reason,
    RejectedTokens,
    Times,
    TopTokens,
    VisibleText,
)
from app.records import writer
from app.records.columns import pack_observed, unpack_observed
from app.records.database import Database
from app.records.journal import Journal, open_journal
from app.records.run_environment import seed_of
from app.records.session_file import read_session, session_text
from app.records.types import JournalChange, RunId, RunState, SessionId
from tests.patience import WAIT_S
from tests.records import builders
from tests.records.conftest import Opener


def test_recorded_run_is_complete(journal: Journal) -> None:
    begun = builders.start(1000.0, builders.request(observe=2))
    session, turn, run = builders.answered(journal, begun=begun)
    record = builders.record_of(journal, run)
    assert (record.session, record.turn, record.state) == (session, turn, RunState.ENDED)
    assert (record.request, record.model, record.versions) == (begun.request, begun.model, begun.versions)
    assert (record.prompt, record.context, seed_of(record)) == (builders.PROMPT, 2048, 7)
    assert record.ids == (100, 101, 102, 103, 104)
    assert record.text == "The river is wide."
    assert record.finish is not None and record.finish.reason is Reason.STOP
    assert record.summary is not None
    assert record.summary.figures.speed_mean == pytest.approx(10.0)
    assert record.summary.figures.visible == 4
    assert record.summary.gaps is not None


def test_recorded_times_are_since_send(journal: Journal) -> None:
    _, _, run = builders.answered(journal, begun=builders.start(1000.0))
    record = builders.record_of(journal, run)
    assert record.finish is not None
    times = record.finish.times
    assert (times.sent, times.stop_asked) == (0.0, 0.0)
    assert times.first_token == pytest.approx(0.5)
    assert journal.runs.arrivals(run) == pytest.approx([0.5, 0.6, 0.7, 0.8, 0.9])
    assert list(journal.runs.drafts(run)) == [0, 1, 0, 1, 0]


def test_recorded_tokens_are_equal(journal: Journal) -> None:
    _, _, run = builders.answered(journal, begun=builders.start(1000.0, builders.request(observe=2)))
    read = journal.runs.tokens(run)
    expected = builders.tokens(1000.0, observed=True)
    assert [(one.index, one.id, one.text, one.from_draft, one.observed) for one in read] == [
        (one.index, one.id, one.text, one.from_draft, one.observed) for one in expected
    ]


@pytest.mark.parametrize("known", [5, 3, 0])
def test_learned_logprobs_belong_to_their_tokens(journal: Journal, known: int) -> None:
    _, recorder, sent = builders.begin(journal, builders.start(1000.0))
    expected = builders.tokens(sent)
    for one in expected:
        recorder.put(one)
        journal.flush()  # so that each is in a batch of its own
    recorder.finish(builders.finish(1000.0))
    seen = [builders.observation(100 + number) for number in range(known)]
    journal.runs.learn(recorder.run, seen)
    journal.flush()
    journal.runs.learn(recorder.run, seen[:1])
    journal.flush()
    read = journal.runs.tokens(recorder.run)
    assert [one.observed for one in read] == [*seen, *[None] * (len(expected) - known)]
    assert [(one.id, one.text) for one in read] == [(one.id, one.text) for one in expected]


def test_streaming_text_is_read_before_the_end(journal: Journal) -> None:
    session, recorder, sent = builders.begin(journal)
    builders.stream(recorder, sent)
    assert journal.flush()
    assert journal.sessions.turns(session)[1].text == "The river is wide."
    row = journal.runs.rows(session)[0]
    assert (row.state, row.tokens, row.reason) == (RunState.RUNNING, 5, "")
    record = builders.record_of(journal, recorder.run)
    assert (record.text, record.finish) == ("The river is wide.", None)


def test_reasoning_and_held_text_are_separated(journal: Journal) -> None:
    session, recorder, _ = builders.begin(journal, builders.start(1000.0))
    recorder.put(PromptEvent(builders.PROMPT, 0, 3))
    recorder.put(builders.token(0, "Hm. ", 1000.5, Channel.REASONING))
    recorder.put(builders.token(1, "Yes", 1000.6))
    released = (VisibleText(Channel.NORMAL, "!"),)
    recorder.finish(Finish(Reason.LENGTH, "length", 2, Times(1000.0, ended=1000.7), released=released))
    assert journal.flush()
    answer = journal.sessions.turns(session)[1]
    assert (answer.text, answer.reasoning) == ("Yes!", "Hm. ")


def test_continued_run_extends_its_answer(journal: Journal) -> None:
    session, turn, first = builders.answered(journal)
    begun = builders.start()
    second = journal.begin(session, turn, begun)
    builders.stream(second, begun.sent, (" And", " deep."))
    second.finish(builders.finish(begun.sent, 2))
    assert journal.flush()
    answer = journal.sessions.turns(session)[1]
    assert (answer.text, answer.runs) == ("The river is wide. And deep.", (first, second.run))


def test_unpaired_surrogates_are_replaced(journal: Journal) -> None:
    session, _turn, _ = builders.answered(journal, "half \ud83c a character", ("a", "\udc00b"))
    assert [turn.text for turn in journal.sessions.turns(session)] == ["half � a character", "a�b"]
    assert journal.failure is None


def test_unwritable_change_is_dropped_and_reported(journal: Journal) -> None:
    session, _turn, _ = builders.answered(journal)
    told: list[JournalChange] = []
    journal.listen(told.append)
    stranger = journal.begin(session, 999, builders.start())  # no such turn
    kept = journal.sessions.new()
    stranger.finish(builders.finish(0.0))
    assert journal.flush()
    assert journal.sessions.get(kept) is not None
    assert JournalChange.TROUBLE in told
    assert journal.failure is not None
    assert journal.sessions.turns(session)[1].text == "The river is wide."


def test_listener_is_called_for_ended_runs_and_imports(journal: Journal) -> None:
    told: list[JournalChange] = []
    journal.listen(told.append)
    session, _turn, _ = builders.answered(journal)
    assert {JournalChange.SESSIONS, JournalChange.RUNS} <= set(told)
    told.clear()
    whole = builders.whole_of(journal, session)
    with closing(open_journal(None)) as other:
        other.listen(told.append)
        other.sessions.add(whole)
    assert {JournalChange.SESSIONS, JournalChange.RUNS} <= set(told)


def test_listener_that_raises_does_not_stop_the_writer(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[object] = []
    monkeypatch.setattr(threading, "excepthook", lambda told: raised.append(told.exc_type))

    def raise_once(change: JournalChange) -> None:
        told.append(change)
        if len(told) == 1:
            raise RuntimeError("a listener's own fault")

    told: list[JournalChange] = []
    journal.listen(raise_once)
    builders.answered(journal)
    session, _, _ = builders.answered(journal)
    assert raised == [RuntimeError]
    assert len(told) > 1
    assert journal.sessions.turns(session)[1].text == "The river is wide."


def test_oversized_number_is_clamped(journal: Journal) -> None:
    kept = journal.sessions.new()
    journal.sessions.pin(2**70, True)
    journal.sessions.pin(kept, True)
    assert journal.flush()
    assert journal.sessions.rows()[0].pinned


def test_writes_of_many_threads_are_complete(journal: Journal) -> None:
    """Runs stream on two threads while a third one reads and changes."""

    def answer() -> None:
        for _ in range(10):
            _, recorder, sent = builders.begin(journal)
            builders.stream(recorder, sent, ["word "] * 50)
            recorder.finish(builders.finish(sent, 50))

    streams = [threading.Thread(target=answer) for _ in range(2)]
    for stream in streams:
        stream.start()
    while any(stream.is_alive() for stream in streams):
        for row in journal.sessions.rows():
            journal.sessions.turns(row.id)
            journal.sessions.pin(row.id, not row.pinned)
        journal.runs.rows()
    assert journal.flush()
    assert journal.failure is None
    rows = journal.runs.rows()
    assert [(row.tokens, row.state) for row in rows] == [(50, RunState.ENDED)] * 20
    assert {journal.sessions.turns(row.session)[1].text for row in rows} == {"word " * 50}


@pytest.mark.parametrize("deviation", [None, 2.5])
def test_sampling_stats_are_stored(deviation: float | None) -> None:
    seen = replace(builders.observation(5), deviation=deviation)
    assert seen.drawn is not None
    greedy = replace(seen, drawn=None)
    assert unpack_observed(pack_observed([seen, None, greedy]), 3) == [seen, None, greedy]


@pytest.mark.parametrize("drawn", [True, False])
def test_constraint_stats_are_stored(drawn: bool) -> None:
    seen = builders.observation(5)
    formed = ConstraintStats(0.75, False, TopTokens.of([Alternative(7, "no", -0.5, 3.0)]))
    held = replace(seen, formed=formed, drawn=seen.drawn if drawn else None)
    measured = replace(held, deviation=2.5)
    assert unpack_observed(pack_observed([held, measured, seen]), 3) == [held, measured, seen]


def test_older_records_have_no_stats() -> None:
    packed = pack_observed([builders.observation(5)])
    assert packed is not None
    older = json.dumps([said[:6] for said in json.loads(packed)])
    (seen,) = unpack_observed(older, 1)
    assert seen is not None
    assert seen.drawn is None
    assert seen.rest == builders.observation(5).rest


@pytest.fixture
def may_write(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """From now on nothing is written before this is set."""
    may_write, write = threading.Event(), Database.write

    def late(self: Database, *given: object) -> None:
        _begun.set()
        assert may_write.wait(WAIT_S)
        write(self, *given)  # type: ignore[arg-type]

    _begun.clear()
    monkeypatch.setattr(Database, "write", late)
    return may_write


_begun = threading.Event()
"""Something is being written."""


def test_journal_is_late_while_a_batch_takes_too_long(
    opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, may_write: threading.Event
) -> None:
    journal = opener(tmp_path)
    journal.sessions.new()
    assert _begun.wait(WAIT_S)
    monkeypatch.setattr(writer, "LATE_S", WAIT_S)
    assert not journal.is_late
    monkeypatch.setattr(writer, "LATE_S", 0.0)
    assert journal.is_late
    may_write.set()
    assert journal.close() and not journal.is_late


def test_journal_that_hangs_is_closed_in_time_and_calls_no_listener_afterwards(
    opener: Opener, tmp_path: Path, may_write: threading.Event
) -> None:
    journal, heard = opener(tmp_path), list[JournalChange]()
    journal.listen(heard.append)
    journal.sessions.new()
    assert _begun.wait(WAIT_S) and not journal.close(0.0)
    may_write.set()
    assert journal.close() and heard == [JournalChange.WRITING]


DRAFTED = DraftStats(6, 3, 3, (RejectedTokens(1, (7, 8), (" one", " two")), RejectedTokens(2, (9,), ("한",))))


def drafted(journal: Journal) -> tuple[SessionId, RunId]:
    session, recorder, sent = builders.begin(journal)
    builders.stream(recorder, sent)
    recorder.finish(replace(builders.finish(sent), drafted=DRAFTED))
    assert journal.flush()
    return session, recorder.run


def kept(journal: Journal, session: SessionId) -> list[DraftStats | None]:
    whole = builders.whole_of(journal, session)
    return [one.run.finish.drafted for turn in whole.turns for one in turn.runs if one.run.finish is not None]


def test_rejected_tokens_are_read_with_the_tokens(journal: Journal) -> None:
    session, run = drafted(journal)
    assert journal.runs.rejected(run) == DRAFTED.rejected
    (brief,) = journal.runs.briefs(session)
    assert brief.finish is not None
    assert brief.finish.drafted == replace(DRAFTED, rejected=())
    whole = journal.runs.whole(run)
    assert whole is not None
    assert whole.run.finish is not None and whole.run.finish.drafted == DRAFTED


def test_rejected_tokens_are_copied_and_exported(journal: Journal) -> None:
    session, _ = drafted(journal)
    copy = journal.sessions.duplicate(session)
    assert journal.flush()
    assert kept(journal, copy) == [DRAFTED]
    whole = builders.without_numbers(journal.sessions.whole(session))
    read = read_session(session_text(whole).encode())
    assert read == whole
    added = journal.sessions.add(whole)
    assert journal.flush()
    assert kept(journal, added) == [DRAFTED]
