from dataclasses import fields, replace

import pytest

from app.engine.types import ChatPrompt, Message, Role, TokenPrompt
from app.records.journal import Journal
from app.records.run_settings import SettingDifference, differences
from app.records.types import ModelRef, RunRow
from tests.records import builders


def test_rows_of_one_session_or_all(journal: Journal) -> None:
    first, _, run = builders.answered(journal)
    builders.answered(journal)
    assert (journal.runs.count(), journal.runs.count(first)) == (2, 1)
    assert [row.id for row in journal.runs.rows(first)] == [run]
    assert [row.id for row in journal.runs.rows(descending=False)] == [1, 2]
    assert [row.id for row in journal.runs.rows(start=1)] == [1]


def test_removed_run_is_hidden_and_restored(journal: Journal) -> None:
    session, turn, run = builders.answered(journal)
    other = builders.answered(journal)[2]
    journal.runs.remove((run, other))
    assert (journal.runs.count(), journal.runs.rows(), journal.runs.rows(session)) == (0, (), ())
    assert journal.runs.get(run) is not None
    kept = journal.sessions.turn(turn)
    assert kept is not None and kept.runs == (run,), "the answer is gone on with and forked by it"
    whole = journal.sessions.whole(session)
    assert whole is not None and len(whole.turns[1].runs) == 1
    assert journal.runs.rows(journal.sessions.duplicate(session)) == ()
    journal.runs.remove((run,), False)
    assert [row.id for row in journal.runs.rows()] == [run]


def test_row_has_the_runs_values(journal: Journal) -> None:
    session, turn, run = builders.answered(journal)
    row = journal.runs.rows()[0]
    assert (row.id, row.session, row.turn, row.title) == (run, session, turn, builders.QUESTION)
    assert (row.model, row.draft, row.mode, row.reason, row.seed) == ("demo", "", "chat", "stop", 7)
    assert (row.prompt_tokens, row.reused, row.tokens) == (3, 1, 5)
    assert row.first_token == pytest.approx(0.5)
    assert row.speed_mean == pytest.approx(10.0)
    assert dict(row.settings)["prompt.system"] == "Be brief."
    assert "sampling.seed" not in dict(row.settings)


def test_rows_sort_by_every_column(journal: Journal) -> None:
    builders.answered(journal)
    builders.answered(journal)
    for column in (*(field.name for field in fields(RunRow)), "sampling.temperature", "no; such"):
        assert sorted(row.id for row in journal.runs.rows(sort=column)) == [1, 2], column
    assert journal.failure is None


def test_rows_sort_unknown_values_last(journal: Journal) -> None:
    builders.answered(journal, texts=("one",))  # one token has no mean speed
    builders.answered(journal)
    assert [row.id for row in journal.runs.rows(sort="speed_mean", descending=True)] == [2, 1]
    assert [row.id for row in journal.runs.rows(sort="speed_mean", descending=False)] == [2, 1]


def test_rows_sort_settings_as_numbers(journal: Journal) -> None:
    for temperature in (0.5, 10.0, 2.0):
        builders.answered(journal, begun=builders.start(asked=builders.request(temperature=temperature)))
    rows = journal.runs.rows(sort="sampling.temperature", descending=False)
    assert [dict(row.settings)["sampling.temperature"] for row in rows] == [0.5, 2.0, 10.0]


def test_differences_name_changed_settings(journal: Journal) -> None:
    builders.answered(journal)
    builders.answered(
        journal, begun=builders.start(asked=builders.request(seed=8, temperature=0), model=ModelRef("big"))
    )
    after, before = journal.runs.rows()
    assert differences(before, after) == (
        SettingDifference("model", "demo", "big"),
        SettingDifference("seed", 7, 8),
        SettingDifference("sampling.temperature", 0.7, 0),
    )
    assert differences(before, before) == ()


def test_differences_of_a_continued_run_are_none(journal: Journal) -> None:
    """Continue and forks have no system prompt; the message before them had an empty one."""
    for prompt in (ChatPrompt((Message(Role.USER, "Hello"),)), TokenPrompt((1, 2))):
        builders.answered(journal, begun=builders.start(asked=replace(builders.request(), prompt=prompt)))
    after, before = journal.runs.rows()
    assert (differences(before, after), differences(after, before)) == ((), ())


def test_tokens_are_read_in_ranges(journal: Journal) -> None:
    _, recorder, sent = builders.begin(journal)
    for one in builders.tokens(sent, [str(number) for number in range(10)]):
        recorder.put(one)
        if one.index % 3 == 0:
            assert journal.flush()  # a batch of its own
    assert journal.flush()
    assert [token.text for token in journal.runs.tokens(recorder.run, 2, 5)] == ["2", "3", "4", "5", "6"]
    assert [token.index for token in journal.runs.tokens(recorder.run, 8, 5)] == [8, 9]
    assert journal.runs.tokens(recorder.run, 10, 5) == ()
    whole = journal.runs.whole(recorder.run)
    assert whole is not None
    assert [token.index for token in whole.tokens] == list(range(10))


def test_request_of_a_run_is_that_of_the_whole_run(journal: Journal) -> None:
    run = builders.answered(journal)[2]
    assert journal.runs.request(run) == builders.record_of(journal, run).request


def test_absent_runs_are_none(journal: Journal) -> None:
    assert journal.runs.get(5) is None and journal.runs.request(5) is None
    assert journal.runs.whole(5) is None
    assert journal.runs.arrivals(5) == ()
