"""The profiler: time per part of a token, and the limits of the hardware."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QDialog, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.actions import Intent
from app.bridge import conversation
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.bridge.worker import Measure
from app.engine.types import Failure, Model, RunProfile
from app.i18n import tr
from app.state import Phase, State
from app.ui.feature import Feature
from app.ui.look import GAP_PX, MARGIN_PX, Color, Size, Theme
from app.ui.widgets import (
    LazyWindow,
    ThinBar,
    begin_window,
    in_column,
    in_grid,
    in_row,
    layout_widget,
    plain_label,
    push_button,
)
from app.ui.widgets.table import Numbers, NumbersTable
from app.ui.widgets.table_model import Index

if TYPE_CHECKING:
    from app.roofline.roofline import Roofline

FIRST_PX, SMALLEST_PX = (720, 560), (560, 320)
BAR_PX, PADDING_PX = 3, 6
TITLE = tr("Why This Fast?")
QUESTION = tr("Measures the time of each part of a token, and the memory-bandwidth limit of this computer.")
RUN, MACHINE = "run", "machine"
WAYS = {
    RUN: (tr("Profile &Last Run"), tr("Repeats the last request and measures each part and each layer.")),
    MACHINE: (tr("Measure This &Computer"), tr("Measures the memory-bandwidth limit of this computer for the model.")),
}
MEASURING = {
    RUN: tr("The last request runs six times: twice unchanged, twice timed by part, twice timed by layer…"),
    MACHINE: tr("The model generates some tokens. Then the memory bandwidth is measured with matrices of its shapes…"),
}
EARLIER = tr("This limit was measured earlier, with this model on this computer.")
Rows = Sequence[tuple[str, str, float]]
"""Name, value, and the value's share of the total."""


