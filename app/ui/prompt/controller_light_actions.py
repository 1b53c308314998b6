"""What happens at a click on what a sanity light offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from app.bridge.playground import Playground
from app.controls import Mode
from app.engine.lights import WayOn
from app.engine.types import ExactPrompt
from app.ui.shell.layout import Layout


class LightActionsController(QObject):
    """Nothing here loses a text: each mode keeps its own, and every edit can be undone."""

    def __init__(self, playground: Playground, parts: Layout, acts: Mapping[str, QAction], parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._parts = parts
        self._acts = acts
        self._ways: dict[WayOn, Callable[[ExactPrompt | None], object]] = {
            WayOn.USE_CHAT: lambda _: self._switch(Mode.CHAT),
            WayOn.USE_RAW: lambda _: self._switch(Mode.RAW),
            WayOn.DROP_BOS: self._drop_bos,
            WayOn.SHOW_TOKENS: self._show_tokens,
            WayOn.START_REPLY: lambda _: self._start_reply(),
            WayOn.DROP_OLDEST: lambda _: playground.delete(0),
        }

    @Slot(object, object)
    def go(self, way_on: WayOn, prompt: ExactPrompt | None) -> None:
        """Do what was offered for this prompt."""
        self._ways[way_on](prompt)

    def _switch(self, mode: Mode) -> None:
        """What is typed comes along where the other mode has nothing yet."""
        text = self._parts.prompt.text()
        self._playground.set_controls(replace(self._playground.state.controls, mode=mode))
        if not self._parts.prompt.text():
            self._parts.prompt.set_text(text)
        self._parts.prompt.setFocus()

    def _drop_bos(self, prompt: ExactPrompt | None) -> None:
        if prompt is not None:
            start, end = prompt.offsets[0]
            self._parts.prompt.set_text(self._parts.prompt.text().removeprefix(prompt.text[start:end]))

    def _show_tokens(self, prompt: ExactPrompt | None) -> None:
        if not self._acts["toggle_exact_prompt"].isChecked():
            self._acts["toggle_exact_prompt"].trigger()
        if prompt is not None and prompt.taken_for_special:
            first = prompt.taken_for_special[0][0]
            token = next(index for index, (start, _) in enumerate(prompt.offsets) if start >= first)
            self._parts.exact_prompt.tokens.setFocus()
            self._parts.exact_prompt.tokens.reveal(token)

    def _start_reply(self) -> None:
        if not self._acts["toggle_controls"].isChecked():
            self._acts["toggle_controls"].trigger()
        self._parts.template_section.open()
        self._parts.template.write_reply_start()
