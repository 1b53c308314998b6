"""The Help menu: newer versions, what a report of a problem needs, whose work this is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app import PROBLEMS_PAGE, RELEASES_PAGE
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.records.surroundings import versions
from app.ui.guide import boxes
from app.ui.look.theme import Theme
from app.words import tr

if TYPE_CHECKING:
    from app.ui.guide.licences_dialog import LicencesDialog


class HelpController(QObject):
    """Nothing is asked of the network here: the browser does that, when the user has seen the address."""

    def __init__(self, playground: Playground, theme: Theme, resources: Path | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._resources = resources or Path()
        self._window = parent
        self._tasks = Tasks(self)
        self._failure: Failure | None = None
        self._licences: LicencesDialog | None = None
        playground.failed.connect(self._remember)

    @Slot()
    def check_for_updates(self) -> None:
        boxes.open_link(self._window, RELEASES_PAGE)

    @Slot()
    def report_problem(self) -> None:
        self._tasks.start(self._show_report(), "versions")

    @Slot()
    def show_licences(self) -> None:
        if self._licences is None:
            from app.ui.guide.licences_dialog import LicencesDialog

            self._licences = LicencesDialog(self._theme, self._window)
            self._tasks.start(self._show_parts(self._licences))
        self._licences.show()
        self._licences.raise_()
        self._licences.activateWindow()

    def close(self) -> None:
        """Nothing arrives any more."""
        self._tasks.close()

    @Slot(object)
    def _remember(self, failure: Failure) -> None:
        self._failure = failure

    async def _show_report(self) -> None:
        from app.report import report

        text = report(await self._tasks.in_thread(versions), self._failure)
        QGuiApplication.clipboard().setText(text)
        boxes.tell_report(self._window, text, PROBLEMS_PAGE)

    async def _show_parts(self, dialog: LicencesDialog) -> None:
        from app import licences

        texts, own = self._resources / "licences", self._resources.parent / "LICENSE"
        answer = await self._tasks.tried(licences.everything, texts, own)
        if isinstance(answer, Failure):
            dialog.say(tr("The licences could not be read. {todo}").format(todo=answer.todo))
        else:
            dialog.show_parts(answer)
