"""What happens at a click on what a sanity light offers."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from app.bridge.playground import Playground
from app.controls import Mode
from app.engine.prompt_warnings import QuickFix
from app.engine.types import ExactPrompt
from app.ui.prompt.editor import PromptEditor
from app.ui.prompt.exact_prompt import ExactPromptPane


class LightActionsController(QObject):
    """Nothing here loses a text: each mode keeps its own, and every edit can be undone."""

    reply_start_wanted = Signal()

    def __init__(
        self, playground: Playground, prompt: PromptEditor, exact_prompt: ExactPromptPane, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._prompt = prompt
        self._exact_prompt = exact_prompt
        self._actions: Mapping[str, QAction] = {}
        self._ways: dict[QuickFix, Callable[[ExactPrompt | None], object]] = {
            QuickFix.USE_CHAT: lambda _: self._switch(Mode.CHAT),
            QuickFix.USE_RAW: lambda _: self._switch(Mode.RAW),
            QuickFix.DROP_BOS: self._drop_bos,
            QuickFix.SHOW_TOKENS: self._show_tokens,
            QuickFix.START_REPLY: lambda _: self.reply_start_wanted.emit(),
            QuickFix.DROP_OLDEST: lambda _: playground.delete(0),
        }

    def join(self, actions: Mapping[str, QAction]) -> None:
        """The actions of the window, of which one shows the exact prompt."""
        self._actions = actions

    def go(self, way_on: QuickFix, prompt: ExactPrompt | None) -> None:
        """Do what was offered for this prompt."""
        self._ways[way_on](prompt)

    def _switch(self, mode: Mode) -> None:
        """What is typed comes along where the other mode has nothing yet."""
        text = self._prompt.text()
        self._playground.set_controls(replace(self._playground.state.controls, mode=mode))
        if not self._prompt.text():
            self._prompt.set_text(text)
        self._prompt.setFocus()

    def _drop_bos(self, prompt: ExactPrompt | None) -> None:
        if prompt is not None:
            start, end = prompt.offsets[0]
            self._prompt.set_text(self._prompt.text().removeprefix(prompt.text[start:end]))

    def _show_tokens(self, prompt: ExactPrompt | None) -> None:
        if not self._actions["toggle_exact_prompt"].isChecked():
            self._actions["toggle_exact_prompt"].trigger()
        if prompt is not None and prompt.taken_for_special:
            first = prompt.taken_for_special[0][0]
            token = next(index for index, (start, _) in enumerate(prompt.offsets) if start >= first)
            self._exact_prompt.tokens.setFocus()
            self._exact_prompt.tokens.reveal(token)
