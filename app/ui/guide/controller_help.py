"""The Help menu: newer versions, what a report of a problem needs, whose work this is."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app import PROBLEMS_PAGE, RELEASES_PAGE
from app.actions import Intent
from app.bridge.errands import Errands
from app.bridge.playground import Playground
from app.engine.types import Failure
from app.records.surroundings import versions
from app.records.types import Versions
from app.ui.feature import Feature
from app.ui.guide import boxes
from app.ui.look.theme import Theme
from app.ui.widgets.lazy_window import LazyWindow
from app.words import tr

if TYPE_CHECKING:
    from app.licences import Licence
    from app.ui.guide.licences_dialog import LicencesDialog


class HelpController(Feature):
    """Nothing is asked of the network here: the browser does that, when the user has seen the address."""

    ahead = ("app.licences", "app.ui.guide.licences_dialog", "app.report")

    def __init__(self, playground: Playground, theme: Theme, resources: Path | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._resources = resources or Path()
        self._window = parent
        self._errands = Errands(self)
        self._failure: Failure | None = None
        self._licences = LazyWindow(self._make_licences)
        playground.failed.connect(self._remember)

    def actions(self) -> dict[str, Intent]:
        return {
            "check_updates": partial(boxes.open_link, self._window, RELEASES_PAGE),
            "report_problem": self.report_problem,
            "licences": self._licences.bring_up,
        }

    @Slot()
    def report_problem(self) -> None:
        self._errands.run("versions", versions, self._show_report)

    def close(self) -> None:
        """Nothing arrives any more."""
        self._errands.close()

    def _make_licences(self) -> LicencesDialog:
        from app import licences
        from app.ui.guide.licences_dialog import LicencesDialog

        texts = self._resources / "licences"
        own = self._resources.parent / "LICENSE"
        self._errands.run("licences", partial(licences.everything, texts, own), self._show_parts)
        return LicencesDialog(self._theme, self._window)

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
        if isinstance(answer, Failure):
            self._licences.window.say(tr("The licences could not be read. {todo}").format(todo=answer.todo))
        else:
            self._licences.window.show_parts(answer)
