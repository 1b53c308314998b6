"""A user before the window of experiments, and the runs of the journal that belong to what is shown there."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QSpinBox, QTableView, QTabWidget

from app.experiments.types import ExperimentOutcome
from app.records.types import RunRecord
from tests.journeys.journey import Journey
from tests.ui.cells import cells

FIGURES = 1


class Asking:
    """A user before the window of experiments."""

    def __init__(self, journey: Journey, name: str) -> None:
        self.journey = journey
        self.outcomes: list[ExperimentOutcome] = []
        journey.window.playground.experiment_runner.ended.connect(self.outcomes.append)
        journey.act(f"experiment_{name}")

    @property
    def conclusion(self) -> str:
        """The answer, and what else was found, as it is told to whoever can't see it."""
        label = self.journey.find(QLabel, "experiment_conclusion")
        return label.accessibleName().partition(": ")[2] if label.text() else ""

    @property
    def trouble(self) -> str:
        return self.journey.find(QLabel, "experiment_trouble").text()

    @property
    def metrics(self) -> list[list[str]]:
        return cells(self._table())

    def head(self) -> list[str]:
        model, role = self._table().model(), Qt.ItemDataRole.AccessibleTextRole
        return [str(model.headerData(at, Qt.Orientation.Horizontal, role)) for at in range(model.columnCount())]

    def _table(self) -> QTableView:
        """The page is made when it is turned to."""
        self.journey.find(QTabWidget, "experiment_tabs").setCurrentIndex(FIGURES)
        return self.journey.find(QTableView, "experiment_figures")

    def set(self, name: str, value: int) -> None:
        self.journey.find(QSpinBox, f"experiment_{name}").setValue(value)

    def press(self) -> None:
        QTest.mouseClick(self.journey.find(QPushButton, "experiment_start"), Qt.MouseButton.LeftButton)

    def finish(self) -> ExperimentOutcome:
        self.journey.until(lambda: bool(self.conclusion))
        self.journey.until_ready()
        return self.outcomes[-1]


def records(journey: Journey, outcome: ExperimentOutcome) -> list[RunRecord]:
    found = [journey.journal.runs.get(run.run) for run in outcome.results if run.run is not None]
    return [record for record in found if record is not None]
