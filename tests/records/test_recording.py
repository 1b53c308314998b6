"""A run is written down as it comes: prompt, tokens with their times, text and figures."""

import threading
from contextlib import closing

import pytest

from app.controls import Controls
from app.engine.types import Finish, Prompted, Reason, Shown, Times, Voice
from app.records.database import Write
from app.records.journal import Journal, open_journal
from app.records.surroundings import seed_of
from app.records.types import Change, RunState
from tests.records import making


def test_a_whole_run_is_kept(journal: Journal) -> None:
    begun = making.start(1000.0, making.request(observe=2))
    session, turn, run = making.answered(journal, begun=begun)
    record = journal.runs.get(run)
    assert record is not None
    assert (record.session, record.turn, record.state) == (session, turn, RunState.ENDED)
    assert (record.request, record.model, record.versions) == (begun.request, begun.model, begun.versions)
    assert (record.prompt, record.context, seed_of(record)) == (making.PROMPT, 2048, 7)
    assert record.ids == (100, 101, 102, 103, 104)
    assert record.text == "The river is wide."
    assert record.finish is not None
    assert record.finish.reason is Reason.STOP
    assert record.summary is not None
    assert record.summary.figures.speed_mean == pytest.approx(10.0)
    assert record.summary.figures.visible == 4
    assert record.summary.gaps is not None


def test_moments_are_seconds_since_send(journal: Journal) -> None:
    _, _, run = making.answered(journal, begun=making.start(1000.0))
    record = journal.runs.get(run)
    assert record is not None
    assert record.finish is not None
    times = record.finish.times
    assert (times.sent, times.stop_asked) == (0.0, 0.0)
    assert times.first_token == pytest.approx(0.5)
    assert journal.runs.arrivals(run) == pytest.approx([0.5, 0.6, 0.7, 0.8, 0.9])
    assert list(journal.runs.drafts(run)) == [0, 1, 0, 1, 0]


def test_tokens_come_back_as_they_were(journal: Journal) -> None:
    _, _, run = making.answered(journal, begun=making.start(1000.0, making.request(observe=2)))
    read = journal.runs.tokens(run)
    expected = making.tokens(1000.0, observed=True)
    assert [(one.index, one.id, one.text, one.from_draft, one.observed) for one in read] == [
        (one.index, one.id, one.text, one.from_draft, one.observed) for one in expected
    ]


@pytest.mark.parametrize("known", [5, 3, 0])
def test_what_a_replay_saw_is_kept_with_the_tokens_that_it_was_of(journal: Journal, known: int) -> None:
    session, turn = making.conversation(journal)
    begun, expected = making.start(1000.0), making.tokens(1000.0)
    recorder = journal.begin(session, turn, begun)
    for one in expected:
        recorder.put(one)
        journal.flush()  # so that each is in a batch of its own
    recorder.finish(making.finish(1000.0))
    seen = [making.observation(100 + number) for number in range(known)]
    journal.runs.learn(recorder.run, seen)
    journal.flush()
    journal.runs.learn(recorder.run, seen[:1])
    journal.flush()
    read = journal.runs.tokens(recorder.run)
    assert [one.observed for one in read] == [*seen, *[None] * (len(expected) - known)]
    assert [(one.id, one.text) for one in read] == [(one.id, one.text) for one in expected]


def test_what_streams_is_there_before_its_end(journal: Journal) -> None:
    session, turn = making.conversation(journal)
    begun = making.start()
    recorder = journal.begin(session, turn, begun)
    making.stream(recorder, begun.sent)
    assert journal.flush()
    assert journal.sessions.turns(session)[1].text == "The river is wide."
    row = journal.runs.rows(session)[0]
    assert (row.state, row.tokens, row.reason) == (RunState.RUNNING, 5, "")
    record = journal.runs.get(recorder.run)
    assert record is not None
    assert (record.text, record.finish) == ("The river is wide.", None)


def test_tokens_are_written_without_being_asked_for(journal: Journal) -> None:
    """Nobody flushes: the writer looks by itself, a few times a second."""
    session, turn = making.conversation(journal)
    begun = making.start()
    recorder = journal.begin(session, turn, begun)
    making.stream(recorder, begun.sent)
    patience = threading.Event()
    for _ in range(3_000):
        if journal.runs.arrivals(recorder.run):
            break
        patience.wait(0.02)
    assert len(journal.runs.arrivals(recorder.run)) == 5


