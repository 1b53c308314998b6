"""Markdown, plain text and tables for other programs."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from app.engine.types import Candidate, Role
from app.records.export import as_markdown, as_plain_text, runs_csv, tokens_csv
from app.records.journal import Journal
from app.records.types import SessionSettings, WholeSession, WholeTurn
from tests.records import making

SESSION = WholeSession(
    "Rivers",
    True,
    False,
    1.0,
    2.0,
    SessionSettings(system="Be brief."),
    "",
    (
        WholeTurn(Role.USER, "How long?", "", ()),
        WholeTurn(Role.ASSISTANT, "Very.\n", "Let me\n\nthink.", ()),
        WholeTurn(Role.ASSISTANT, "An earlier answer.", "", (), hidden=True),
    ),
)


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_markdown() -> None:
    assert as_markdown(SESSION) == (
        "# Rivers\n\n## System\n\nBe brief.\n\n## You\n\nHow long?\n\n## Model\n\n> Let me\n>\n> think.\n\nVery.\n"
    )


def test_plain_text() -> None:
    assert as_plain_text(SESSION) == "Rivers\n\nYou:\nHow long?\n\nModel:\nVery.\n"


def test_a_session_without_anything() -> None:
    empty = replace(SESSION, title="", turns=(), settings=SessionSettings())
    assert as_markdown(empty) == "# New session\n"
    assert as_plain_text(empty) == "New session\n"


def test_tokens_with_times_and_probabilities(journal: Journal) -> None:
    begun = making.start(1000.0, making.request(observe=2))
    _, _, run = making.answered(journal, texts=('a "quoted", one', "two\nlines"), begun=begun)
    rows = table(tokens_csv(journal.runs.tokens(run)))
    assert [row["text"] for row in rows] == ['a "quoted", one', "two\nlines"]
    assert rows[0]["seconds"] == "0.500000"
    assert (rows[1]["from_draft"], rows[1]["rank"], rows[1]["top2_text"]) == ("1", "1", "w1")
    assert 0.60 < float(rows[0]["probability"]) < 0.61


def test_tokens_of_which_few_were_observed(journal: Journal) -> None:
    _, _, run = making.answered(journal, begun=making.start(1000.0))
    tokens = journal.runs.tokens(run)
    strange = replace(making.observation(1), top=(), chosen=Candidate(1, "x", 1e300, 0.0))
    rows = table(tokens_csv((replace(tokens[0], observed=strange), *tokens[1:])))
    assert (rows[0]["probability"], rows[1]["probability"]) == ("1.0", "")
    assert tokens_csv(()).count("\n") == 1


def test_the_table_of_runs(journal: Journal) -> None:
    making.answered(journal)
    making.answered(journal, begun=making.start(asked=making.request(temperature=0.25)))
    rows = table(runs_csv(journal.runs.rows(sort="started", descending=False)))
    assert [row["sampling.temperature"] for row in rows] == ["0.7", "0.25"]
    assert (rows[0]["model"], rows[0]["reason"], rows[0]["tokens"]) == ("demo", "stop", "5")
    assert (rows[0]["kv.enabled"], rows[0]["kv.bits"]) == ("on", "–")
    assert runs_csv(()).count("\n") == 1
