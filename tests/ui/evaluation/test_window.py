"""A whole evaluation in the real window on the bundled model."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTabWidget
from pytestqt.qtbot import QtBot

from app.evaluation.types import CheckKind, EvaluationOutcome
from app.ui.evaluation.results_page import BlindPage
from app.ui.evaluation.rows import RowsTable
from tests.journeys.journey import Journey, journey
from tests.ui.desk import named
from tests.ui.evaluation.room import Room
from tests.ui.file_dialogs import answer

pytestmark = pytest.mark.slow
SUMS = Path(__file__).parents[3] / "resources" / "sets" / "sums.jsonl"
STORIES = tuple(f"Tell me a story about a {animal}." for animal in ("fox", "cat", "dog", "hen"))
"""At another temperature these are told otherwise, while sums stay what they are."""
ROWS = 4 + len(STORIES)
ANSWERS, BLIND = 1, 2


@pytest.fixture
def demo(qtbot: QtBot, demo_model: Path, tmp_path: Path) -> Iterator[Journey]:
    """A first start on the bundled model, answers short and the same each time."""
    with journey(qtbot, ["--data-dir", str(tmp_path / "data")]) as made:
        made.until_ready()
        made.cold()
        made.limit(12)
        yield made


@pytest.fixture
def room(demo: Journey, tmp_path: Path) -> Room:
    """A few of the sums, and stories, for two variants."""
    stories = [json.dumps({"prompt": each, "expected": 3}) for each in STORIES]
    room = Room(demo.qtbot, demo.window)
    room.take(tmp_path / "few.jsonl", "\n".join([*SUMS.read_text("utf-8").splitlines()[:4], *stories]))
    room.add("sampling.temperature", "1.5")
    assert [row[2] for row in room.variants][1:] == ["temperature 1.5"]
    return room


def read(room: Room) -> None:
    """The first row's answers of both variants stand side by side, with their diff."""
    named(room.view, QTabWidget, "sets_result_tabs").setCurrentIndex(ANSWERS)
    table = named(room.view, RowsTable, "sets_answers")
    room.until(lambda: table.row is not None)
    table.setCurrentIndex(table.model().index(0, 0))
    outcome = room.outcomes[-1]
    assert isinstance(outcome, EvaluationOutcome)
    texts = {each.key.arm: each.text for each in outcome.answers if each.key.row == table.row}
    assert [room.text("sets_text_0"), room.text("sets_text_1")] == [texts[0], texts[1]]
    assert texts[0] != texts[1], "rows in which they differ come first"
    room.until(lambda: bool(room.label("sets_diff_told")))


def vote(room: Room) -> None:
    """By the keys alone."""

    def voted(count: int) -> bool:
        return room.label("sets_blind_progress").startswith(f"{count} vote")

    named(room.view, QTabWidget, "sets_result_tabs").setCurrentIndex(BLIND)
    page = named(room.view, BlindPage, "sets_blind")
    page.setFocus()
    for count, key in enumerate((Qt.Key.Key_Left, Qt.Key.Key_Equal, Qt.Key.Key_Right), 1):
        room.until(room.button("sets_blind_left").isVisible)
        QTest.keyClick(page, key)
        room.until(partial(voted, count))
    assert room.label("sets_blind_result") == "", "the variants are hidden"
    room.button("sets_blind_reveal").click()
    assert "temperature 1.5" in room.label("sets_blind_result")


def saved(room: Room, path: Path) -> str:
    room.button("sets_export").click()
    answer(room.window, path)
    room.until(path.exists)
    return path.read_text("utf-8")


def test_evaluation_of_two_variants_is_run_read_judged_and_saved(room: Room, tmp_path: Path) -> None:
    outcome = room.run()
    assert (len(outcome.answers), outcome.stopped, outcome.why) == (2 * ROWS, False, "")
    assert outcome.study.check.kind is CheckKind.NUMBER
    room.until(lambda: bool(room.label("sets_verdict")) and not room.label("sets_verdict").startswith("Interim"))
    right = [sum(bool(each.right) for each in outcome.answers if each.key.arm == arm) for arm in range(2)]
    rates = room.cells("sets_rates")
    assert [row[0] for row in rates] == ["temperature 0", "temperature 1.5"]
    assert [float(row[4]) for row in rates] == right
    assert len(room.cells("sets_pairs")) == 1

    read(room)
    vote(room)

    assert len(saved(room, tmp_path / "a.csv").splitlines()) == 1 + 2 * ROWS
    lines = saved(room, tmp_path / "a.jsonl").splitlines()
    assert len([json.loads(line) for line in lines]) >= 2 * ROWS
    assert "temperature 1.5" in saved(room, tmp_path / "a.md")
    assert saved(room, tmp_path / "a.html").lower().startswith("<!doctype html>")
