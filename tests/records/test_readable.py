from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.controls import Controls
from app.engine.ranges import LARGEST_SEED, RANGES
from app.engine.sampling import check
from app.engine.types import ChatPrompt, Failure, Limits, Message, Request, Role, Sampling
from app.files import json_values
from app.records.database import SqlWrite
from app.records.journal import Journal
from app.records.run_settings import flatten_settings
from app.records.session_file import read_session, session_text
from app.records.types import RunState, WholeSession
from tests.records import builders, wholes

TEXTS = st.text(st.characters(), max_size=6) | st.sampled_from(("\ud800", "a\x00b", "\udfff\ud800", "\r\n", "\ufeff"))
WHOLE = st.integers(1 - 2**64, 2**64 - 1) | st.sampled_from((2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, -(2**63)))
FLOATS = st.floats() | st.integers(0, 2)
SAMPLINGS = st.builds(
    Sampling,
    **dict.fromkeys(("temperature", "top_p", "min_p", "repetition_penalty"), FLOATS),
    **dict.fromkeys(("top_k", "repetition_window", "seed"), WHOLE),
    logit_bias=st.lists(st.tuples(WHOLE, FLOATS), max_size=2).map(tuple),
)
LIMITS = st.builds(Limits, WHOLE, st.lists(TEXTS, max_size=2).map(tuple), st.lists(WHOLE, max_size=2).map(tuple))
MESSAGES = st.lists(st.builds(Message, st.sampled_from(Role), TEXTS), max_size=2).map(tuple)
CHATS = st.builds(ChatPrompt, MESSAGES, TEXTS, wholes.ARGUMENTS)
REQUESTS = st.builds(Request, CHATS, SAMPLINGS, LIMITS, observe=WHOLE, draft_tokens=WHOLE)
SEEDED = builders.request(seed=2**64 - 1)


def said(kind: Any, value: Any) -> Any:
    """For comparing: numbers that are no numbers are equal here, and half a character is a whole one."""
    return json_values.write(kind, value)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@example(SEEDED, 2**64, "demo")
@example(replace(SEEDED, sampling=Sampling(float("nan"), top_p=float("inf"))), 2048, "a\ud800")
@given(REQUESTS, st.none() | WHOLE, TEXTS)
def test_written_values_are_read_back(journal: Journal, request: Request, context: int | None, name: str) -> None:
    model = replace(builders.MODEL, name=name)
    begun = replace(builders.start(1000.0, request, model), context=context)
    session, _, run = builders.answered(journal, begun=begun)
    journal.sessions.set_settings(session, Controls(sampling=request.sampling, seed=request.sampling.seed))
    record = builders.record_of(journal, run)
    assert said(Request, record.request) == said(Request, request)
    assert record.model.name == json_values.clean(name)
    assert record.text == "".join(builders.WORDS)
    row = next(row for row in journal.runs.rows(session, sort="sampling.top_p"))
    assert (row.id, row.seed, row.state) == (run, request.sampling.seed, RunState.ENDED)
    assert dict(row.settings) | {"sampling.seed": row.seed} == dict(flatten_settings(request))
    kept = journal.sessions.get(session)
    assert kept is not None
    assert said(Sampling, kept.settings.sampling) == said(Sampling, request.sampling)
    whole = builders.whole_of(journal, session)
    again = read_session(session_text(whole).encode())
    assert isinstance(again, WholeSession), again
    added = journal.sessions.add(again)
    assert session_text(builders.without_numbers(journal.sessions.whole(added))) == session_text(whole)
    assert journal.failure is None


@pytest.mark.parametrize("seed", [0, LARGEST_SEED, LARGEST_SEED + 1, 2**64 - 1, -1])
def test_seeds_have_one_range(seed: int) -> None:
    assert RANGES["seed"].maximum == LARGEST_SEED == json_values.LARGEST
    refused = check(builders.request(seed=seed), 1000)
    if 0 <= seed <= LARGEST_SEED:
        assert refused is None
    else:
        assert isinstance(refused, Failure)
        assert refused.what.startswith("Seed must be a whole number from 0 to 9,223,372,036,854,775,807, and is ")


SPOILED = (
    ("run", "settings", "{"),
    ("run", "settings", "[]"),
    ("run", "state", "asleep"),
    ("detail", "request", b"no zlib"),
    ("detail", "finish", '{"reason": "a whim"}'),
    ("detail", "summary", "["),
    ("detail", "rejected", "7"),
    ("batch", "times", b"123"),
    ("batch", "texts", "[]"),
    ("batch", "ids", b""),
)


@pytest.mark.parametrize(("table", "column", "value"), SPOILED)
def test_unreadable_run_hides_no_other(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, table: str, column: str, value: object
) -> None:
    session, _, bad = builders.answered(journal)
    _, _, good = builders.answered(journal)
    key = "id" if table == "run" else "run"
    journal._store.writer.post([SqlWrite(f"UPDATE {table} SET {column} = ? WHERE {key} = ?", [(value, bad)])])
    assert journal.flush()
    assert {row.id for row in journal.runs.rows()} == {bad, good}
    assert [brief.id for brief in journal.runs.briefs(session)] == [bad]
    journal.sessions.whole(session)
    journal.runs.arrivals(bad)
    assert journal.runs.get(good) is not None
    assert journal.failure is not None and journal.failure.kind == "unread"
    told: list[Failure] = []
    monkeypatch.setattr(journal._store.writer, "tell", told.append)
    journal.runs.rows()
    journal.runs.get(bad)
    assert told == [], "it is reported once"
