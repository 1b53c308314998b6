"""Has a prompt read for how surprising its tokens are, when the pane asks for it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from app.bridge.playground import Playground
from app.engine.frame import PrefillProgress
from app.engine.types import Failure, Prefill, Stopped, Weighed
from app.state import Phase, State
from app.ui.shell.layout import Layout


class SurpriseController(QObject):
    """The pane asks, the playground answers; on the way the row of progress tells how far it has come."""

    def __init__(self, playground: Playground, parts: Layout, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._parts = parts
        self._began = 0.0
        parts.exact_prompt.surprise_wanted.connect(self._ask)
        playground.changed.connect(self._on_changed)
        playground.weighing.advanced.connect(self._on_advanced)
        playground.weighed.connect(self._on_weighed)

    @Slot(object)
    def _ask(self, ids: tuple[int, ...]) -> None:
        self._began = 0.0
        if not self._playground.weigh(ids):
            self._parts.exact_prompt.drop_surprise()

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.model is not old.model:
            self._parts.exact_prompt.drop_surprise()
        self._parts.exact_prompt.allow_surprise(new.phase is Phase.READY)

    @Slot(object)
    def _on_advanced(self, prefill: Prefill) -> None:
        self._began = self._began or prefill.at
        if self._playground.state.phase is Phase.PREFILLING:
            progress = PrefillProgress(prefill.done, prefill.total, 0, None)
            self._parts.progress.show_prefill(progress, prefill.at - self._began)

    @Slot(object)
    def _on_weighed(self, outcome: Weighed | Failure | Stopped) -> None:
        if isinstance(outcome, Weighed):
            self._parts.exact_prompt.show_weighed(outcome)
        else:
            self._parts.exact_prompt.drop_surprise()
