"""A known test in the window: likeliest choices beside generated answers, examples, calibration."""

import json
from dataclasses import replace
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QTabWidget, QWidget

from app.engine.types import ChoiceScore
from app.evaluation.types import CheckKind
from app.ui.evaluation.results_page import summarize, whole
from tests.ui.desk import named
from tests.ui.evaluation.room import Room

ROWS = 24


def open_quiz(room: Room, folder: Path) -> None:
    rows = [
        {"question": f"Which is {at}?", "subject": "made up", "choices": [str(at), "x", "y", "z"], "answer": at % 4}
        for at in range(ROWS)
    ]
    for name, part in (("quiz", rows), ("dev", [row | {"question": "Which?"} for row in rows[:5]])):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in part), "utf-8")
    room.take(folder / "quiz.jsonl")


def test_known_test_is_scored_generated_and_calibrated(room: Room, tmp_path: Path) -> None:
    open_quiz(room, tmp_path)
    assert "MMLU" in room.label("sets_notes") and "{prompt}" in room.text("sets_prompt")
    assert named(room.view, QComboBox, "sets_check").currentData() == CheckKind.LIKELIHOOD
    assert "nothing is generated" in room.label("sets_foreseen")
    for count in (3, 2):  # the second ones replace the first
        room.view.opener.add_examples(count, None, tmp_path / "dev.jsonl")
        room.until(lambda count=count: f"{count} examples from dev.jsonl" in room.label("sets_notes"))  # type: ignore[misc]
    room.until(lambda: room.text("sets_preview").count("Which?") == 2)
    assert room.label("sets_trouble") == "", "the note above the rows has the examples"
    room.button("sets_command").click()
    room.until(lambda: f"--shots=2 --shots-from={tmp_path / 'dev.jsonl'}" in QGuiApplication.clipboard().text())
    room.button("sets_generated").click()
    assert [row[0] for row in room.variants] == ["likeliest choice", "generated answer"]
    outcome = room.run()
    assert [len(each.scores) for each in outcome.answers] == [4] * ROWS + [0] * ROWS
    examples = outcome.study.template.examples
    assert examples is not None and examples.count == 2
    tabs = named(room.view, QTabWidget, "sets_result_tabs")
    page = room.view.results.calibration
    room.until(lambda: tabs.isTabVisible(tabs.indexOf(page)) and bool(room.cells("sets_calibration_1")))
    room.view.results.show_result(summarize(outcome, False), False)
    assert not tabs.isTabVisible(tabs.indexOf(page)), "an interim result has no calibration yet"
    broken = replace(outcome.answers[0], scores=(ChoiceScore("a", float("nan"), 1),))
    assert whole((broken,)) == broken.text
    assert [row[1] for row in room.cells("sets_calibration_0")] == [
        "log-likelihood",
        "log-likelihood per character",
        "log-likelihood per byte",
    ]
    assert named(room.view, QWidget, "sets_reliability").accessibleDescription().count("rows") >= 1
    named(room.view, QDoubleSpinBox, "sets_confidence").setValue(0)
    assert room.label("sets_accuracy").startswith(f"{ROWS} rows have at least this confidence (100 %)")
