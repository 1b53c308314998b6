"""The code of a run, or of the one that Send would start: shown beside the window, or copied at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.playground import Playground
from app.engine.types import Failure
from app.i18n import tr
from app.state import Phase
from app.ui.document.turns import TurnAction
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.widgets import LazyWindow, NoticeBar

if TYPE_CHECKING:
    from app.ui.code.controller_run_code import RunCode
    from app.ui.code.dialog import CodeDialog, TemplateDialog

NO_RUN = Failure(tr("No run wrote this turn."), tr("Regenerate it, and there will be one."), kind="no code")


class CodeController(Feature):
    """`typed` tells what Send would send; what there is no code of is said in `notice`.

    What code is made with is imported when somebody first wants some: it would keep the first paint waiting.
    """

    ahead = ("app.ui.code.controller_run_code", "app.ui.code.dialog")

    def __init__(
        self, playground: Playground, typed: Callable[[], str], notice: NoticeBar, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._typed = typed
        self._notice = notice
        self._theme = theme
        self._window = parent
        self._dialog = LazyWindow(self._make)
        self._template = LazyWindow(self._make_template)
        playground.changed.connect(self._allow)

    def actions(self) -> dict[str, Intent]:
        return {"view_code": self.view, "copy_python": self.copy_python, "copy_command": self.copy_command}

    def joined(self) -> None:
        self._allow()

    @Slot()
    def view(self) -> None:
        self._show(self._present())

    @Slot()
    def view_template(self) -> None:
        """The chat template of the open model."""
        if (model := self._playground.state.model) is not None:
            self._template.window.show_template(model.name, model.template)
            self._template.bring_up()

    @Slot(object, int)
    def take_wish(self, wish: TurnAction, index: int) -> None:
        """From the menu of a turn."""
        if wish == TurnAction.VIEW_CODE:
            from app.ui.code.controller_run_code import of_run

            state = self._playground.state
            runs = state.turns[index].runs
            known = self._playground.book.models.known
            self._show(of_run(self._playground.load_full(runs[-1]), state.model, known) if runs else NO_RUN)

    @Slot()
    def copy_python(self) -> None:
        coded = self._present()
        self._copy(coded if isinstance(coded, Failure) else coded.python())

    @Slot()
    def copy_command(self) -> None:
        coded = self._present()
        command = coded if isinstance(coded, Failure) else coded.command()
        self._copy(command if isinstance(command, Failure) else command.line)

    def _make(self) -> CodeDialog:
        from app.ui.code.dialog import CodeDialog

        return CodeDialog(self._theme, self._window)

    def _make_template(self) -> TemplateDialog:
        from app.ui.code.dialog import TemplateDialog

        return TemplateDialog(self._theme, self._window)

    def _present(self) -> RunCode | Failure:
        from app.ui.code.controller_run_code import of_next, of_run

        state = self._playground.state
        if state.last_run is not None:
            return of_run(state.last_run, state.model, self._playground.book.models.known)
        return of_next(state, self._typed())

    def _show(self, coded: RunCode | Failure) -> None:
        if isinstance(coded, Failure):
            self._notice.show_failure(coded)
            return
        command = coded.command()
        line, remarks = ("", (command.sentence,)) if isinstance(command, Failure) else (command.line, command.remarks)
        self._dialog.window.show_code(coded.title, coded.about, coded.python(), line, remarks)
        self._dialog.bring_up()

    def _copy(self, text: str | Failure) -> None:
        if isinstance(text, Failure):
            self._notice.show_failure(text)
        else:
            QGuiApplication.clipboard().setText(text)

    @Slot()
    def _allow(self) -> None:
        for name in self.actions():
            self._actions[name].setEnabled(self._playground.state.phase is Phase.READY)
