import csv
import io
import json
import math
from dataclasses import replace
from typing import Any

import pytest

from app.controls import Controls
from app.engine.types import Alternative, Role, TokenLogprobs, WeightFormat
from app.records.export import COLUMNS, UNITS, as_csv, as_markdown, as_plain_text, runs_csv, tokens_csv, tokens_json
from app.records.html_export import as_html
from app.records.inspection_results import MOST_RUNS, InspectionResults
from app.records.journal import Journal
from app.records.types import TokenRecord, WholeRun, WholeSession, WholeTurn
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
    answer = "## Model, edited by hand\n\n> Let me\n>\n> think.\n\nVery.\n"
    assert as_markdown(SESSION) == f"# Rivers\n\n## System\n\nBe brief.\n\n## You\n\nHow long?\n\n{answer}"


def test_as_plain_text_has_the_conversation() -> None:
    assert as_plain_text(SESSION) == "Rivers\n\nYou:\nHow long?\n\nModel, edited by hand:\nVery.\n"


def test_exports_name_the_model_of_each_answer(journal: Journal) -> None:
    model = replace(builders.MODEL, name="a\n# b", format=WeightFormat("bfloat16", bits=4))
    session, *_ = builders.answered(journal, begun=builders.start(model=model))
    whole = journal.sessions.whole(session)
    assert whole is not None
    assert "\n## Model (a # b, 4-bit)\n" in as_markdown(whole)
    assert "\nModel (a # b, 4-bit):\n" in as_plain_text(whole)
    assert "<h2>Model (a # b, 4-bit)</h2>" in as_html(whole)


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


TEXTS = ('a "quoted", one', "two\nlines", "", " 🌊")


def recorded(journal: Journal, observe: int = 2) -> WholeRun:
    begun = builders.start(1000.0, builders.request(observe=observe))
    _, _, run = builders.answered(journal, texts=TEXTS, begun=begun)
    whole = journal.runs.whole(run)
    assert whole is not None
    assert (whole.tokens[0].observed is not None) is bool(observe)
    return whole


def number(text: str) -> float | None:
    return float(text) if text else None


def facts(token: TokenRecord, before: TokenRecord | None) -> dict[str, Any]:
    """What is to be said of a token, put together from the record alone."""
    seen = token.observed
    known: dict[str, Any] = {
        "place": token.index,
        "id": token.id,
        "text": token.text,
        "origin": "draft" if token.from_draft else "model",
        "seconds": token.at,
        "gap": None if before is None else token.at - before.at,
    }
    if seen is None:
        return known | dict.fromkeys(COLUMNS[6:])
    return known | {
        "probability": math.exp(seen.chosen.logprob),
        "logprob": seen.chosen.logprob,
        "raw_logit": seen.chosen.raw_logit,
        "rank": seen.rank,
        "entropy_bits": seen.entropy / math.log(2),
        "end_probability": seen.eos_probability,
        "rest": seen.rest,
        "drawn": seen.drawn.own if seen.drawn is not None else None,
    }


@pytest.mark.parametrize("observe", [0, 2])
def test_tokens_json_has_every_number(journal: Journal, observe: int) -> None:
    whole = recorded(journal, observe)
    said = json.loads(tokens_json(whole))
    assert (said["format"], said["version"], said["model"], said["seed"]) == ("sluice tokens", 1, "demo", 7)
    assert (said["prompt_tokens"], said["reason"], said["started"]) == (3, "stop", whole.run.started)
    assert said["units"] == UNITS
    assert len(said["tokens"]) == len(TEXTS)
    befores = (None, *whole.tokens)
    for token, before, told in zip(whole.tokens, befores, said["tokens"], strict=False):
        top = token.observed.top if token.observed is not None else ()
        assert told.pop("top") == [
            {
                "id": each.id,
                "text": each.text,
                "probability": math.exp(each.logprob),
                "logprob": each.logprob,
                "raw_logit": each.raw_logit,
            }
            for each in top
        ]
        assert told == facts(token, before)


@pytest.mark.parametrize("observe", [0, 2])
def test_tokens_csv_has_every_number(journal: Journal, observe: int) -> None:
    whole = recorded(journal, observe)
    found = table(tokens_csv(whole))
    assert len(found) == len(TEXTS)
    for token, before, row in zip(whole.tokens, (None, *whole.tokens), found, strict=False):
        told = facts(token, before)
        assert (row["text"], row["origin"]) == (told["text"], told["origin"])
        for name in set(COLUMNS) - {"text", "origin"}:
            assert number(row[name]) == told[name], name
        top = token.observed.top if token.observed is not None else ()
        for position, each in enumerate(top, start=1):
            assert (int(row[f"top{position}_id"]), row[f"top{position}_text"]) == (each.id, each.text)
            assert float(row[f"top{position}_logprob"]) == each.logprob
            assert float(row[f"top{position}_probability"]) == math.exp(each.logprob)
    assert "top3_id" not in found[0]


def test_tokens_json_infinite_values_are_null(journal: Journal) -> None:
    whole = recorded(journal)
    impossible = Alternative(9, "x", -math.inf, -math.inf)
    strange = TokenLogprobs(impossible, 900, (impossible,), 0.0, 0.0, 1.0)
    told = json.loads(tokens_json(WholeRun(whole.run, (replace(whole.tokens[0], observed=strange),))))["tokens"][0]
    assert (told["probability"], told["logprob"], told["top"][0]["raw_logit"]) == (0.0, None, None)


def test_tokens_json_without_tokens_has_a_head(journal: Journal) -> None:
    whole = WholeRun(recorded(journal).run, ())
    assert json.loads(tokens_json(whole))["tokens"] == []
    assert tokens_csv(whole) == ",".join((*COLUMNS, "precision")) + "\r\n"


def test_tokens_export_has_the_precision(journal: Journal) -> None:
    whole = recorded(journal)
    assert whole.run.finish is not None
    half = replace(whole, run=replace(whole.run, finish=replace(whole.run.finish, precision="bfloat16")))
    assert json.loads(tokens_json(half))["precision"] == "bfloat16"
    assert {row["precision"] for row in table(tokens_csv(half))} == {"bfloat16"}


def test_tokens_json_has_inspection_results(journal: Journal) -> None:
    whole, looks = recorded(journal), InspectionResults()
    for share in (0.5, 0.25):
        looks.at(whole.run.id)["states"] = {"position": 3, "share": share}
    looks.at(whole.run.id)["layers"] = {"position": 4}
    told = json.loads(tokens_json(whole, looks.of(whole.run.id)))
    assert told["inside"] == [{"look": "states", "position": 3, "share": 0.25}, {"look": "layers", "position": 4}]
    assert "inside" not in json.loads(tokens_json(whole, looks.of(whole.run.id + 1)))
    for run in range(1000, 1000 + MOST_RUNS):
        looks.at(run)["layers"] = {}
    assert not looks.of(whole.run.id), "the oldest are let go"
