"""The window of experiments: the question on the left, the answer on the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QDialog, QSplitter, QWidget

from app.ui.experiments.form import Form
from app.ui.experiments.results import Results
from app.ui.experiments.values import Going, Offer
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Theme, scaled
from app.ui.widgets import begin_window, in_column, in_row, push_button
from app.ui.widgets.start_block import StartBlock
from app.words import tr

FIRST_PX = (1120, 720)
SMALLEST_PX = (760, 480)
HALVES_PX = (344, 750)
LEAST_FORM_PX = 204


class ExperimentView(QDialog):
    """Stays open beside the window; its halves take the values, and tell what is picked."""

    opened = Signal()
    start_wanted = Signal()
    stop_wanted = Signal()
    export_wanted = Signal()
    command_wanted = Signal()
    session_wanted = Signal()
    """The session in which the runs are recorded."""

    def __init__(self, theme: Theme, offers: Sequence[Offer], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        begin_window(theme, self, "experiment_window", tr("Experiments"), FIRST_PX, SMALLEST_PX)
        self._theme = theme
        # Each half in its place before it is filled: moved when it is full, all in it would be dressed anew.
        self._halves = QSplitter(Qt.Orientation.Horizontal, self, childrenCollapsible=False)
        self._left, self._right = QWidget(self._halves), QWidget(self._halves)
        self.form = Form(theme, offers, self._left)
        self.results = Results(theme)
        self._foot = StartBlock(theme, "experiment", tr("Run all arms, one after the other"))
        self._foot.start_wanted.connect(self.start_wanted)
        self._foot.stop_wanted.connect(self.stop_wanted)
        self.allow, self.say = self._foot.allow, self._foot.say
        tip = tr("The command that does this without a window")
        self._command = push_button("experiment_command", tr("Copy command"), tip, press=self.command_wanted)
        tip = tr("Save the figures and all runs: JSON, CSV or Markdown")
        self._export = push_button("experiment_export", tr("Export…"), tip, press=self.export_wanted)
        tip = tr("Every run is recorded: open their session")
        self._session = push_button("experiment_session", tr("Open runs"), tip, press=self.session_wanted)
        self._lay_out()
        self.offer(export=False, session=False)

    def show_going(self, going: Going | None) -> None:
        """How far it has come; None: nothing goes on."""
        if going is not None and self.form.isAncestorOf(QApplication.focusWidget() or self):
            # What can't be changed any more would pass it on to the form as a whole.
            self._foot.button.setFocus()
        self.form.allow(going is None)
        if going is None:
            self._foot.show_going(None)
        else:
            self._foot.show_going(going.words, going.done, going.total)

    def offer(self, export: bool, session: bool) -> None:
        """What can be done with results."""
        self._export.setEnabled(export)
        self._session.setEnabled(session)

    def leave(self) -> None:
        """The program ends."""
        self.results.leave()
        self.close()

    def _lay_out(self) -> None:
        in_column((self.form, 1), in_row((self._foot, 1), margins=(0, 0, GAP_PX, 0)), on=self._left)
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

    def reject(self) -> None:
        """Esc: while something goes on it stops that, as it does beside the conversation."""
        if self._foot.going:
            self.stop_wanted.emit()
        else:
            super().reject()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.opened.emit()
