from pathlib import Path

import pytest
from PySide6.QtWidgets import QSpinBox, QTableView
from pytestqt.qtbot import QtBot

from app.evaluation.types import EvaluationAnswer
from app.i18n import tr
from app.ui.evaluation.window import HISTORY, RESULTS
from tests.journeys.journey import Journey, started
from tests.ui.desk import named
from tests.ui.evaluation.room import Room

pytestmark = [pytest.mark.in_korean, pytest.mark.slow]
ROWS = 16
BEFORE = 3
"""So many answers are there when the program is left."""


def asked(user: Journey, file: Path) -> list[EvaluationAnswer]:
    """Two variants, one row after another; what had been answered when the window was closed."""
    room = Room(user.qtbot, user.window)
    room.take(file)
    room.add("sampling.temperature", "1.5")
    assert len(room.variants) == 2
    named(room.view, QSpinBox, "sets_together").setValue(1)
    answers: list[EvaluationAnswer] = []
    user.window.playground.evaluation_runner.answered.connect(answers.extend)
    room.button("sets_start").click()
    room.until(lambda: len(answers) >= BEFORE)
    assert room.view.foot.is_running
    return answers


def test_evaluation_closed_midway_is_resumed_after_a_restart(qtbot: QtBot, demo_model: Path, tmp_path: Path) -> None:
    file, data = tmp_path / "sums.csv", tmp_path / "data"
    lines = (f"{number} + {number % 4} =,{number + number % 4}" for number in range(ROWS))
    file.write_text("\n".join(["prompt,expected", *lines, ""]), "utf-8")
    with started(qtbot, data) as user:
        user.cold()
        user.limit(12)
        before = {each.key: each.run for each in asked(user, file)}
    file.unlink()
    with started(qtbot, data) as user:
        room = Room(qtbot, user.window)
        room.view.tabs.setCurrentIndex(HISTORY)
        room.until(lambda: bool(room.cells("sets_studies")))
        named(room.view, QTableView, "sets_studies").selectRow(0)
        room.button("sets_study_open").click()
        room.until(lambda: bool(room.label("sets_verdict")))
        assert room.view.tabs.currentIndex() == RESULTS and len(room.variants) == 2
        assert room.button("sets_start").text() == tr("Resume")
        whole = room.run()
        assert not whole.stopped and len(whole.answers) == 2 * ROWS
        assert before.items() <= {each.key: each.run for each in whole.answers}.items(), "nothing was asked twice"
        room.until(lambda: room.button("sets_start").text() == tr("Rerun"))
        room.until(lambda: [row[3] for row in room.cells("sets_rates")] == [str(ROWS)] * 2)
        room.view.tabs.setCurrentIndex(HISTORY)
        told = tr("{done} of {total}").format(done=2 * ROWS, total=2 * ROWS)
        room.until(lambda: [row[2] for row in room.cells("sets_studies")] == [told])
        named(room.view, QTableView, "sets_studies").selectRow(0)
        room.button("sets_study_delete").click()
        room.until(lambda: not room.cells("sets_studies"))
