"""Opens the window of perplexity."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.model_sources import ModelFolders
from app.bridge.playground import Playground
from app.records.types import SessionId
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.widgets import LazyWindow

if TYPE_CHECKING:
    from app.ui.perplexity.window import PerplexityWindow


class PerplexityController(Feature):
    """Creates the window at first use."""

    ahead = ("app.perplexity.measuring", "app.ui.perplexity.window")

    def __init__(
        self, playground: Playground, theme: Theme, bundled: Path, folders: ModelFolders, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._parts = playground, theme, bundled, folders, parent
        self._window = LazyWindow(self._make)

    def actions(self) -> dict[str, Intent]:
        return {"weigh_text": self._window.bring_up, "weigh_demo": self._start_example}

    def take_session(self, session: SessionId) -> None:
        self._window.bring_up()
        self._window.window.take_session(session)

    def close(self) -> None:
        if self._window.made is not None:
            self._window.made.leave()

    def discard(self) -> None:
        if self._window.made is not None:
            self._window.made.discard()

    def _start_example(self) -> None:
        self._window.bring_up()
        self._window.window.start_example()

    def _make(self) -> PerplexityWindow:
        from app.ui.perplexity.window import PerplexityWindow

        return PerplexityWindow(*self._parts)
