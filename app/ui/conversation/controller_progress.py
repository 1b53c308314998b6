"""How far a load or a prompt has come, above the answer and on the empty page."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject

from app.bridge.playground import Playground
from app.engine.meter.frame import Frame, PrefillProgress
from app.engine.remote.address import server_model
from app.engine.types import LoadRequest, Prefill
from app.state import RUNNING, Phase, State
from app.ui.conversation.first_prompts import FirstPrompt, of_kind
from app.ui.conversation.progress import ProgressRow
from app.ui.conversation.welcome import Welcome

Brought = Mapping[Path, tuple[FirstPrompt, ...]]
"""The prompts that come with a model, by its folder."""


class ProgressController(QObject):
    """Follows the playground: its phases, its runs and what is read beside them."""

    def __init__(
        self, playground: Playground, row: ProgressRow, welcome: Welcome, brought: Brought, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._brought = brought
        self._row = row
        self._welcome = welcome
        self._began = 0.0
        row.cancelled.connect(playground.stop)
        welcome.demo_requested.connect(self._open_demo)
        playground.changed.connect(self._on_changed)
        playground.advanced.connect(self._on_advanced)
        playground.replay_advanced.connect(self._on_advanced)
        playground.weighing.connect(self._on_weighing)
        self._show(playground.state)

    def _on_changed(self, old: State, new: State) -> None:
        if new.phase is Phase.PREFILLING and old.phase is not Phase.PREFILLING:
            self._began = 0.0
        told = [(state.phase, state.model, state.loading, state.observing) for state in (old, new)]
        if told[0] != told[1]:
            self._show(new)

    def _show(self, state: State) -> None:
        if state.phase is Phase.LOADING:
            name = _short(state.wanted)
            self._row.show_loading(name, state.loading)
            self._welcome.show_loading(name, self._brought.get(Path(state.wanted), ()))
        elif state.phase is Phase.STOPPING:
            self._row.show_stopping()
        elif state.phase not in RUNNING:
            self._row.clear()
            if (model := state.model) is not None:
                offers = self._brought.get(model.folder) or of_kind(model)
                self._welcome.show_ready(model.name, offers, state.observing and model.can.observe)
            else:
                self._welcome.show_no_model(state.wanted if state.failure is not None else "", bool(self._brought))

    def _open_demo(self) -> None:
        self._playground.load(LoadRequest(str(next(iter(self._brought)))))

    def _on_advanced(self, frame: Frame) -> None:
        if frame.prefill is not None:
            self._row.show_prefill(frame.prefill, frame.figures.elapsed)
        elif frame.tokens:
            self._row.clear()

    def _on_weighing(self, prefill: Prefill) -> None:
        """A prompt is read for how surprising its tokens are."""
        self._began = self._began or prefill.at
        if self._playground.state.phase is Phase.PREFILLING:
            progress = PrefillProgress(prefill.done, prefill.total, 0, None)
            self._row.show_prefill(progress, prefill.at - self._began)


def _short(model: str) -> str:
    """The last part of a path or an id: what people call a model."""
    elsewhere = server_model(model)
    return elsewhere.name if elsewhere is not None else model.replace("\\", "/").rstrip("/").rpartition("/")[2]
