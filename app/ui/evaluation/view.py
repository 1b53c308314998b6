"""The window of prompt sets: pages from left to right as one works, over one foot."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QTabWidget, QWidget

from app.evaluation.reading import SUFFIXES
from app.i18n import tr
from app.ui.evaluation.history_page import StudiesPage
from app.ui.evaluation.results_page import ResultsPage
from app.ui.evaluation.set_page import SetPage
from app.ui.evaluation.variants_page import ArmsPage
from app.ui.look import GAP_PX, MARGIN_PX, Theme, scaled
from app.ui.widgets import file_opening, in_column, in_row, named, push_button
from app.ui.widgets.start_window import StartWindow

FOOT_PX, MOST_OF_IT = 340, 3
"""The foot is so wide where there is room, whatever the buttons beside it leave."""
SET, ARMS, RESULTS, EARLIER = range(4)
KINDS = tr("Prompt sets ({kinds});;All files (*)").format(kinds=" ".join(f"*{each}" for each in SUFFIXES))


class SetsView(StartWindow):
    """Pause is there while rows are asked."""

    pause_wanted, command_wanted, export_wanted, session_wanted = Signal(), Signal(), Signal(), Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        tip = tr("Have every row answered by every variant")
        super().__init__(theme, parent, "sets", tr("Prompt Sets"), tip, takes_files=True)
        self.set, self.arms, self.results = SetPage(theme), ArmsPage(theme), ResultsPage(theme)
        self.studies = StudiesPage(theme)
        self.fields = (self.arms, self.studies)
        self.tabs = named(QTabWidget(), "sets_tabs", tr("Steps"))
        tip = tr("Finish the rows in hand; Start goes on from there, also after a restart")
        self.pause = push_button("sets_pause", tr("Pause"), tip, press=self.pause_wanted)
        tip = tr("The command that does this without a window")
        self._command = push_button("sets_command", tr("Copy command"), tip, press=self.command_wanted)
        tip = tr("Save what was found: CSV, JSONL, Markdown, or a page for any browser")
        self._export = push_button("sets_export", tr("Export…"), tip, press=self.export_wanted)
        tip = tr("Every answer is recorded: open the session that has those of the chosen row")
        self._session = push_button("sets_session", tr("Open runs"), tip, press=self.session_wanted)
        self._lay_out(theme)
        self.set.file_wanted.connect(self._ask_file)
        self.set.folder_wanted.connect(self._ask_folder)
        self.offer(has_set=False, found=False)
        self.set.file.setFocus()

    def offer(self, *, has_set: bool, found: bool) -> None:
        """What can be done with what there is."""
        for page in (ARMS, RESULTS):
            if self.tabs.isTabEnabled(page) is not has_set:  # enables the page too, which `allow` may have disabled
                self.tabs.setTabEnabled(page, has_set)
        self._command.setEnabled(has_set)
        self._export.setEnabled(found)
        self._session.setEnabled(found)

    def turn_to(self, page: int) -> None:
        self.tabs.setCurrentIndex(page)

    def allow(self, allowed: bool) -> None:
        super().allow(allowed)
        self.set.allow(allowed)
        self.pause.setVisible(not allowed)

    @Slot()
    def _ask_file(self) -> None:
        file_opening.ask_file(self, tr("Open a Prompt Set"), KINDS, self.file_taken.emit)

    @Slot()
    def _ask_folder(self) -> None:
        file_opening.ask_folder(self, tr("A Folder of Texts"), self.file_taken.emit)

    def _lay_out(self, theme: Theme) -> None:
        titles = tr("Set"), tr("Variants and check"), tr("Results"), tr("Earlier studies")
        for title, page in zip(titles, (self.set, self.arms, self.results, self.studies), strict=True):
            self.tabs.addTab(page, title)
        self.tabs.setDocumentMode(True)
        self.pause.hide()
        scaled(theme, self.foot, QWidget.setMaximumWidth, FOOT_PX)
        buttons = in_column(..., in_row(self._command, self._session, self._export, ..., self.pause))
        foot = in_row((buttons, 1), (self.foot, MOST_OF_IT, Qt.AlignmentFlag.AlignBottom))
        in_column((self.tabs, 1), foot, on=self, gap=GAP_PX, margins=MARGIN_PX)
