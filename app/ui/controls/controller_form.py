"""Looks at a form while it is typed, aside from the window: it is compiled where it can do no harm."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from app.bridge.playground import Playground
from app.engine.forms.grammar import why_not
from app.engine.types import Form
from app.state import State
from app.ui.controls import ControlsPanel

KIND = "the form"
PAUSE_S = 0.3
"""So long nothing may be typed."""


class FormController(QObject):
    """The newest form is looked at; what is still being looked at of an older one is dropped."""

    def __init__(self, playground: Playground, panel: ControlsPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks, self._part = playground.tasks, panel.form
        playground.changed.connect(self._on_changed)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.controls.form != old.controls.form:
            self._tasks.start(self._look(new.controls.form), KIND)

    async def _look(self, form: Form) -> None:
        import asyncio  # with the first form

        if form:
            await asyncio.sleep(PAUSE_S)
        self._part.complain(form, await self._tasks.in_thread(why_not, form) if form else "")
