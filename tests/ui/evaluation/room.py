"""The window of prompt sets, used by its object names."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QPlainTextEdit, QTableView
from pytestqt.qtbot import QtBot

from app.evaluation.types import EvaluationOutcome
from app.ui.evaluation.rows import RowsTable
from app.ui.evaluation.window import EvaluationWindow
from app.ui.shell.main_window import MainWindow
from tests.ui.alone import Alone
from tests.ui.cells import cells
from tests.ui.desk import act, named


class Room:
    """The window, opened from the menu."""

    def __init__(self, qtbot: QtBot, window: MainWindow | Alone) -> None:
        self.qtbot, self.window, self.playground = qtbot, window, window.playground
        act(window, "prompt_sets").trigger()
        self.view = named(window, EvaluationWindow, "sets_window")
        self.outcomes: list[object] = []
        self.playground.evaluation_runner.ended.connect(self.outcomes.append)

    def until(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition)

    def label(self, name: str) -> str:
        return named(self.view, QLabel, name).text()

    def text(self, name: str) -> str:
        return named(self.view, QPlainTextEdit, name).toPlainText()

    def button(self, name: str) -> QAbstractButton:
        return named(self.view, QAbstractButton, name)

    @property
    def rows(self) -> RowsTable:
        return named(self.view, RowsTable, "sets_rows")

    @property
    def variants(self) -> list[list[str]]:
        return self.cells("sets_arms")

    def cells(self, name: str) -> list[list[str]]:
        return cells(named(self.view, QTableView, name))

    def take(self, path: Path, content: str = "") -> None:
        """Open a file of rows, which is written before if there is content."""
        if content:
            path.write_text(content, "utf-8")
        self.view.take_file(path)
        self.until(lambda: self.label("sets_title").startswith(path.stem) and self.rows.model().rowCount() > 0)

    def set_controls(self, **changes: Any) -> None:
        self.playground.set_controls(replace(self.playground.state.controls, **changes))

    def add(self, what: str, value: str) -> None:
        kinds = named(self.view, QComboBox, "sets_arm_what")
        kinds.setCurrentIndex(kinds.findData(what))
        named(self.view, QLineEdit, "sets_arm_value").setText(value)
        self.button("sets_arm_add").click()

    def finish(self, begin: Callable[[], None] = lambda: None) -> EvaluationOutcome:
        """Return the outcome of the evaluation that is running or begins now."""
        count = len(self.outcomes)
        begin()
        self.until(lambda: len(self.outcomes) > count)
        outcome = self.outcomes[-1]
        assert isinstance(outcome, EvaluationOutcome)
        return outcome

    def run(self) -> EvaluationOutcome:
        return self.finish(self.button("sets_start").click)
