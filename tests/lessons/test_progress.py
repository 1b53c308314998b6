"""Texts with a student's figures, progress files, and the sheet of a class."""

import csv
import io
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from app.engine.types import Failure, Token
from app.lessons.figures import RUN_FIGURES, MeasuredRun, evaluate, matches
from app.lessons.progress import class_sheet, read_progress, write_progress
from app.lessons.reading import parse_lesson
from app.lessons.texts import LessonTexts, card_words
from app.lessons.types import AnswerKind, LessonPrediction, LessonProgress, Value
from app.state import Run

LESSON = parse_lesson(
    """# Title

## Guess
step: predict
id: guess
answer: choice
compare: one.reason
option: stop | It ends
option: length | It is cut

## Words
step: predict
id: why

## Run
step: run
id: one
prompt: Hello

## Explanation
step: text

[one.tokens = 20..] Long: {one.tokens}, {one.speed_mean}, {one.tokens / one.new}, {one.new / one.tokens}.

[one.tokens = ..20] Short.

You wrote {answer.why}. It ended by {one.reason}; {one.hidden}.
""",
    "one",
)
FIGURES: dict[str, Value] = {"one.tokens": 20.0, "one.speed_mean": 43.21, "one.new": 8.0, "one.reason": "length"}


def progress(**words: str) -> LessonProgress:
    found = LessonProgress("one", "Title").measure("demo", FIGURES)
    for step, answer in words.items():
        compare = "one.reason" if step == "guess" else ""
        found = found.predict(LessonPrediction(step, f"{step}?", answer, compare))
    return found


def test_text_has_the_figures_and_escapes_answers() -> None:
    texts = LessonTexts(LESSON, progress(why="*stars* <b>"))
    first, second = texts.body(LESSON.steps[-1])
    assert first == "Long: 20, 43.2\u00a0tok/\u2060s, 2.50\u00a0×, 40\u00a0%.", "no line break in a unit"
    assert second.startswith(r"You wrote \*stars\* \<b>. It ended by length;")
    assert second.endswith("; –.")
    assert LessonTexts(LESSON, progress()).body(LESSON.steps[-1]) == (first,), "without the answer"


def test_paragraphs_without_their_figures_are_replaced_by_the_step_to_run() -> None:
    texts = LessonTexts(LESSON, LessonProgress("one"))
    assert texts.body(LESSON.steps[-1]) == (
        "This step needs figures of step 3. Run it first, or wait until it has ended.",
    )


@pytest.mark.parametrize(("answer", "is_right"), [("length", True), ("stop", False)])
def test_choice_is_right_if_the_figure_says_so(answer: str, is_right: bool) -> None:
    texts = LessonTexts(LESSON, progress(guess=answer))
    assert texts.is_right(LESSON.steps[0]) is is_right
    assert texts.measured(LESSON.steps[0]) == "It is cut"
    assert texts.predictions_about(LESSON.steps[2]) == (LESSON.steps[0],)
    assert LessonTexts(LESSON, LessonProgress("one")).is_right(LESSON.steps[0]) is None


def test_number_has_the_measurement_as_a_multiple_of_the_prediction() -> None:
    step = replace(LESSON.steps[0], answer=AnswerKind.NUMBER, compare="one.tokens", options=())
    lesson = replace(LESSON, steps=(step, *LESSON.steps[1:]))
    for answer, shown in (("16", "1.25 ×"), ("0", None), ("many", None)):
        ((_, rows),) = LessonTexts(lesson, progress(guess=answer)).results_about(LESSON.steps[2])
        assert dict(rows).get("Measured ÷ predicted") == shown


def test_largest_rise_compares_later_blocks_with_earlier_ones() -> None:
    gaps = [1] * 20 + [4] * 20 + [2] * 20
    tokens = [SimpleNamespace(at=float(at)) for at in accumulate(gaps, initial=0)]
    found = RUN_FIGURES["rise"].of(MeasuredRun(cast("Run", None), cast("list[Token]", tokens)), 0)
    assert found == 2.0


def test_range_includes_its_lower_bound_only() -> None:
    assert [matches(value, "0.95..1.05") for value in (0.94, 0.95, 1.05)] == [False, True, False]
    assert matches(-1.0, "..0") and matches(3.0, "1..") and not matches(None, "..")
    assert not matches("stop", "..1")


def test_ratio_without_a_figure_or_by_zero_is_none() -> None:
    assert evaluate("one.tokens / one.new", FIGURES) == 2.5
    assert evaluate("one.tokens / one.new : one.new / one.tokens", FIGURES) == 6.25
    assert evaluate("one.tokens / one.new : one.new / one.other", FIGURES) is None
    assert evaluate("one.tokens / one.other", FIGURES) is None
    assert evaluate("one.tokens / one.reason", FIGURES) is None
    assert evaluate("one.tokens / one.zero", FIGURES | {"one.zero": 0.0}) is None


