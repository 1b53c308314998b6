"""Runs on servers in the journal: what was counted at the end, what never was, and the same after export and import."""

import csv
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.types import NetworkTiming, Prompted
from app.records.export import runs_csv, tokens_json
from app.records.journal import Journal
from app.records.receipt import receipt
from app.records.run_environment import seed_of
from app.records.session_file import read_session, session_text
from app.records.types import ModelRef, RunState, SessionId, WholeSession
from tests.records import builders
from tests.records.conftest import Opener

THERE = ModelRef("one · 127.0.0.1:8080", "http:/127.0.0.1:8080/v1#one")
SEEDED = NetworkTiming(seeded=True)
COUNTED, CACHED = NetworkTiming(counted=True), NetworkTiming(counted=True, cached=True)


def answered(journal: Journal, wire: NetworkTiming | None, reused: int, new: int) -> SessionId:
    session, turn = builders.conversation(journal)
    begun = builders.start(1000.0, model=THERE)
    recorder = journal.begin(session, turn, begun)
    recorder.put(Prompted(replace(builders.PROMPT, ids=(), offsets=()), 0, 0))
    for token in builders.tokens(begun.sent):
        recorder.put(token)
    recorder.finish(replace(builders.finish(begun.sent), stop_id=None, reused=reused, new=new, wire=wire))
    assert journal.flush()
    return session


@pytest.mark.parametrize(
    ("wire", "reused", "new", "shown"),
    [(NetworkTiming(), 0, 0, (None, None)), (COUNTED, 0, 3, (3, None)), (CACHED, 0, 3, (3, 0)), (CACHED, 1, 2, (3, 1))],
)
def test_runs_of_servers_have_their_counts(
    journal: Journal, wire: NetworkTiming, reused: int, new: int, shown: tuple[int | None, int | None]
) -> None:
    session = answered(journal, wire, reused, new)
    whole = builders.whole_of(journal, session)
    read = read_session(session_text(whole).encode())
    assert isinstance(read, WholeSession)
    again = journal.sessions.add(read)
    assert journal.flush()
    assert builders.without_numbers(journal.sessions.whole(again)).turns == builders.without_numbers(whole).turns
    for number in (session, again):
        (row,) = journal.runs.rows(number)
        assert (row.prompt_tokens, row.reused) == shown
        assert row.model == THERE.name
    (exported,) = (each for turn in whole.turns for each in turn.runs)
    assert json.loads(tokens_json(exported))["prompt_tokens"] == shown[0]


@pytest.mark.parametrize(
    ("wire", "seed", "pieces"),
    [(NetworkTiming(), None, True), (SEEDED, 7, True), (COUNTED, None, False), (None, None, True)],
)
def test_runs_of_servers_without_usage_have_pieces(
    journal: Journal, wire: NetworkTiming | None, seed: int | None, pieces: bool
) -> None:
    session = answered(journal, wire, 0, 0)
    copy = journal.sessions.duplicate(session)
    whole = builders.whole_of(journal, session)
    again = journal.sessions.add(whole)
    assert journal.flush()
    for number in (session, copy, again):
        (row,) = journal.runs.rows(number)
        assert (row.seed, row.pieces, row.tokens) == (seed, pieces, 5)
    (record,) = (each.run for turn in whole.turns for each in turn.runs)
    assert seed_of(record) == seed
    assert ("seed 7" in dict(receipt(record))["Settings"]) == (seed is not None)
    (exported,) = (each for turn in whole.turns for each in turn.runs)
    assert json.loads(tokens_json(exported))["seed"] == seed


def begun_answer(journal: Journal) -> SessionId:
    session, turn = builders.conversation(journal)
    begun = builders.start(model=THERE)
    recorder = journal.begin(session, turn, begun)
    recorder.put(Prompted(replace(builders.PROMPT, ids=(), offsets=()), 0, 0))
    for token in builders.tokens(begun.sent):
        recorder.put(token)
    assert journal.flush()
    return session


def test_running_server_run_has_no_seed(journal: Journal) -> None:
    (row,) = journal.runs.rows(begun_answer(journal))
    assert (row.seed, row.pieces, row.tokens) == (None, True, 5)


def test_interrupted_server_run_has_no_speed(opener: Opener, tmp_path: Path) -> None:
    session = begun_answer(opener(tmp_path / "running"))
    shutil.copytree(tmp_path / "running", tmp_path / "killed")
    journal = opener(tmp_path / "killed")
    (row,) = journal.runs.rows(session)
    assert (row.state, row.pieces, row.tokens) == (RunState.INTERRUPTED, True, 5)
    assert (row.speed_mean, row.end_to_end) == (None, None)
    record = journal.runs.get(row.id)
    assert record is not None and record.summary is not None
    figures = record.summary.figures
    assert (figures.speed_now, figures.speed_mean, figures.end_to_end) == (None, None, None)
    assert figures.first_token == pytest.approx(0.5) and record.summary.gaps is not None
    assert "tok/s" not in dict(receipt(record))["Speed"]


def test_runs_without_seed_sort_last(journal: Journal) -> None:
    here, _, _ = builders.answered(journal)
    unseeded, seeded = answered(journal, NetworkTiming(), 0, 0), answered(journal, SEEDED, 0, 0)
    for descending in (True, False):
        rows = journal.runs.rows(sort="seed", descending=descending)
        assert {row.session for row in rows[:2]} == {here, seeded}
        assert rows[2].session == unseeded


def test_runs_csv_has_server_counts(journal: Journal) -> None:
    builders.answered(journal)
    answered(journal, NetworkTiming(), 0, 0)
    head, there, here = csv.reader(runs_csv(journal.runs.rows()).splitlines())
    counted = [dict(zip(head, row, strict=True)) for row in (here, there)]
    assert [(row["tokens"], row["pieces"], row["seed"]) for row in counted] == [("5", "off", "7"), ("5", "on", "")]
