"""All downloads, one under the other; there only while there are any."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.library.types import DownloadJob
from app.ui.look import GAP_PX, Theme
from app.ui.picker.download_row import DownloadRow
from app.ui.widgets import ScrollColumn, in_column

HIGHEST_PX = 132


class DownloadsList(ScrollColumn):
    """Tells the wishes of its rows."""

    pause_wanted = Signal(str)
    resume_wanted = Signal(str)
    cancel_wanted = Signal(str)
    dismiss_wanted = Signal(str)
    open_wanted = Signal(object)
    """The folder of a model that is whole."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("downloads", tr("Downloads"), tr("Models that are being fetched, each with its progress"))
        self._theme = theme
        self._rows: dict[str, DownloadRow] = {}
        self._inside = QWidget()
        self._column = in_column(..., on=self._inside, gap=0, margins=(0, 0, GAP_PX, 0))
        self.setWidget(self._inside)
        self.hide()

    def show_jobs(self, jobs: Sequence[DownloadJob]) -> None:
        """As they stand now; rows stay the same widgets, so that a click never misses."""
        for model_id in self._rows.keys() - {job.model_id for job in jobs}:
            row = self._rows.pop(model_id)
            row.hide()
            row.deleteLater()
        for job in jobs:
            if job.model_id in self._rows:
                self._rows[job.model_id].show_job(job)
            else:
                self._add(job)
        self.setVisible(bool(jobs))
        self._fit_height()

    def _add(self, job: DownloadJob) -> None:
        row = self._rows[job.model_id] = DownloadRow(self._theme, job, self)
        row.fold.toggled.connect(self._fit_height)
        self._column.insertWidget(self._column.count() - 1, row)

    @Slot()
    def _fit_height(self) -> None:
        """As high as the rows are, up to a limit."""
        for row in self._rows.values():
            row.settle()
        self._column.invalidate()
        height = self._column.totalHeightForWidth(self.viewport().width())
        edge = self.height() - self.contentsRect().height()
        self.setFixedHeight(min(HIGHEST_PX, max(height, self._column.totalMinimumSize().height())) + edge)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit_height()