def test_progress_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = progress(guess="stop", why="그래서 “그렇다”")
    write_progress(tmp_path / "lessons", made)
    assert read_progress(tmp_path / "lessons" / "one.json") == made


@pytest.mark.parametrize("content", ["", "[]", '{"lesson": 1}', '{"lesson": "a", "figures": [["a"]]}', "[" * 100_000])
def test_damaged_progress_is_a_failure(content: str, tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(content)
    assert isinstance(read_progress(tmp_path / "one.json"), Failure)


def test_choice_with_a_disturbed_measurement_is_not_judged() -> None:
    lesson = parse_lesson(
        """# Title

## Guess
step: predict
id: guess
answer: choice
compare: one.speed_to@9 / one.speed_to@2 : one.generation_tps@9 / one.generation_tps@2
judge: one.speed_mean = ..50
option: ..1 | It falls
option: 1.. | It grows

## Run
step: run
id: one
prompt: Hello
""",
        "one",
    )
    speeds = {"one.speed_to@2": 4.0, "one.speed_to@9": 6.0, "one.generation_tps@2": 8.0, "one.generation_tps@9": 8.0}
    made = LessonProgress("one").predict(LessonPrediction("guess", "?", "1..")).measure("demo", speeds)
    verdicts = []
    for speed in (49.0, 50.0):
        texts = LessonTexts(lesson, made.measure("demo", speeds | {"one.speed_mean": speed}))
        assert texts.measured(lesson.steps[0]) == "It grows (1.50 ×)"
        verdicts.append(texts.progress_with_results().predictions[0].result)
    assert verdicts == ["Correct", "Not judged: the measurement was disturbed. Run it again, or continue."]


@pytest.mark.parametrize(("second", "is_right"), [("length", True), ("stop", None)])
def test_choice_is_judged_only_if_all_rounds_agree(second: str, is_right: bool | None) -> None:
    rounds = {"one.reason@1": "length", "one.reason@2": second}
    assert (
        LessonTexts(LESSON, progress(guess="length").measure("demo", FIGURES | rounds)).is_right(LESSON.steps[0])
        is is_right
    )


def test_figures_of_an_earlier_run_of_the_step_are_dropped() -> None:
    made = progress().measure("demo", {"one.stop_latency": 0.04, "two.tokens": 3}).measure("demo", {"one.tokens": 5})
    assert made.values == {"two.tokens": 3, "one.tokens": 5}


def test_figures_of_another_model_are_dropped() -> None:
    made = progress().measure("other", {"one.new": 3.0})
    assert (made.model, made.values) == ("other", {"one.new": 3.0})
    assert made.measured_steps == {"one"} and not made.of_model("demo").measured_steps


def test_lesson_is_done_only_with_all_of_its_runs() -> None:
    seen = replace(LessonProgress("one"), is_done=True)
    assert card_words(LESSON, seen) == ("Again", "0 of 1 runs")
    assert card_words(LESSON, replace(seen, step=1)) == ("Continue", "Step 2 of 4")
    assert card_words(LESSON, replace(progress(), is_done=True)) == ("Again", "Done")


def test_class_sheet_has_a_row_for_each_prediction_and_figure(tmp_path: Path) -> None:
    write_progress(tmp_path, progress(guess="stop", why="=1+1"))
    (tmp_path / "one.json").rename(tmp_path / "ann.json")
    write_progress(tmp_path / "ben", progress(guess="length"))
    sheet = class_sheet(tmp_path)
    assert isinstance(sheet, str)
    rows = list(csv.DictReader(io.StringIO(sheet)))
    assert [row["student"] for row in rows if row["step"] == "guess"] == ["ann", "ben"]
    guess, why, *figures = (row for row in rows if row["student"] == "ann")
    assert (guess["prediction"], guess["measured"], guess["question"]) == ("stop", "length", "guess?")
    assert why["prediction"] == "'=1+1", "a spreadsheet would run it"
    assert {row["figure"]: row["measured"] for row in figures}["one.tokens"] == "20.0"


def test_class_sheet_without_files_or_with_a_damaged_one_is_a_failure(tmp_path: Path) -> None:
    assert isinstance(class_sheet(tmp_path), Failure)
    (tmp_path / "one.json").write_text("{")
    failure = class_sheet(tmp_path)
    assert isinstance(failure, Failure) and "one.json" in failure.what
