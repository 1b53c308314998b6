"""The window that predicts whether a draft would have made a run faster, and measures it."""

from dataclasses import replace

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.bridge.worker import Measure
from app.engine.types import Failure, Model, Request
from app.experiments.draft_prediction import (
    DraftCheck,
    as_text,
    check_drafts,
    head,
    headline,
    measure_gain,
    next_to_measure,
    notes,
    rows,
)
from app.i18n import tr
from app.records.journal import Journal
from app.records.run_environment import full_model_ref
from app.records.types import RunId, RunRecord
from app.state import Phase, State
from app.ui.look import MARGIN_PX, Size, Theme
from app.ui.runs.controller_replay import CLOSED, refusal_of, request_of
from app.ui.widgets import begin_window, in_column, in_row, plain_label, push_button
from app.ui.widgets.table import Numbers, NumbersTable

FIRST_PX, SMALLEST_PX = (860, 360), (560, 280)
KIND = "draft check"
TITLE = tr("Would a Draft Have Helped?")
BUSY = tr("Wait until the model is free.")
STEPS = tr("Measuring the decode steps of this model. This takes 6 to 30 seconds, and longer with a long prompt…")
RUNS = tr("Running the request 3 times with the draft, and 3 times without it…")


class DraftCheckWindow(QDialog):
    """Shows the prediction for one run at a time. Stays open beside the main window."""

    def __init__(self, playground: Playground, tasks: Tasks, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        begin_window(theme, self, "draft_check_window", TITLE, FIRST_PX, SMALLEST_PX)
        self._playground, self._tasks = playground, tasks
        self._check: DraftCheck | None = None
        self._is_running = False
        font = theme.font(Size.PROSE, bold=True)
        self._headline = plain_label("draft_check_answer", font=font, wraps=True, selectable=True)
        self._table = NumbersTable(theme, "draft_check_table", wide=0)
        policy = self._table.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._table.setSizePolicy(policy)
        small = theme.font(Size.SMALL)
        self._notes = plain_label("draft_check_notes", muted=True, wraps=True, selectable=True, font=small)
        tip = tr("Run the request with and without the fastest draft, and compare their speeds")
        self._measure = push_button("draft_check_measure", tr("&Measure"), tip, press=self._start_runs)
        tip = tr("Stop, and discard the measurement")
        self._stop = push_button("draft_check_stop", tr("&Stop"), tip, press=lambda: self._playground.stop())
        tip = tr("Copy as a Markdown table")
        self._copy = push_button("draft_check_copy", tr("&Copy"), tip, press=self._copy_text)
        buttons = in_row(..., self._measure, self._stop, self._copy)
        in_column(self._headline, (self._table, 1), self._notes, buttons, on=self, margins=MARGIN_PX)
        playground.follow(("phase", "model"), self._enable, at_once=True)

    def start(self, run: RunId) -> None:
        """Predict the speed-up of a run, if that is possible now."""
        journal, model = self._playground.book.journal, self._playground.state.model
        if self._is_running or journal is None:
            return
        self._check = None
        self.setWindowTitle(tr("{title} – Run {number}").format(title=TITLE, number=run))
        self._show(CLOSED if model is None else tr("Reading the run…"))
        if model is not None:
            self._tasks.start(self._begin(journal, run, model), KIND)

    async def _begin(self, journal: Journal, run: RunId, model: Model) -> None:
        record, refusal = await self._tasks.in_thread(_read_run, journal, run, model)
        if record is None or refusal:
            self._show(refusal)
        else:
            request, ids = _request(record), record.ids
            self._start(lambda engine, emit, stop: check_drafts(engine, model, request, ids, emit, stop), STEPS)

    def _start_runs(self) -> None:
        check = self._check
        best = next_to_measure(check) if check is not None else None
        if check is not None and best is not None:
            self._start(lambda engine, emit, stop: measure_gain(engine, check, best, emit, stop), RUNS)

    def _start(self, work: Measure, progress: str) -> None:
        self._is_running = self._playground.measure_speed(work, self._on_ended)
        self._show(progress if self._is_running else BUSY)

    def _on_ended(self, outcome: object) -> None:
        self._is_running = False
        if isinstance(outcome, DraftCheck):
            self._check = outcome
        answer = headline(self._check) if self._check is not None else tr("Stopped.")
        self._show(outcome.sentence if isinstance(outcome, Failure) else answer)

    def _show(self, words: str) -> None:
        """Show the last prediction, if there is one, below these words."""
        check = self._check
        self._headline.setText(words)
        if check is not None:
            self._table.show_numbers(Numbers(TITLE, head(check), tuple(rows(check))))
        self._table.setVisible(check is not None)
        self._notes.setText(" ".join(notes(check)) if check is not None else "")
        self._enable(self._playground.state)

    def _enable(self, state: State) -> None:
        check = self._check
        is_ready = state.phase is Phase.READY and not self._is_running
        has_draft = check is not None and state.model is check.model and next_to_measure(check) is not None
        self._measure.setEnabled(is_ready and has_draft)
        self._stop.setEnabled(self._is_running)
        self._copy.setEnabled(check is not None)

    def _copy_text(self) -> None:
        if self._check is not None:
            QGuiApplication.clipboard().setText(as_text(self._check))

    def reject(self) -> None:
        """Stop when the window is closed, also with Esc, which sends no close event."""
        self._tasks.cancel(KIND)
        if self._is_running:
            self._playground.stop()
        super().reject()


def _read_run(journal: Journal, run: RunId, model: Model) -> tuple[RunRecord | None, str]:
    """Return the run, and why the open model can't repeat it. A draft model that it used isn't needed."""
    journal.flush()  # the run may have just ended
    record = journal.runs.get(run)
    if record is None:
        return None, tr("This run can't be read from the session database.")
    return record, refusal_of(record, full_model_ref(model), record.draft)


def _request(run: RunRecord) -> Request:
    return replace(request_of(run), observe=run.request.observe)
