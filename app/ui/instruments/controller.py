"""The instruments: graph, cards and gauges tell of the one run that is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.playground import Playground
from app.engine.frame import Figures, Frame
from app.engine.types import Memory
from app.records.types import TurnId
from app.settings import Settings
from app.shown import Shown
from app.state import Phase, Run, State
from app.ui.feature import Feature
from app.ui.instruments.cards import Cards
from app.ui.instruments.context_gauge import ContextGauge
from app.ui.instruments.controller_tables import TablesController
from app.ui.instruments.memory_gauge import MemoryGauge
from app.ui.instruments.speed_graph import THIS_RUN, SpeedGraph
from app.ui.instruments.speed_tokens import RunTokens
from app.ui.look.theme import Theme
from app.words import tr

REST_MS = 50


class InstrumentsController(Feature):
    """Frames of the run that goes on come straight here; all else is the difference of two Showns."""

    ahead = ("app.ui.instruments.tables_dialog",)

    def __init__(
        self,
        playground: Playground,
        graph: SpeedGraph,
        cards: Cards,
        memory: MemoryGauge,
        context: ContextGauge,
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._graph = graph
        self._cards = cards
        self._memory = memory
        self._context = context
        self._tables = TablesController(graph, cards, memory, context, theme, parent)
        self._told: Memory | None = None
        """What the allocator said last."""
        self._measured: Run | None = None
        """The run in which that was, as long as its model is open."""
        self._elsewhere = ""
        """Why nobody tells how much the open model takes."""
        self._listen()

    def actions(self) -> dict[str, Intent]:
        return {"show_tables": self._tables.show}

    def join(self, actions: Mapping[str, QAction]) -> None:
        self._graph.offer(actions["show_tables"])

    def restore(self, settings: Settings) -> None:
        self._graph.set_eos(settings.layout.end_probability_shown)

    def kept(self, settings: Settings) -> Settings:
        return replace(settings, layout=replace(settings.layout, end_probability_shown=self._graph.eos))

    def close(self) -> None:
        self._graph.leave()

    def _listen(self) -> None:
        self._playground.advanced.connect(self._advance)
        self._playground.replay_advanced.connect(self._advance)
        self._playground.measured.connect(self._measure)
        self._playground.changed.connect(self._follow)
        self._playground.shown.changed.connect(self._apply)
        self._playground.traces.changed.connect(self._take_trace)

    @Slot(object)
    def _advance(self, frame: Frame) -> None:
        """One helping of the run that is going on."""
        figures = frame.figures
        self._cards.advance(figures, frame.at)
        self._graph.advance(frame.points, figures, frame.at)
        if frame.memory is not None:
            self._told = frame.memory
            self._memory.show_memory(frame.memory)
        if frame.context is not None:
            self._context.advance(frame.context, frame.at)

    @Slot(object, object)
    def _apply(self, old: Shown, new: Shown) -> None:
        """All of them together."""
        if new == old:
            return
        if new.live and not old.live:
            self._begin(new)
        elif old.live and new.run is not None and (new.key, new.replay) == (old.key, old.replay):
            self._finish(new.run)
        elif new.live:
            return
        elif new.run is not None:
            self._show_past(new, new.run)
        else:
            self._show_nothing(new)
        self._show_memory()

    def _begin(self, shown: Shown) -> None:
        self._cards.show_figures(Figures())
        self._context.show_room(shown.length)
        self._graph.begin_run(shown.model, _name(shown))
        self._show_tokens(shown)

    def _finish(self, run: Run) -> None:
        """All that was measured."""
        self._measured = run
        self._cards.show_figures(run.summary.figures)
        self._context.show_run(run)
        self._graph.finish_run(run.summary.figures)

    def _show_past(self, shown: Shown, run: Run) -> None:
        """A run that did not end just now."""
        self._cards.show_figures(run.summary.figures)
        self._context.show_run(run)
        self._graph.show_run(run.summary.figures, shown.model, _name(shown))
        self._show_tokens(shown)
        trace = self._playground.traces.of(shown.turn) if shown.turn else None
        if trace is not None:
            self._graph.show_curve(RunTokens(trace, shown.number).curve())
        if not self._graph.drawn and run.summary.figures.tokens:
            self._playground.shown.read_curve(self._graph.show_curve)

    def _show_nothing(self, shown: Shown) -> None:
        self._cards.show_figures(Figures())
        self._context.show_room(shown.length)
        self._graph.clear()
        self._show_tokens(shown)

    def _show_tokens(self, shown: Shown) -> None:
        """So that the graph points at tokens."""
        self._graph.show_trace(self._playground.traces.of(shown.turn) if shown.turn else None, shown.number)

    @Slot(object)
    def _take_trace(self, turn: TurnId) -> None:
        """It has grown, or has been read."""
        shown = self._playground.shown.now
        if shown.turn == turn and not shown.live:
            self._show_tokens(shown)

    @Slot(object)
    def _measure(self, memory: Memory) -> None:
        """The allocator as it stands."""
        self._told = memory
        self._show_memory()

    def _show_memory(self) -> None:
        """It belongs to the model that is open, and its peak to the run in which it was measured."""
        run = self._playground.shown.now.run
        if self._elsewhere:
            self._memory.show_elsewhere(self._elsewhere)
        elif self._told is not None and (run is None or run == self._measured):
            self._memory.show_memory(self._told)
        elif self._told is not None:
            self._memory.show_now(self._told)

    @Slot(object, object)
    def _follow(self, old: State, new: State) -> None:
        if new.model is not old.model:
            self._measured = None
            self._elsewhere = dict(new.model.can.refusals).get("memory", "") if new.model is not None else ""
            self._show_memory()
        if new.model is not None and new.phase is Phase.READY and old.phase is not Phase.READY:
            # When the window has shown that the model is open.
            QTimer.singleShot(REST_MS, self._graph, self._graph.prepare)


def _name(shown: Shown) -> str:
    """What the graph calls it."""
    if shown.replay:
        return tr("replay")
    return tr("earlier run") if shown.earlier else THIS_RUN
