"""The exports of a study are complete, and text from a model or a file is no markup in them."""

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from app.evaluation.export import HTML_ROWS, as_csv, as_html, as_json, as_jsonl, as_markdown
from app.evaluation.types import FewShotExamples, Preference
from app.evaluation.verdict import verdict
from tests.evaluation.builders import nasty, outcome, voted


def test_json_export_of_two_variants_has_rates_pairs_and_answers() -> None:
    made = outcome("++-", "+--")
    said = json.loads(as_json(made))
    assert said["rows"] == 3 and said["complete"] and said["sentences"] == list(verdict(made).sentences)
    (first, _), (pair,) = said["arms"], said["pairs"]
    assert (first["name"], first["n"], first["right"]) == ("A", 3, 2) and first["low"] < first["rate"] < first["high"]
    assert (pair["first"], pair["second"], pair["n"], pair["chance"]) == ("A", "B", 3, 1.0)
    assert pair["low"] < pair["difference"] < pair["high"]
    assert [(each["row"], each["arm"], each["right"]) for each in said["answers"][:3]] == [
        (1, "A", True),
        (1, "B", True),
        (2, "A", True),
    ]
    assert said["answers"][0]["values"] == {"prompt": "0 + 1", "expected": "1"}


def test_json_export_of_a_variant_without_answers_has_no_rate() -> None:
    (_, none) = json.loads(as_json(outcome("+-", "  ")))["arms"]
    assert (none["n"], none["rate"], none["low"]) == (0, None, None)


def test_json_export_of_a_stopped_evaluation_is_incomplete() -> None:
    made = outcome("+-")
    for broken in (replace(made, stopped=True), replace(made, why="The model is gone.")):
        assert json.loads(as_json(broken))["complete"] is False


def test_json_export_of_votes_has_the_variant_names() -> None:
    (vote,) = json.loads(as_json(voted([Preference.LEFT])))["votes"]
    assert vote == {"first": "A", "second": "B", "row": 0, "preference": "left", "blind": True}


def test_jsonl_and_csv_exports_have_a_line_for_each_answer() -> None:
    made = outcome("+-", "- ")
    lines = [json.loads(line) for line in as_jsonl(made).splitlines()]
    table = list(csv.DictReader(io.StringIO(as_csv(made), newline="")))
    for rows in (lines, table):
        assert [(int(each["row"]), each["arm"]) for each in rows] == [(1, "A"), (1, "B"), (2, "A")]
    assert [each["text"] for each in table] == ["yes", "no, 1", "no, 0"] and table[0]["prompt"] == "0 + 1"


def test_exports_have_the_notes_of_the_few_shot_examples() -> None:
    made = outcome("+-")
    template = replace(made.study.template, examples=FewShotExamples("", 2, "dev.jsonl"))
    made = replace(made, study=replace(made.study, template=template))
    assert all("2 examples from dev.jsonl" in write(made) for write in (as_json, as_markdown, as_html))


def test_csv_export_of_formulas_escapes_them() -> None:
    cells = [cell for row in csv.reader(io.StringIO(as_csv(nasty(outcome("+-", "-+"))), newline="")) for cell in row]
    assert not [cell for cell in cells if cell.startswith("=")]
    assert "'=cmd" in cells and "-1" in cells


def test_exports_of_unpaired_surrogates_have_replacement_characters() -> None:
    for write in (as_json, as_jsonl, as_csv, as_markdown):
        assert "\ufffd" in write(nasty(outcome("+-", "-+"))).encode().decode()


def test_markdown_export_has_the_verdict_first_and_escapes_cells() -> None:
    made = as_markdown(outcome("+" * 30 + "-" * 70, "+" * 60 + "-" * 40))
    assert made.startswith("# Sums\n\n**B is better than A by 30 points (95 % CI 21 to 39), 100 pairs.**\n\n- A: 30 %")
    assert "| B minus A | 30.0 | 20.6 to 38.8 | 100 | < 0.0001 |" in made
    before, heading, after = as_markdown(nasty(outcome("+-", "-+"))).partition("## Conditions")
    assert heading and {line.replace("\\|", "").count("|") for line in after.splitlines() if line} == {3}
    assert "| Check | " in after and "| Exported | " in after
    tables = [line for line in before.splitlines() if line.startswith("|")]
    widths = {line.replace("\\|", "").count("|") for line in tables}
    assert widths == {6, 4} and len(tables) == 4 + 3 + 4


VOID = {"meta", "br"}


class Reading(HTMLParser):
    """Which tags there are, that each is closed, and all attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag in VOID or self.open.pop() == tag


@pytest.mark.parametrize("marks", [("+-" * 20, "++" * 20), ("+",), (" ", " "), ("+-", "-+", "++")])
def test_html_export_of_hostile_text_has_no_scripts_and_no_links(marks: tuple[str, ...]) -> None:
    html = as_html(nasty(outcome(*marks)))
    reading = Reading()
    reading.feed(html)
    assert not reading.open
    assert not {"script", "img", "link", "iframe", "a", "use", "image"} & set(reading.tags)
    assert not [name for name, _ in reading.attributes if name.startswith("on") or name in ("href", "src", "style")]
    assert "http:" not in html and "https:" not in html and "url(" not in html and "@import" not in html
    assert "default-src 'none'" in html
    html.encode()


def test_html_export_plots_have_a_zero_difference_in_the_middle() -> None:
    html = as_html(outcome("+" * 50 + "-" * 50))
    low, high, middle = (
        float(each) for each in re.findall(r'd="M([\d.]+) 11.0H([\d.]+)"/><circle class="middle" cx="([\d.]+)', html)[0]
    )
    assert [round((each - 6) / 228, 2) for each in (low, middle, high)] == [0.4, 0.5, 0.6]
    html = as_html(outcome("+" * 50 + "-" * 50, "+" * 50 + "-" * 50))
    assert 'cx="120.0"' in html and "B minus A" in html


def test_html_export_of_different_answers_marks_the_difference() -> None:
    made = outcome("+", "-")
    first, second = made.answers
    told = replace(made, answers=(replace(first, text="it is four"), replace(second, text="it is five")))
    assert "it is <mark>five</mark>" in as_html(told) and "✗" in as_html(told)


def test_html_export_of_many_disagreements_shows_the_first_rows() -> None:
    html = as_html(outcome("+" * 1_000, "-" * 1_000))
    assert html.count("<mark>") == HTML_ROWS and "950 more rows are in the other exports." in html


def test_html_export_of_long_answers_truncates_them() -> None:
    made = outcome("+", "-")
    answers = tuple(replace(each, text="x" * 10**6 + str(each.key.arm)) for each in made.answers)
    assert len(as_html(replace(made, answers=answers))) < 20_000