class ProfilerController(Feature):
    """Measures on the engine's thread, and shows the results in a window of its own."""

    ceiling_known = Signal(object)
    """The `Roofline` of the open model; None: it was not measured."""
    _step_began = Signal(int, int)
    """Number of the step, from 1, and the number of steps. Emitted on the engine's thread."""

    def __init__(self, playground: Playground, theme: Theme, data: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground, self._data = playground, data
        self._tasks = Tasks(self)
        self._window = LazyWindow(lambda: ProfilerWindow(theme, parent, self._measure, playground.stop))
        self._is_running = False
        self._has_measured = False
        """Whether the open model was measured since it was opened."""
        self._ceiling: Roofline | None = None
        """The roofline of the open model, as stored."""
        self._step_began.connect(lambda step, steps: self._window.window.show_step(step, steps))
        playground.changed.connect(self._on_changed)
        playground.speed_measured.connect(self._on_measured)

    def actions(self) -> dict[str, Intent]:
        return {"measure_closely": partial(self._measure, RUN), "measure_speed": self._open}

    def connect_actions(self) -> None:
        self._enable()

    def close(self) -> None:
        self._window.close()

    def _open(self) -> None:
        is_new = self._window.made is None
        self._window.bring_up()
        if is_new:
            self._show_earlier()
        self._enable()

    def _show_earlier(self) -> None:
        """Show the stored roofline of the open model, or nothing without one."""
        from app.roofline import measuring, report

        model, ceiling = self._playground.state.model, self._ceiling
        if model is None or ceiling is None:
            self._window.window.show_result("", ())
        else:
            rows = report.limit_rows(measuring.stored_result(model, ceiling))
            self._window.window.show_result(ceiling.sentence, rows, _with_draft_note(EARLIER, model))

    def _measure(self, way: str) -> None:
        model = self._playground.state.model
        self._window.bring_up()
        work = self._work(way, model) if model is not None else None
        if work is not None and self._playground.measure_speed(work):
            self._is_running = self._has_measured = True
            self._window.window.show_result(MEASURING[way], ())
        self._enable()

    def _work(self, way: str, model: Model) -> Measure | None:
        from app.roofline import measuring

        data, run, begin = self._data, self._playground.state.last_run, self._step_began.emit
        if way == MACHINE:
            return lambda engine, emit, stop: measuring.measured(engine, model, data, 0, emit, stop, begin)
        whole = self._playground.load_full(run) if run is not None else None
        if whole is None or whole.prompt is None:
            return None
        again = conversation.replay_request(whole.request, whole.prompt, adapter=whole.adapter)
        request = replace(again, observe=whole.request.observe)
        return lambda engine, emit, stop: measuring.closely(engine, model, request, emit, stop, begin)

    def _on_measured(self, outcome: object) -> None:
        from app.roofline import measuring, report

        self._is_running = False
        window = self._window.window
        if isinstance(outcome, Failure):
            window.show_result(outcome.sentence, ())
        elif isinstance(outcome, RunProfile):
            window.show_result(report.answer(outcome), report.time_rows(outcome), report.slowed(outcome))
        elif isinstance(outcome, measuring.RooflineResult):
            note = _with_draft_note("", outcome.model)
            window.show_result(outcome.disturbed or outcome.ceiling.sentence, report.limit_rows(outcome), note)
            if not outcome.disturbed:
                self._ceiling = outcome.ceiling
                self.ceiling_known.emit(outcome.ceiling)
        else:
            window.show_result("", ())
        self._enable()

    def _on_changed(self, old: State, new: State) -> None:
        if new.model is not old.model:
            self._has_measured = False
            self._tasks.start(self._find_earlier(new.model), "look")
        self._enable()

    async def _find_earlier(self, model: Model | None) -> None:
        """Announce the roofline that was measured for this model before, if any. Results of other models are hidden."""
        found = None
        if model is not None and not model.server:
            found = await self._tasks.try_in_thread(_find_roofline, self._data, model)
        self._ceiling = None if isinstance(found, Failure) else found
        self.ceiling_known.emit(self._ceiling)
        if self._window.made is not None and not self._has_measured:
            self._show_earlier()

    def _enable(self) -> None:
        state, known = self._playground.state, self._playground.book.models.known
        run, model = state.last_run, state.model
        # Empty, or the reason why the open model can't repeat the last run.
        why_not = conversation.mismatch_reason(run, model, known) if run is not None and model is not None else ""
        is_ready = state.phase is Phase.READY and model is not None and not model.server
        can_repeat = is_ready and run is not None and run.finish.wire is None and not why_not
        if self._actions:
            self._actions["measure_closely"].setEnabled(can_repeat)
        if self._window.made is not None:
            self._window.made.allow({RUN: can_repeat, MACHINE: is_ready}, self._is_running, why_not)


class ProfilerWindow(QDialog):
    """A result as a sentence and a table. Stays open beside the main window."""

    def __init__(
        self, theme: Theme, parent: QWidget, measure: Callable[[str], None], stop: Callable[[], object]
    ) -> None:
        super().__init__(parent)
        begin_window(theme, self, "speed_window", TITLE, FIRST_PX, SMALLEST_PX, is_dialog=False)
        self._rows: Rows = ()
        question = plain_label("speed_question", QUESTION, font=theme.font(Size.PROSE, bold=True), wraps=True)
        self._sentence = plain_label("speed_said", wraps=True, selectable=True)
        self._bar = ThinBar(theme, "speed_bar")
        self._step = plain_label("speed_step", muted=True, font=theme.font(Size.SMALL))
        self._progress = layout_widget(in_row((self._bar, 1), self._step))
        self._note = plain_label("speed_aside", muted=True, wraps=True, selectable=True, font=theme.font(Size.SMALL))
        self._table = NumbersTable(theme, "speed_table", wide=1)
        self._bars = ShareBarDelegate(theme, self._table)
        self._table.setItemDelegateForColumn(1, self._bars)
        policy = self._table.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._table.setSizePolicy(policy)
        self._ways = {
            way: push_button(f"speed_{way}", words, tip, press=lambda _=False, way=way: measure(way))
            for way, (words, tip) in WAYS.items()
        }
        self._explanations = {
            way: plain_label(f"speed_{way}_told", tip, muted=True, wraps=True) for way, (_, tip) in WAYS.items()
        }
        tip = tr("Stop, and discard the measurement")
        self._stop = push_button("speed_stop", tr("&Stop"), tip, press=lambda _=False: stop())
        self._copy = push_button("speed_copy", tr("&Copy"), tr("Copy as a Markdown table"), press=self._copy_rows)
        ways = zip(self._ways.values(), self._explanations.values(), strict=True)
        in_column(
            question,
            in_grid(*ways, gap=(MARGIN_PX, GAP_PX), wide={1: 1}),
            self._sentence,
            self._progress,
            (self._table, 1),
            self._note,
            in_row(..., self._stop, self._copy),
            on=self,
            margins=MARGIN_PX,
        )
        self.show_result("", ())

    def allow(self, allowed: dict[str, bool], is_running: bool, why_not: str = "") -> None:
        """Enable what can be measured; `why_not` says why the last run can't."""
        self._explanations[RUN].setText(why_not or WAYS[RUN][1])
        for way, button in self._ways.items():
            button.setEnabled(allowed[way])
        self._stop.setEnabled(is_running)

    def show_result(self, sentence: str, rows: Rows, note: str = "") -> None:
        self._rows = rows
        self._progress.hide()
        self._sentence.setText(sentence)
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._bars.shares = [share for *_, share in rows]
        numbers = tuple((name, value) for name, value, _ in rows)
        self._table.show_numbers(Numbers(TITLE, (tr("Part"), tr("Value")), numbers))
        self._table.setVisible(bool(rows))
        self._copy.setEnabled(bool(rows))

    def show_step(self, step: int, steps: int) -> None:
        """Show the step that begins; the steps before it are done."""
        words = tr("Step {number} of {count}").format(number=step, count=steps)
        self._step.setText(words)
        self._bar.show_share(step - 1, steps, words)
        self._progress.show()

    def _copy_rows(self) -> None:
        from app.roofline.report import markdown

        words = " ".join(filter(None, (self._sentence.text(), self._note.text())))
        QGuiApplication.clipboard().setText(f"{markdown(self._rows)}\n{words}\n")


class ShareBarDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self.shares: list[float] = []

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if (share := self.shares[index.row()]) > 0:
            cell: QRect = option.rect
            width = max(1, round((cell.width() - 2 * PADDING_PX) * min(1.0, share)))
            bar = QRect(cell.left() + PADDING_PX, cell.bottom() - BAR_PX, width, BAR_PX)
            painter.fillRect(bar, self._theme.color(Color.DECODE))


def _with_draft_note(note: str, model: Model) -> str:
    from app.roofline.roofline import DRAFTED

    return " ".join(filter(None, (note, DRAFTED if model.draft is not None else "")))


def _find_roofline(folder: Path, model: Model) -> Roofline | None:
    """Find the measured roofline. Runs on a worker thread."""
    from app.roofline import measurement_store

    return measurement_store.CEILINGS.find(folder, measurement_store.machine_key(model))
