"""Markdown, plain text and tables for other programs."""

import csv
import io
from dataclasses import replace

import pytest

from app.controls import Controls
from app.engine.types import Role
from app.records.export import as_csv, as_markdown, as_plain_text, runs_csv
from app.records.journal import Journal
from app.records.types import WholeSession, WholeTurn
from tests.records import builders

SESSION = WholeSession(
    "Rivers",
    True,
    False,
    1.0,
    2.0,
    Controls(system="Be brief."),
    "",
    (
        WholeTurn(Role.USER, "How long?", "", ()),
        WholeTurn(Role.ASSISTANT, "Very.\n", "Let me\n\nthink.", ()),
        WholeTurn(Role.ASSISTANT, "An earlier answer.", "", (), hidden=True),
    ),
)


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_as_markdown_has_the_conversation() -> None:
    assert as_markdown(SESSION) == (
        "# Rivers\n\n## System\n\nBe brief.\n\n## You\n\nHow long?\n\n## Model\n\n> Let me\n>\n> think.\n\nVery.\n"
    )


def test_as_plain_text_has_the_conversation() -> None:
    assert as_plain_text(SESSION) == "Rivers\n\nYou:\nHow long?\n\nModel:\nVery.\n"


def test_export_of_an_empty_session_is_valid() -> None:
    empty = replace(SESSION, title="", turns=(), settings=Controls())
    assert as_markdown(empty) == "# New session\n"
    assert as_plain_text(empty) == "New session\n"


def test_runs_csv_has_all_columns(journal: Journal) -> None:
    builders.answered(journal)
    builders.answered(journal, begun=builders.start(asked=builders.request(temperature=0.25)))
    rows = table(runs_csv(journal.runs.rows(sort="started", descending=False)))
    assert [row["sampling.temperature"] for row in rows] == ["0.7", "0.25"]
    assert (rows[0]["model"], rows[0]["reason"], rows[0]["tokens"]) == ("demo", "stop", "5")
    assert (rows[0]["kv.enabled"], rows[0]["kv.bits"]) == ("on", "–")
    assert runs_csv(()).count("\n") == 1


def cell(value: object) -> str:
    return table(as_csv(("it",), [(value,)]))[0]["it"]


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "-", "\t=1", "\r\n=1", "'=1", "''\t@", "＝1+1", "-1 token"],
)
def test_as_csv_formulas_are_quoted(text: str) -> None:
    assert cell(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["", "Very.", " -", "'s", "'", "1 = 1", "–", "-0.5", "+3", "-1e-05", "-.5", "−5", "\t"]
)
def test_as_csv_other_text_is_unchanged(text: str) -> None:
    assert cell(text) == text


def test_as_csv_numbers_are_unchanged() -> None:
    assert [cell(value) for value in (-1, -0.25, -1e-7, 3, None)] == ["-1", "-0.25", "-1e-07", "3", ""]
