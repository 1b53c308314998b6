"""Has a prompt read for how surprising its tokens are, when the pane asks for it."""

from PySide6.QtCore import QObject

from app.bridge.playground import Playground
from app.engine.types import Failure, Stopped, TokenWeights
from app.state import Phase, State
from app.ui.prompt.exact_prompt import ExactPromptPane


class SurpriseController(QObject):
    """The pane asks, the playground answers."""

    def __init__(self, playground: Playground, pane: ExactPromptPane, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._pane = pane
        pane.surprise_wanted.connect(self._ask)
        playground.changed.connect(self._on_changed)
        playground.weighed.connect(self._on_weighed)

    def _ask(self, ids: tuple[int, ...]) -> None:
        if not self._playground.weigh(ids):
            self._pane.drop_surprise()

    def _on_changed(self, old: State, new: State) -> None:
        strengths = [state.controls.sampling.adapter_strength for state in (old, new)]
        if new.model is not old.model or strengths[0] != strengths[1]:
            self._pane.drop_surprise()
        self._pane.allow_surprise(new.phase is Phase.READY)

    def _on_weighed(self, outcome: TokenWeights | Failure | Stopped) -> None:
        if isinstance(outcome, TokenWeights):
            self._pane.show_weighed(outcome)
        else:
            self._pane.drop_surprise()
