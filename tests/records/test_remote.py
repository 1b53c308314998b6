"""Runs on servers in the journal: what was counted at the end, what never was, and the same after export and import."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.engine.types import Prompted, Wire
from app.records.journal import Journal
from app.records.session_file import read_session, session_text
from app.records.types import ModelRef, SessionId, WholeSession
from tests.records import making

THERE = ModelRef("one · 127.0.0.1:8080", "http:/127.0.0.1:8080/v1#one")
COUNTED, CACHED = Wire(counted=True), Wire(counted=True, cached=True)


def answered(journal: Journal, wire: Wire, reused: int, new: int) -> SessionId:
    session, turn = making.conversation(journal)
    begun = making.start(1000.0, model=THERE)
    recorder = journal.begin(session, turn, begun)
    recorder.put(Prompted(replace(making.PROMPT, ids=(), offsets=()), 0, 0))
    for token in making.tokens(begun.sent):
        recorder.put(token)
    recorder.finish(replace(making.finish(begun.sent), stop_id=None, reused=reused, new=new, wire=wire))
    assert journal.flush()
    return session


@pytest.mark.parametrize(
    ("wire", "reused", "new", "shown"),
    [(Wire(), 0, 0, (None, None)), (COUNTED, 0, 3, (3, None)), (CACHED, 0, 3, (3, 0)), (CACHED, 1, 2, (3, 1))],
)
def test_the_table_shows_what_the_server_told(
    journal: Journal, wire: Wire, reused: int, new: int, shown: tuple[int | None, int | None]
) -> None:
    session = answered(journal, wire, reused, new)
    whole = journal.sessions.whole(session)
    assert whole is not None
    read = read_session(session_text(whole).encode())
    assert isinstance(read, WholeSession)
    again = journal.sessions.add(read).session
    assert journal.flush()
    assert making.without_numbers(journal.sessions.whole(again)).turns == making.without_numbers(whole).turns
    for number in (session, again):
        (row,) = journal.runs.rows(number)
        assert (row.prompt_tokens, row.reused) == shown
        assert row.model == THERE.name
