"""The ways to the code of a run: the menu, the turn's own menu, the line of the ending."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from app.bridge.playground import Playground
from app.ui.document.turns import TurnAction
from app.ui.look.theme import Theme
from app.ui.shell.layout import Layout

if TYPE_CHECKING:
    from app.ui.code.controller_window import CodeWindowController


class CodeController(QObject):
    """Makes the desk when somebody first wants code: what it imports would keep the first paint waiting."""

    def __init__(self, playground: Playground, parts: Layout, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground = playground
        self._parts = parts
        self._theme = theme
        self._window = parent
        self._made: CodeWindowController | None = None
        parts.transcript.wanted.connect(self._view_turn)
        parts.ending.code_wanted.connect(self.view)

    @property
    def desk(self) -> CodeWindowController:
        if self._made is None:
            from app.ui.code.controller_window import CodeWindowController

            self._made = CodeWindowController(self._playground, self._parts, self._theme, self._window)
        return self._made

    @Slot()
    def view(self) -> None:
        self.desk.view()

    @Slot()
    def copy_python(self) -> None:
        self.desk.copy_python()

    @Slot()
    def copy_command(self) -> None:
        self.desk.copy_command()

    @Slot(object, int)
    def _view_turn(self, wish: TurnAction, index: int) -> None:
        if wish == TurnAction.VIEW_CODE:
            self.desk.view_turn(index)
