"""The Help menu: check for a newer version, report a problem, and licenses."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app import PROBLEMS_PAGE, RELEASES_PAGE
from app.actions import Intent
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.i18n import tr
from app.records.run_environment import versions
from app.ui.feature import Feature
from app.ui.guide import boxes
from app.ui.look import Theme
from app.ui.widgets import LazyWindow

if TYPE_CHECKING:
    from app.ui.guide.licenses_dialog import LicencesDialog


class HelpController(Feature):
    """Controller of the Help menu. It opens addresses in the browser after confirmation. Sluice itself makes no
    request.
    """

    ahead = ("app.platform.licenses", "app.ui.guide.licenses_dialog", "app.records.problem_report")

    def __init__(self, playground: Playground, theme: Theme, resources: Path | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._resources = resources or Path()
        self._window = parent
        self._tasks = Tasks(self)
        self._failure: Failure | None = None
        self._licences = LazyWindow(self._make_licences)
        playground.failed.connect(self._remember)

    def actions(self) -> dict[str, Intent]:
        return {
            "check_updates": partial(boxes.open_link, self._window, RELEASES_PAGE),
            "report_problem": self.report_problem,
            "licences": self._licences.bring_up,
        }

    def report_problem(self) -> None:
        self._tasks.start(self._show_report(), "versions")

    def _make_licences(self) -> LicencesDialog:
        from app.ui.guide.licenses_dialog import LicencesDialog

        dialog = LicencesDialog(self._theme, self._window)
        self._tasks.start(self._show_parts(dialog))
        return dialog

    def _remember(self, failure: Failure) -> None:
        self._failure = failure

    async def _show_report(self) -> None:
        from app.records.problem_report import report

        text = report(await self._tasks.in_thread(versions), self._failure)
        QGuiApplication.clipboard().setText(text)
        boxes.tell_report(self._window, text, PROBLEMS_PAGE)

    async def _show_parts(self, dialog: LicencesDialog) -> None:
        from app.platform import licenses

        texts, own = self._resources / "licences", self._resources.parent / "LICENSE"
        answer = await self._tasks.try_in_thread(licenses.everything, texts, own)
        if isinstance(answer, Failure):
            dialog.say(tr("The licenses could not be read. {todo}").format(todo=answer.todo))
        else:
            dialog.show_parts(answer)
