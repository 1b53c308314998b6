"""Columns that the user names become prompt, choices and expected answer."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.engine.types import Failure
from app.evaluation.choice_columns import AnswerForm, ChoiceColumns, suggested_columns, with_choices
from app.evaluation.reading import open_set
from app.evaluation.templates import choices_of, expected_of
from app.evaluation.types import PromptSet

LETTERS: dict[str, object] = {"q": "Who barks?", "A": "cat", "B": "dog", "C": "", "answer": "b"}
LISTED = {"text": "Who barks?", "options": ["cat", "dog"], "gold": 1}


def read(folder: Path, rows: Sequence[dict[str, object]]) -> PromptSet:
    file = folder / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = open_set(file)
    assert isinstance(found, PromptSet)
    return found


@pytest.mark.parametrize(
    ("row", "columns"),
    [
        (LETTERS, ChoiceColumns("q", ("A", "B", "C"), "answer", AnswerForm.LETTER)),
        (LISTED, ChoiceColumns("text", ("options",), "gold", AnswerForm.INDEX)),
        (LISTED | {"gold": 2}, ChoiceColumns("text", ("options",), "gold", AnswerForm.NUMBER)),
        (
            {"question": "Who barks?", "choices": {"text": ["cat", "dog"], "label": ["1", "2"]}, "answer": "dog"},
            ChoiceColumns("question", ("choices",), "answer", AnswerForm.TEXT),
        ),
        (
            {"query": "Who barks?", "option1": "cat", "option2": "dog", "label": "2"},
            ChoiceColumns("query", ("option1", "option2"), "label", AnswerForm.NUMBER),
        ),
    ],
)
def test_choices_come_from_the_suggested_columns(
    tmp_path: Path, row: dict[str, object], columns: ChoiceColumns
) -> None:
    prompts = read(tmp_path, [row | {"id": "x1"}])
    assert suggested_columns(prompts) == columns
    found = with_choices(prompts, columns)
    assert isinstance(found, PromptSet) and found.digest != prompts.digest
    assert [columns.form.words in note for note in found.notes] == [True] * (columns.form is AnswerForm.INDEX)
    values = found.values(0)
    assert (values["prompt"], choices_of(values), values["id"]) == ("Who barks?", ("cat", "dog"), "x1")
    assert expected_of(found.template, values) == "dog"


@pytest.mark.parametrize(
    "columns",
    [
        ChoiceColumns("q", ("A",), "answer", AnswerForm.LETTER),
        ChoiceColumns("q", ("A", "C", "B"), "answer", AnswerForm.LETTER),
        ChoiceColumns("q", ("A", "B"), "answer", AnswerForm.INDEX),
        ChoiceColumns("q", ("A", "B"), "q", AnswerForm.TEXT),
        ChoiceColumns("q", (), "answer", AnswerForm.LETTER),
    ],
)
def test_choices_that_a_row_does_not_give_name_the_row(tmp_path: Path, columns: ChoiceColumns) -> None:
    found = with_choices(read(tmp_path, [LETTERS]), columns)
    assert isinstance(found, Failure) and found.what.startswith("Row 1: ")
