"""The window of speed: what is asked for is measured on the engine's thread, and told to whoever shows ceilings."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge import conversation
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.bridge.worker import Measure
from app.engine.types import Failure, Model, Where
from app.state import Phase, State
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.widgets import LazyWindow

if TYPE_CHECKING:
    from app.roofline.figures import Roofline
    from app.ui.profiler.view import SpeedView


class SpeedController(Feature):
    """What was measured of a model before is known as soon as it is open."""

    ahead = ("app.ui.profiler.view",)

    ceiling_known = Signal(object)
    """The Ceiling of the open model; None: it was not measured."""

    def __init__(self, playground: Playground, theme: Theme, data: Path, window: QWidget) -> None:
        super().__init__(window)
        self._playground, self._theme = playground, theme
        self._data, self._parent = data, window
        self._tasks = Tasks(self)
        self._window = LazyWindow(self._make)
        self._going = False
        playground.changed.connect(self._on_changed)
        playground.speed_measured.connect(self._on_measured)

    def actions(self) -> dict[str, Intent]:
        return {"measure_closely": partial(self._measure, "run"), "measure_speed": self._window.bring_up}

    def joined(self) -> None:
        self._allow(self._playground.state)

    def close(self) -> None:
        self._window.close()

    def _make(self) -> SpeedView:
        from app.ui.profiler.view import SpeedView

        view = SpeedView(self._theme, self._parent)
        view.wanted.connect(self._measure)
        view.stop_wanted.connect(self._playground.stop)
        state, known = self._playground.state, self._playground.book.models.known
        view.allow(*_possible(state, known), self._going, _unlike(state, known))
        return view

    @Slot(str)
    def _measure(self, way: str) -> None:
        from app.ui.profiler.view import MEASURING

        state = self._playground.state
        self._window.bring_up()
        work = self._work(way, state.model) if state.model is not None else None
        if work is not None and self._playground.measure_speed(work):
            self._going = True
            self._window.window.show_found(MEASURING[way], ())
        self._allow(self._playground.state)

    def _work(self, way: str, model: Model) -> Measure | None:
        from app.roofline import measuring

        data, run = self._data, self._playground.state.last_run
        if way == "machine":
            return lambda engine, emit, stop: measuring.measured(engine, model, data, 0, emit, stop)
        whole = self._playground.load_full(run) if run is not None else None
        if whole is None or whole.prompt is None:
            return None
        again = conversation.replay_request(whole.request, whole.prompt, adapter=whole.adapter)
        request = replace(again, observe=whole.request.observe)
        return lambda engine, emit, stop: measuring.closely(engine, model, request, emit, stop)

    @Slot(object)
    def _on_measured(self, outcome: object) -> None:
        from app.roofline import figures, measuring, report

        self._going = False
        view = self._window.window
        if isinstance(outcome, Failure):
            view.show_found(outcome.sentence, ())
        elif isinstance(outcome, Where):
            view.show_found(report.answer(outcome), report.where_shares(outcome), report.slowed(outcome))
        elif isinstance(outcome, measuring.RooflineResult):
            drafts = self._playground.state.model is not None and self._playground.state.model.draft is not None
            view.show_found(outcome.ceiling.sentence, report.shares(outcome), figures.DRAFTED if drafts else "")
            self.ceiling_known.emit(outcome.ceiling)
        else:
            view.show_found("", ())
        self._allow(self._playground.state)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.model is not old.model:
            self._tasks.start(self._look(new.model), "look")
        self._allow(new)

    async def _look(self, model: Model | None) -> None:
        """For what was measured of it before."""
        if model is None or model.server:
            self.ceiling_known.emit(None)
            return
        found = await self._tasks.tried(_known, self._data, model)
        self.ceiling_known.emit(None if isinstance(found, Failure) else found)

    def _allow(self, state: State) -> None:
        known = self._playground.book.models.known
        run, ready = _possible(state, known)
        if self._actions:
            self._actions["measure_closely"].setEnabled(run)
        if self._window.made is not None:
            self._window.made.allow(run, ready, self._going, _unlike(state, known))


def _possible(state: State, known: conversation.Known) -> tuple[bool, bool]:
    """Whether the last run, and whether the open model, can be measured."""
    ready = state.phase is Phase.READY and state.model is not None and not state.model.server
    run = state.last_run
    return ready and run is not None and run.finish.wire is None and not _unlike(state, known), ready


def _unlike(state: State, known: conversation.Known) -> str:
    """Why the open model would not write the last run again."""
    run, model = state.last_run, state.model
    return conversation.mismatch_reason(run, model, known) if run is not None and model is not None else ""


def _known(folder: Path, model: Model) -> Roofline | None:
    from app.roofline import measurement_store

    return measurement_store.CEILINGS.find(folder, measurement_store.machine_key(model))
