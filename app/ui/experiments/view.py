"""The window of experiments: the question on the left, the answer on the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QApplication, QDialog, QSplitter, QWidget

from app.ui.experiments.form import Form
from app.ui.experiments.results import Results
from app.ui.experiments.values import Going, Offer
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Colour, Theme, scaled
from app.ui.widgets import Announcer, SmallPrint, ThinBar, begin_window, in_column, in_row, push_button
from app.words import tr

FIRST_PX = (1120, 720)
SMALLEST_PX = (760, 480)
HALVES_PX = (344, 750)
LEAST_FORM_PX = 204
BAR_PX = 6
START_TIP, STOP_TIP = tr("Run all arms, one after the other"), tr("Stop (Esc); what has ended stays")


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
        self._going = False
        # Each half in its place before it is filled: moved when it is full, all in it would be dressed anew.
        self._halves = QSplitter(Qt.Orientation.Horizontal, self, childrenCollapsible=False)
        self._left, self._right = QWidget(self._halves), QWidget(self._halves)
        self.form = Form(theme, offers, self._left)
        self.results = Results(theme)
        self._trouble = SmallPrint(theme, "experiment_trouble", "error")
        self._announcer = Announcer(self._trouble)
        self._details = ""
        self._copy = push_button("experiment_copy_details", tr("Copy details"), tr("Copy what is known of the failure"))
        self._copy.setProperty("kind", "small")
        self._copy.clicked.connect(self._copy_details)
        self._copy.hide()
        self._words = SmallPrint(theme, "experiment_progress", "text")
        self._bar = ThinBar(theme, "experiment_bar", Colour.DECODE, BAR_PX)
        self._bar.hide()
        self._start = push_button("experiment_start", tr("Start"), START_TIP, kind="primary", press=self._start_or_stop)
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
        self._going = going is not None
        if self._going and self.form.isAncestorOf(QApplication.focusWidget() or self):
            # What can't be changed any more would pass it on to the form as a whole.
            self._start.setFocus()
        self.form.allow(not self._going)
        self._words.say(going.words if going else "")
        self._bar.setVisible(self._going)
        if going is not None:
            self._bar.setRange(0, going.total)
            self._bar.setValue(going.done)
            self._bar.setAccessibleName(going.words)
        text = tr("Stop") if self._going else tr("Start")
        self._start.setText(text)
        self._start.setAccessibleName(text)
        self._start.setToolTip(STOP_TIP if self._going else START_TIP)

    def allow(self, allowed: bool, why: str = "") -> None:
        """Whether Start or Stop can be pressed, and why not."""
        self._start.setEnabled(allowed)
        if why:
            self._start.setToolTip(why)

    def offer(self, export: bool, session: bool) -> None:
        """What can be done with results."""
        self._export.setEnabled(export)
        self._session.setEnabled(session)

    def say(self, words: str, kind: str = "error", details: str = "") -> None:
        """Why something could not be done, or what has to be known; empty: nothing. `details` are for who helps."""
        self._trouble.say(words, kind)
        self._details = details
        self._copy.setVisible(bool(details))
        self._announcer.say(words, urgent=kind == "error")

    def leave(self) -> None:
        """The program ends."""
        self.results.leave()
        self.close()

    def _lay_out(self) -> None:
        below = in_column(
            self._trouble,
            (self._copy, 0, Qt.AlignmentFlag.AlignLeft),
            self._words,
            self._bar,
            self._start,
            margins=(0, 0, GAP_PX, 0),
        )
        in_column((self.form, 1), below, on=self._left)
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

    @Slot()
    def _start_or_stop(self) -> None:
        (self.stop_wanted if self._going else self.start_wanted).emit()

    @Slot()
    def _copy_details(self) -> None:
        QGuiApplication.clipboard().setText(f"{self._trouble.text()}\n{self._details}")

    def reject(self) -> None:
        """Esc: while something goes on it stops that, as it does beside the conversation."""
        if self._going:
            self.stop_wanted.emit()
        else:
            super().reject()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.opened.emit()
