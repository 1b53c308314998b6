"""Shows what the playground says and no feature shows yet: the instruments, and what can be done now."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QAction

from app.bridge.playground import Playground
from app.engine.frame import Figures, Frame
from app.engine.types import Memory, Model
from app.state import RUNNING, Phase, Run, State
from app.ui.instruments import controller
from app.ui.shell.layout import Layout

REST_MS = 50


class StateView(QObject):
    """Values out of the playground, into widgets."""

    def __init__(self, playground: Playground, parts: Layout, actions: Mapping[str, QAction], parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._parts = parts
        self._elsewhere = False
        """The open model runs on a server."""
        self._memory: Memory | None = None
        playground.changed.connect(self._apply)
        playground.advanced.connect(self._advance)
        playground.measured.connect(self._measure)
        playground.finished.connect(self._finish)
        playground.replay_advanced.connect(self._advance)
        playground.replayed.connect(self._finish)
        parts.graph.offer(actions["show_tables"])

    @Slot(object, object)
    def _apply(self, old: State, new: State) -> None:
        """Only what changed is touched."""
        runs = new.turns[-1].runs if new.turns else ()
        another = new.phase is old.phase and new.last_run is not old.last_run
        if new.turns is not old.turns and runs and not new.turns[-1].open and another:
            self._show_past(runs[-1])
        if (new.phase, new.model, new.loading) != (old.phase, old.model, old.loading):
            self._show_place(new.model)
            if new.model is not None and new.phase not in (*RUNNING, Phase.LOADING, Phase.STOPPING):
                # When the window has shown that the model is open.
                QTimer.singleShot(REST_MS, self._parts.graph, self._parts.graph.prepare)
        if new.phase is Phase.PREFILLING and old.phase is not Phase.PREFILLING and not new.aside:
            self._parts.graph.begin_run()
            self._parts.cards.show_figures(Figures())

    @Slot(object)
    def _advance(self, frame: Frame) -> None:
        """One helping of the run that is going on."""
        controller.advance(self._parts, frame)

    @Slot(object)
    def _measure(self, memory: Memory) -> None:
        """The allocator as it stands."""
        self._memory = memory
        if not self._elsewhere:
            self._parts.memory.show_memory(memory)

    @Slot(object)
    def _finish(self, run: Run) -> None:
        """The last word on a run; its text is on the page already."""
        controller.finish(self._parts, run)

    def _show_past(self, run: Run) -> None:
        """The last run of a conversation that was there before."""
        self._parts.cards.show_figures(run.summary.figures)
        if run.summary.context is not None:
            self._parts.context.show_context(run.summary.context)
        elif run.finish.wire is not None:
            self._parts.context.show_uncounted()

    def _show_place(self, model: Model | None) -> None:
        """What is not known of a model elsewhere is greyed with the reason."""
        why = dict(model.can.refusals).get("memory", "") if model is not None else ""
        came_back, self._elsewhere = self._elsewhere and not why, bool(why)
        if why:
            self._parts.memory.show_elsewhere(why)
        elif came_back and self._memory is not None:  # it was told before the model was
            self._parts.memory.show_memory(self._memory)
