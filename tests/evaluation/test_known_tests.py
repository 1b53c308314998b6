"""Known tests are recognized in the formats in which they are distributed; the rows here are made up."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.types import Failure, RawPrompt
from app.evaluation.checks import suggested
from app.evaluation.known_tests import examples_from, open_test
from app.evaluation.templates import choices_of, expected_of, prompt_of
from app.evaluation.types import CheckKind, FewShotExamples, PromptSet

ARC = {"id": "x", "answerKey": "2"}
STEM = {"stem": "Who barks?", "choices": [{"text": "cat", "label": "1"}, {"text": "dog", "label": "2"}]}
SWAG = {
    "activity_label": "Rowing",
    "ctx_a": "A man [header] sits in a boat.",
    "ctx_b": "he",
    "endings": ["rows.", "flies [step] away.", "sings.", "eats."],
    "label": 1,
}
ABOUT_SUMS = "The following are multiple choice questions (with answers) about small sums.\n\n"
GOAL = {"goal": "Dry a towel", "sol1": "Hang it up.", "sol2": "Put it in water."}
FILES = {
    "ARC": ("jsonl", [ARC | {"question": STEM}], "Question: Who barks?\nAnswer:", ["cat", "dog"], "dog"),
    "ARC of the hub": (
        "jsonl",
        [ARC | {"question": "Who barks?", "choices": {"text": ["cat", "dog"], "label": ["1", "2"]}}],
        "Question: Who barks?\nAnswer:",
        ["cat", "dog"],
        "dog",
    ),
    "HellaSwag": (
        "jsonl",
        [SWAG],
        "Rowing: A man sits in a boat. He",
        ["rows.", "flies away.", "sings.", "eats."],
        "flies away.",
    ),
    "PIQA": (
        "jsonl",
        [GOAL | {"label": 0}],
        "Question: Dry a towel\nAnswer:",
        [GOAL["sol1"], GOAL["sol2"]],
        GOAL["sol1"],
    ),
    "BoolQ": (
        "jsonl",
        [{"question": "is ice cold", "title": "Ice", "answer": True, "passage": "Ice is cold."}],
        "Ice -- Ice is cold.\nQuestion: is ice cold?\nAnswer:",
        ["no", "yes"],
        "yes",
    ),
    "BoolQ of the hub": (
        "jsonl",
        [{"question": "is ice cold", "passage": "Ice -- Ice is cold.", "idx": 0, "label": 1}],
        "Ice -- Ice is cold.\nQuestion: is ice cold?\nAnswer:",
        ["no", "yes"],
        "yes",
    ),
    "MMLU of the hub": (
        "jsonl",
        [{"question": "1 + 1?", "subject": "small_sums", "choices": ["1", "2", "3", "4"], "answer": 1}],
        f"{ABOUT_SUMS}1 + 1?\nA. 1\nB. 2\nC. 3\nD. 4\nAnswer:",
        ["A", "B", "C", "D"],
        "B",
    ),
    "MMLU": (
        "csv",
        "1 + 1?,1,2,3,2,B\n2 + 2?,1,2,3,4,D\n",
        "1 + 1?\nA. 1\nB. 2\nC. 3\nD. 2\nAnswer:",
        list("ABCD"),
        "B",
    ),
    "WinoGrande": (
        "jsonl",
        [{"qID": "q", "sentence": "Ann met Sue, so _ was glad.", "option1": "Ann", "option2": "Sue", "answer": "2"}],
        "Ann met Sue, so ",
        ["Ann", "Sue"],
        "Sue",
    ),
    "GSM8K": (
        "jsonl",
        [{"question": "Two and two?", "answer": "2 + 2 = <<2+2=4>>4\n#### 4"}],
        "Question: Two and two?\nAnswer:",
        [],
        "4",
    ),
}


def write(folder: Path, content: object, suffix: str, name: str = "test") -> Path:
    file = folder / f"{name}.{suffix}"
    text = content if isinstance(content, str) else "".join(json.dumps(row) + "\n" for row in content)  # type: ignore[attr-defined]
    file.write_text(text, "utf-8")
    return file


def read(file: Path) -> PromptSet:
    found = open_test(file)
    assert not isinstance(found, Failure), found
    return found[0]


@pytest.mark.parametrize("name", FILES)
def test_known_test_becomes_prompt_choices_and_expected(tmp_path: Path, name: str) -> None:
    suffix, content, prompt, choices, expected = FILES[name]
    opened = open_test(write(tmp_path, content, suffix))
    assert not isinstance(opened, Failure)
    found, check = opened
    values = found.values(0)
    assert prompt_of(found.template, values) == RawPrompt(prompt)
    assert (list(choices_of(values)), expected_of(found.template, values)) == (choices, expected)
    assert name.split()[0] in found.notes[0] and found.template.raw
    assert check is not None and check.kind is (CheckKind.LIKELIHOOD if choices else CheckKind.NUMBER)
    assert values.get("continuation", "") == ("was glad." if name == "WinoGrande" else "")


def test_known_test_takes_labels_of_piqa_from_the_second_file(tmp_path: Path) -> None:
    file = write(tmp_path, [GOAL, GOAL], "jsonl", "valid")
    assert read(file).columns == ("goal", "sol1", "sol2")
    (tmp_path / "valid-labels.lst").write_text("1\n0\n")
    assert [row[2] for row in read(file).rows] == [GOAL["sol2"], GOAL["sol1"]]


def test_known_test_takes_the_subject_of_mmlu_from_the_name_of_the_file(tmp_path: Path) -> None:
    row = "1 + 1?,1,2,3,4,B\n"
    assert "no subject" in read(write(tmp_path, row, "csv", "sums")).notes[1]
    found = read(write(tmp_path, row, "csv", "small_sums_test"))
    assert found.values(0)["description"] == ABOUT_SUMS and len(found.notes) == 1


@pytest.mark.parametrize("label", ["9", "-1", "x", None, [1]])
def test_known_test_with_a_wrong_row_stays_a_table_with_a_note(tmp_path: Path, label: object) -> None:
    found = open_test(write(tmp_path, [SWAG, SWAG | {"label": label}], "jsonl"))
    assert not isinstance(found, Failure) and found[1] is None
    assert "ctx_a" in found[0].columns and "Row 2" in found[0].notes[0]


def test_ordinary_set_is_not_taken_for_a_known_test(tmp_path: Path) -> None:
    found = read(write(tmp_path, [{"question": "2 + 2?", "answer": "4"}], "jsonl"))
    assert found.columns == ("question", "answer") and suggested(found).kind is CheckKind.NUMBER
    headed = read(write(tmp_path, "id,answer,A,B,C,D\n1,B,one,two,three,four\n", "csv"))
    assert headed.columns == ("id", "answer", "A", "B", "C", "D") and len(headed.rows) == 1


def test_examples_precede_each_prompt_and_are_drawn_by_the_seed(tmp_path: Path) -> None:
    made = [{"question": f"{at} {{x}}?", "subject": "s", "choices": list("abcd"), "answer": 2} for at in range(30)]
    found = read(write(tmp_path, made[:2], "jsonl"))
    shots = write(tmp_path, made, "jsonl", "dev")
    first = examples_from(shots, found, 2, None)
    assert isinstance(first, FewShotExamples)
    prompt = prompt_of(replace(found.template, examples=first), found.values(0))
    assert isinstance(prompt, RawPrompt)
    lines = [line for line in prompt.text.splitlines() if "?" in line or "about" in line]
    assert lines == [
        "The following are multiple choice questions (with answers) about s.",
        "2 {x}?",
        "3 {x}?",
        "0 {x}?",
    ], "own rows are left out"
    assert "Answer: C\n\n" in prompt.text and prompt.text.endswith("Answer:")
    assert "dev.jsonl" in first.note
    drawn = [examples_from(shots, found, 5, seed) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert isinstance(examples_from(shots, found, 29, None), Failure)
    assert isinstance(examples_from(tmp_path / "none.csv", found, 2, None), Failure)


def test_examples_of_gsm8k_have_the_whole_solution(tmp_path: Path) -> None:
    rows = [{"question": f"{at} and 2?", "answer": f"It is so.\n#### {at + 2}"} for at in range(3)]
    found = read(write(tmp_path, rows[:1], "jsonl"))
    made = examples_from(write(tmp_path, rows, "jsonl", "train"), found, 1, None)
    assert isinstance(made, FewShotExamples)
    assert made.text == "Question: 1 and 2?\nAnswer: It is so.\n#### 3\n\n"
