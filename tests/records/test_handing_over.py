"""A journal in memory hands everything over to the one that was opened meanwhile, wherever its runs are by then."""

import gc
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.types import Event, Finish, Prompted, Role, Voice
from app.records.journal import Journal, open_journal
from app.records.recording import RunRecorder
from app.records.types import RunState, SessionId, WholeSession
from tests.records import making
from tests.records.conftest import Opener

SENT = 100.0
BEGUN = 1_000.0

Told = list[Event | Finish]


def tell(recorder: RunRecorder, told: Told) -> None:
    for each in told:
        if isinstance(each, Finish):
            recorder.finish(each)
        else:
            recorder.put(each)


def a_run(texts: list[str], ends: bool) -> Told:
    voices = [Voice.REASONING if text.startswith("t") else Voice.NORMAL for text in texts]
    tokens = [
        making.token(index, text, SENT + 0.1 * index, voice, observed=True)
        for index, (text, voice) in enumerate(zip(texts, voices, strict=True))
    ]
    last: Told = [making.finish(SENT, len(texts))] if ends else []
    return [Prompted(making.PROMPT, 1, 2), *tokens, *last]


def without_times(journal: Journal, session: SessionId) -> WholeSession:
    assert journal.flush()
    return replace(making.without_numbers(journal.sessions.whole(session)), created=0.0, changed=0.0)


RUNS = st.lists(
    st.tuples(st.lists(st.sampled_from(["a", " b", "think", "\ud800", "é", ""]), max_size=6), st.booleans()),
    min_size=1,
    max_size=3,
)


@settings(max_examples=40)
@given(runs=RUNS, before=st.integers(0, 9), flushed=st.booleans())
def test_wherever_a_run_is_it_is_as_if_it_had_been_there_from_the_start(
    runs: list[tuple[list[str], bool]], before: int, flushed: bool
) -> None:
    """Each of the runs goes on with the same answer; the last one is handed over after so many of its events."""
    early, late, straight = journals = [open_journal(None) for _ in range(3)]
    try:
        making.answered(late)
        here, expected = making.conversation(early), making.conversation(straight)
        *ended, last = [a_run(texts, ends or number < len(runs) - 1) for number, (texts, ends) in enumerate(runs)]
        for told in ended:
            tell(early.begin(*here, making.start(SENT), BEGUN), told)
        recorder = early.begin(*here, making.start(SENT), BEGUN)
        tell(recorder, last[:before])
        if flushed:
            early.flush()
        handed = early.hand_over(late)
        assert early.hand_over(late, handed.sessions).sessions == {}
        tell(recorder, last[before:])
        for told in (*ended, last):
            tell(straight.begin(*expected, making.start(SENT), BEGUN), told)
        assert without_times(late, handed.sessions[here[0]]) == without_times(straight, expected[0])
        assert late.runs.count() == 1 + len(runs)
        assert recorder.run in handed.runs
    finally:
        for each in journals:
            each.close()


def test_what_was_told_before_is_on_the_disk_while_the_run_still_goes_on(opener: Opener, tmp_path: Path) -> None:
    early, late = opener(None), opener(tmp_path)
    session, turn = making.conversation(early)
    recorder = early.begin(session, turn, making.start(SENT))
    making.stream(recorder, SENT, ("One", " two"))
    early.hand_over(late)
    recorder.put(making.token(2, " three", SENT + 1))
    assert late.flush()
    (row,) = late.runs.rows()
    assert row.state is RunState.RUNNING
    assert [turn.text for turn in late.sessions.turns(row.session)] == [making.QUESTION, "One two three"]


def test_who_still_reads_the_one_in_memory_finds_all_of_it(opener: Opener, tmp_path: Path) -> None:
    """It goes with the last of them."""
    with closing(open_journal(None)) as early:
        session = early.sessions.new()
        turn = early.sessions.add_turn(session, Role.USER, "Early")
        early.hand_over(opener(tmp_path))
    assert [each.id for each in early.sessions.turns(session)] == [turn]
    assert early.failure is None and not early.flush()
    connection = early._writer.database._reader
    del early
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")