def test_reasoning_and_held_back_text_find_their_places(journal: Journal) -> None:
    session, turn = making.conversation(journal)
    begun = making.start(1000.0)
    recorder = journal.begin(session, turn, begun)
    recorder.put(Prompted(making.PROMPT, 0, 3))
    recorder.put(making.token(0, "Hm. ", 1000.5, Voice.REASONING))
    recorder.put(making.token(1, "Yes", 1000.6))
    released = (Shown(Voice.NORMAL, "!"),)
    recorder.finish(Finish(Reason.LENGTH, "length", 2, Times(1000.0, ended=1000.7), released=released))
    assert journal.flush()
    answer = journal.sessions.turns(session)[1]
    assert (answer.text, answer.reasoning) == ("Yes!", "Hm. ")


def test_continue_adds_to_the_same_answer(journal: Journal) -> None:
    session, turn, first = making.answered(journal)
    begun = making.start()
    second = journal.begin(session, turn, begun)
    making.stream(second, begun.sent, (" And", " deep."))
    second.finish(making.finish(begun.sent, 2))
    assert journal.flush()
    answer = journal.sessions.turns(session)[1]
    assert (answer.text, answer.runs) == ("The river is wide. And deep.", (first, second.run))


def test_half_characters_are_replaced_not_refused(journal: Journal) -> None:
    session, _turn, _ = making.answered(journal, "half \ud83c a character", ("a", "\udc00b"))
    assert [turn.text for turn in journal.sessions.turns(session)] == ["half � a character", "a�b"]
    assert journal.failure is None


def test_a_change_that_can_t_be_written_is_left_out_and_told(journal: Journal) -> None:
    session, _turn, _ = making.answered(journal)
    told: list[Change] = []
    journal.listen(told.append)
    stranger = journal.begin(session, 999, making.start())  # no such turn
    kept = journal.sessions.new()
    stranger.finish(making.finish(0.0))
    assert journal.flush()
    assert journal.sessions.get(kept) is not None
    assert Change.TROUBLE in told
    assert journal.failure is not None
    journal.dismiss()
    assert journal.failure is None
    assert journal.sessions.turns(session)[1].text == "The river is wide."


def test_a_listener_hears_of_the_end_of_a_run(journal: Journal) -> None:
    told: list[Change] = []
    journal.listen(told.append)
    making.answered(journal)
    assert {Change.SESSIONS, Change.RUNS} <= set(told)


def test_a_listener_hears_of_the_runs_of_a_session_that_comes_in(journal: Journal) -> None:
    session, _turn, _ = making.answered(journal)
    assert journal.flush()
    whole = journal.sessions.whole(session)
    assert whole is not None
    told: list[Change] = []
    with closing(open_journal(None)) as other:
        other.listen(told.append)
        other.sessions.add(whole)
    assert {Change.SESSIONS, Change.RUNS} <= set(told)


def test_a_listener_that_raises_does_not_stop_the_writing(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[object] = []
    monkeypatch.setattr(threading, "excepthook", lambda told: raised.append(told.exc_type))

    def raise_once(change: Change) -> None:
        told.append(change)
        if len(told) == 1:
            raise RuntimeError("a listener's own fault")

    told: list[Change] = []
    journal.listen(raise_once)
    making.answered(journal)
    session, _, _ = making.answered(journal)
    assert raised == [RuntimeError]
    assert len(told) > 1
    assert journal.sessions.turns(session)[1].text == "The river is wide."


def test_a_number_that_sqlite_can_t_hold_is_left_out(journal: Journal) -> None:
    kept = journal.sessions.new()
    journal.sessions.pin(2**70, True)
    journal.sessions.pin(kept, True)
    assert journal.flush()
    assert journal.sessions.rows()[0].pinned


def test_many_threads_at_once(journal: Journal) -> None:
    """Runs stream on two threads while a third one reads and changes."""

    def answer() -> None:
        for _ in range(10):
            session, turn = making.conversation(journal)
            begun = making.start()
            recorder = journal.begin(session, turn, begun)
            making.stream(recorder, begun.sent, ["word "] * 50)
            recorder.finish(making.finish(begun.sent, 50))

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


def test_what_nobody_can_read_any_more_is_no_record(journal: Journal) -> None:
    session, _, run = making.answered(journal)
    journal._writer.post([Write("UPDATE detail SET request = x'00' WHERE run = ?", [(run,)])])
    journal._writer.post([Write("UPDATE session SET settings = '[]' WHERE id = ?", [(session,)])])
    assert journal.flush()
    assert journal.runs.get(run) is None
    assert journal.runs.whole(run) is None
    assert len(journal.runs.rows()) == 1
    kept = journal.sessions.get(session)
    assert kept is not None
    assert kept.settings == Controls()
