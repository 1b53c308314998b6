"""Shows or copies the script of the last run, or of the run that Send would start."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

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

NO_RUN = Failure(tr("No run generated this turn."), tr("Regenerate the turn to get its code."), kind="no code")


class CodeController(Feature):
    """`typed` returns the prompt field's text; `notice` shows why there is no script.

    The scripts' modules take 60 ms to import, so they are imported at the first use.
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
        return {"view_code": self.view, "copy_python": self.copy_python}

    def joined(self) -> None:
        self._allow()

    def view(self) -> None:
        self._show(self._present())

    def view_template(self) -> None:
        """Return the chat template of the open model."""
        if (model := self._playground.state.model) is not None:
            self._template.window.show_text(tr("Chat template of {model}").format(model=model.name), model.template)
            self._template.bring_up()

    def take_wish(self, wish: TurnAction, index: int) -> None:
        """Follow a choice in the menu of a turn."""
        if wish == TurnAction.VIEW_CODE:
            from app.ui.code.controller_run_code import of_run

            state = self._playground.state
            runs = state.turns[index].runs
            known = self._playground.book.models.known
            self._show(of_run(self._playground.load_full(runs[-1]), state.model, known) if runs else NO_RUN)

    def copy_python(self) -> None:
        coded = self._present()
        if isinstance(coded, Failure):
            self._notice.show_failure(coded)
        else:
            QGuiApplication.clipboard().setText(coded.python())

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
        else:
            self._dialog.window.show_text(coded.title, coded.python(), coded.about)
            self._dialog.bring_up()

    def _allow(self) -> None:
        for name in self.actions():
            self._actions[name].setEnabled(self._playground.state.phase is Phase.READY)
