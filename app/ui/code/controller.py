"""The ways to the code of a run: the menu, the turn's own menu, the line of the ending."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.playground import Playground
from app.state import Phase
from app.ui.document.turns import TurnAction
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.widgets import NoticeBar

if TYPE_CHECKING:
    from app.ui.code.controller_window import CodeWindowController


class CodeController(Feature):
    """Makes the desk when somebody first wants code: what it imports would keep the first paint waiting.

    `typed` tells what Send would send; what there is no code of is said in `notice`.
    """

    ahead = ("app.ui.code.controller_window",)

    def __init__(
        self, playground: Playground, typed: Callable[[], str], notice: NoticeBar, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._around = typed, notice, theme, parent
        playground.changed.connect(self._allow)

    def actions(self) -> dict[str, Intent]:
        copies: dict[str, Intent] = {
            "copy_python": lambda: self._desk.copy_python(),
            "copy_command": lambda: self._desk.copy_command(),
        }
        return {"view_code": self.view, **copies}

    def joined(self) -> None:
        self._allow()

    @cached_property
    def _desk(self) -> CodeWindowController:
        from app.ui.code.controller_window import CodeWindowController

        return CodeWindowController(self._playground, *self._around)

    @Slot()
    def view(self) -> None:
        self._desk.view()

    @Slot()
    def view_template(self) -> None:
        self._desk.view_template()

    @Slot(object, int)
    def take_wish(self, wish: TurnAction, index: int) -> None:
        """From the menu of a turn."""
        if wish == TurnAction.VIEW_CODE:
            self._desk.view_turn(index)

    @Slot()
    def _allow(self) -> None:
        for name in self.actions():
            self._actions[name].setEnabled(self._playground.state.phase is Phase.READY)
