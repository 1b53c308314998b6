import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPlainTextEdit, QPushButton, QSpinBox, QTabWidget

from app.cli.experiment import parse
from app.state import Phase
from tests.journeys.asking import Asking
from tests.journeys.journey import Journey

pytestmark = pytest.mark.slow


def test_experiment_blocks_other_runs_and_is_saved_as_a_session(demo: Journey) -> None:
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
    demo.until(lambda: demo.state.title == "Experiment: How much faster is decoding with a KV cache?")
    assert len(demo.state.turns) == 8


def test_run_repeated_with_another_model_reopens_the_first_model(demo: Journey, demo_draft: Path) -> None:
    demo.limit(8)
    demo.cold()
    demo.send("Count 1 to 5")
    asking = Asking(demo, "models")
    demo.press("more_about_run")
    demo.press("try_run_with")
    assert demo.find(QPlainTextEdit, "experiment_prompt").toPlainText() == "Count 1 to 5"
    assert demo.find(QSpinBox, "experiment_max_tokens").value() == 8
    other = demo.find(QComboBox, "experiment_other")
    demo.until(lambda: other.findData(str(demo_draft)) >= 0)
    other.setCurrentIndex(other.findData(str(demo_draft)))
    asking.set("repeats", 1)
    QTest.mouseClick(demo.find(QPushButton, "experiment_command"), Qt.MouseButton.LeftButton)
    line = shlex.split(QGuiApplication.clipboard().text())
    asking.press()
    outcome = asking.finish()
    assert [run.model.folder for run in outcome.results] == [demo_draft.parent / "demo", demo_draft]
    assert demo.state.model is not None and demo.state.model.folder.name == "demo"
    assert Phase.LOADING in demo.phases[-2:]
    given = parse(line[2:], ("mlx",), demo_draft.parents[1])
    assert given.experiment is not None and (given.experiment.name, given.other) == ("models", str(demo_draft))
    asked = outcome.results[0].request
    assert replace(given.request, kv=asked.kv) == asked
