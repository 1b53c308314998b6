"""The Help menu: newer versions, what a report of a problem needs, whose work this is."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app import PROBLEMS_PAGE, RELEASES_PAGE
from app.bridge.errands import Errands
from app.bridge.playground import Playground
from app.engine.types import Failure
from app.records.surroundings import versions
from app.records.types import Versions
from app.ui.guide import boxes
from app.ui.look.theme import Theme
from app.words import tr

if TYPE_CHECKING:
    from app.licences import Licence
    from app.ui.guide.licences_dialog import LicencesDialog


class HelpController(QObject):
    """Nothing is asked of the network here: the browser does that, when the user has seen the address."""

    def __init__(self, playground: Playground, theme: Theme, resources: Path | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._resources = resources or Path()
        self._window = parent
        self._errands = Errands(self)
        self._failure: Failure | None = None
        self._licences: LicencesDialog | None = None
        playground.failed.connect(self._remember)

    @Slot()
    def check_for_updates(self) -> None:
        boxes.open_link(self._window, RELEASES_PAGE)

    @Slot()
    def report_problem(self) -> None:
        self._errands.run("versions", versions, self._show_report)

    @Slot()
    def show_licences(self) -> None:
        if self._licences is None:
            from app import licences
            from app.ui.guide.licences_dialog import LicencesDialog

            self._licences = LicencesDialog(self._theme, self._window)
            texts = self._resources / "licences"
            own = self._resources.parent / "LICENSE"
            self._errands.run("licences", partial(licences.everything, texts, own), self._show_parts)
        self._licences.show()
        self._licences.raise_()
        self._licences.activateWindow()

    def close(self) -> None:
        """Nothing arrives any more."""
        self._errands.close()

    @Slot(object)
    def _remember(self, failure: Failure) -> None:
        self._failure = failure

    def _show_report(self, answer: Versions | Failure) -> None:
        from app.report import report

        if not isinstance(answer, Failure):
            text = report(answer, self._failure)
            QGuiApplication.clipboard().setText(text)
            boxes.tell_report(self._window, text, PROBLEMS_PAGE)

    def _show_parts(self, answer: tuple[Licence, ...] | Failure) -> None:
        if self._licences is None:
            return
        if isinstance(answer, Failure):
            self._licences.say(tr("The licences could not be read. {todo}").format(todo=answer.todo))
        else:
            self._licences.show_parts(answer)
