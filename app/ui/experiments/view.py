"""The window of experiments: the question on the left, the answer on the right."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from app.i18n import tr
from app.ui.experiments.form import Form
from app.ui.experiments.results import Results
from app.ui.experiments.values import Offer
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Theme, scaled
from app.ui.widgets import in_column, in_row, push_button
from app.ui.widgets.start_window import StartWindow

HALVES_PX = (344, 750)
LEAST_FORM_PX = 204


class ExperimentView(StartWindow):
    """Its halves take the values, and tell what is picked."""

    export_wanted = Signal()
    command_wanted = Signal()
    session_wanted = Signal()
    """The session in which the runs are recorded."""

    def __init__(self, theme: Theme, offers: Sequence[Offer], parent: QWidget | None = None) -> None:
        tip = tr("Run all variants, one after the other")
        super().__init__(theme, parent, "experiment", tr("Experiments"), tip)
        self._theme = theme
        # Each half in its place before it is filled: moved when it is full, all in it would be dressed anew.
        self._halves = QSplitter(Qt.Orientation.Horizontal, self, childrenCollapsible=False)
        self._left, self._right = QWidget(self._halves), QWidget(self._halves)
        self.form = Form(theme, offers, self._left)
        self.fields = (self.form.inside,)  # it can be scrolled all the same
        self.results = Results(theme)
        tip = tr("The command that does this without a window")
        self._command = push_button("experiment_command", tr("Copy command"), tip, press=self.command_wanted)
        tip = tr("Save the figures and all runs: JSON, CSV or Markdown")
        self._export = push_button("experiment_export", tr("Export…"), tip, press=self.export_wanted)
        tip = tr("Every run is recorded: open their session")
        self._session = push_button("experiment_session", tr("Open runs"), tip, press=self.session_wanted)
        self._lay_out()
        self.offer(export=False, session=False)

    def offer(self, export: bool, session: bool) -> None:
        """What can be done with results."""
        self._export.setEnabled(export)
        self._session.setEnabled(session)

    def leave(self) -> None:
        """The program ends."""
        self.results.leave()
        super().leave()

    def _lay_out(self) -> None:
        in_column((self.form, 1), in_row((self.foot, 1), margins=(0, 0, GAP_PX, 0)), on=self._left)
        in_column(
            (self.results, 1),
            in_row(..., self._command, self._session, self._export),
            on=self._right,
            margins=(GRID_PX, 0, 0, 0),
        )
        halves = self._halves
        halves.setObjectName("experiment_halves")
        halves.setStretchFactor(1, 1)
        halves.setSizes([self._theme.scaled(width) for width in HALVES_PX])
        scaled(self._theme, self._left, QWidget.setMinimumWidth, LEAST_FORM_PX)
        in_column(halves, on=self, margins=MARGIN_PX)
