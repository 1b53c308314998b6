"""Experiments in the real window, on the bundled models, with the smallest budgets that show something."""

import shlex
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDialog, QLabel, QPlainTextEdit, QPushButton, QSpinBox, QTabWidget

from app.experiments.switches import parse
from app.state import Phase
from tests.journeys.asking import Asking, records
from tests.journeys.journey import Journey


def test_nothing_else_runs_beside_it_and_its_runs_are_a_session(demo: Journey) -> None:
    asking = Asking(demo, "cache")
    asking.set("max_tokens", 24)
    asking.set("repeats", 2)
    asking.press()
    assert demo.state.experiment and not demo.window.playground.send("Hello")
    outcome = asking.finish()
    assert len(outcome.results) == 4 and not demo.state.turns
    assert demo.phases[-2:] == [Phase.PREFILLING, Phase.READY]
    demo.find(QTabWidget, "experiment_tabs").setCurrentIndex(2)
    demo.until(lambda: "are the same" in demo.find(QLabel, "experiment_diff_told").text())
    QTest.mouseClick(demo.find(QPushButton, "experiment_session"), Qt.MouseButton.LeftButton)
    demo.until(lambda: demo.state.title == "Experiment: What does the KV cache buy?")
    assert len(demo.state.turns) == 8


def test_what_had_ended_when_it_was_stopped_is_kept_and_the_next_run_is_free(demo: Journey) -> None:
    asking = Asking(demo, "sweep")
    asking.set("max_tokens", 200)
    asking.set("repeats", 20)
    asking.press()
    told = demo.window.playground.experimenting
    with demo.qtbot.waitSignal(told.taken):
        pass
    asking.press()
    outcome = asking.finish()
    assert outcome.stopped and 1 <= len(outcome.results) < 60
    assert demo.find(QLabel, "experiment_caution").text().startswith("Stopped: ")
    assert len(records(demo, outcome)) >= len(outcome.results)
    assert sum(int(row[1]) for row in asking.figures) == len(outcome.results)
    demo.limit(4)
    assert demo.send("Hello").finish.failure is None


def test_a_run_is_tried_with_another_model_and_its_own_comes_back(demo: Journey, demo_draft: Path) -> None:
    demo.limit(8)
    demo.cold()
    demo.send("Count 1 to 5")
    asking = Asking(demo, "models")
    demo.press("more_about_run")
    demo.press("try_run_with")
    assert demo.find(QPlainTextEdit, "experiment_prompt").toPlainText() == "Count 1 to 5"
    assert demo.find(QSpinBox, "experiment_max_tokens").value() == 8
    other = demo.find(QComboBox, "experiment_other")
    demo.until(lambda: other.count() > 0)
    other.setCurrentIndex(other.findData(str(demo_draft)))
    asking.set("repeats", 1)
    QTest.mouseClick(demo.find(QPushButton, "experiment_command"), Qt.MouseButton.LeftButton)
    line = shlex.split(QGuiApplication.clipboard().text())
    asking.press()
    outcome = asking.finish()
    assert [run.model.folder for run in outcome.results] == [demo_draft.parent / "demo", demo_draft]
    assert demo.state.model is not None and demo.state.model.folder.name == "demo"
    assert Phase.LOADING in demo.phases[-2:]
    given = parse(line[2:], ("mlx",), demo_draft.parent)
    assert given.experiment is not None and (given.experiment.name, given.other) == ("models", str(demo_draft))
    asked = outcome.results[0].request
    assert replace(given.request, kv=asked.kv) == asked


def test_a_model_that_came_meanwhile_is_there_when_the_window_is_opened_again(
    demo: Journey, demo_model: Path, demo_draft: Path, tmp_path: Path
) -> None:
    demo.act("experiment_models")
    view, other = demo.find(QDialog, "experiment_window"), demo.find(QComboBox, "experiment_other")
    demo.until(lambda: other.findData(str(demo_draft)) >= 0)
    other.setCurrentIndex(other.findData(str(demo_draft)))
    fetched = [Path(shutil.copytree(demo_model, tmp_path / "mine" / name / name)) for name in ("one", "two")]
    for folder, seen in zip(fetched, (True, False), strict=True):
        view.setVisible(seen)
        assert other.findData(str(folder)) < 0
        demo.window._features.folders.add(folder.parent)
        demo.act("experiment_models")
        demo.until(partial(_offers, other, folder))
        assert other.currentData() == str(demo_draft), "what was chosen stays"


def _offers(models: QComboBox, folder: Path) -> bool:
    return models.findData(str(folder)) >= 0


def test_what_can_t_be_asked_is_said_in_a_sentence(demo: Journey) -> None:
    asking = Asking(demo, "length")
    asking.set("max_tokens", 10)
    asking.press()
    assert asking.trouble.startswith("Max tokens is 10")
    asking.set("max_tokens", 30)
    assert asking.trouble == ""
    demo.find(QPlainTextEdit, "experiment_prompt").setPlainText(" ")
    asking.press()
    assert asking.trouble == "There is nothing to ask. Type a prompt."
    assert demo.state.phase is Phase.READY
