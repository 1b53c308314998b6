"""The list of downloads in the picker, shown only while there are any."""

from collections.abc import Container, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.definitions import meaning
from app.i18n import tr
from app.library.types import DownloadJob, DownloadState
from app.number_format import size
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.picker.download_strip import ACTIVE, file_line, status_text
from app.ui.widgets import (
    OneLine,
    ScrollColumn,
    SmallPrint,
    ThinBar,
    as_tip,
    in_column,
    in_grid,
    named,
    push_button,
    tool_button,
)

MAX_HEIGHT_PX = 132
SHARE_OF_NAME = 0.4
"""Maximum share of the row's width."""
OF_MODEL = tr("{action} {model}")
DISMISS = (tr("Dismiss"), tr("Remove this message; the model stays"))
CANCEL = (tr("Cancel"), tr("Stop the download, and delete the received data"))
DELETE, KEEP = (tr("Delete"), CANCEL[1]), (tr("Keep"), tr("Cancel (Esc)"))
ASKED = tr("Stop the download, and delete the {size} received so far?")
MUCH_BYTES = 100_000_000
"""More bytes than this are deleted only after a question."""


class DownloadsList(ScrollColumn):
    """The list of downloads. It emits the signals of all its rows."""

    pause_wanted = Signal(str)
    resume_wanted = Signal(str)
    cancel_wanted = Signal(str)
    dismiss_wanted = Signal(str)
    open_wanted = Signal(object)
    """The folder of a complete model."""

    def __init__(self, theme: Theme, name: str = "downloads", only: Container[str] | None = None) -> None:
        """`only`: ids of the models whose downloads are shown; None: all."""
        super().__init__(name, tr("Downloads"), tr("Current downloads with their progress"))
        self._theme = theme
        self._only = only
        self._rows: dict[str, DownloadRow] = {}
        self._inside = QWidget()
        self._column = in_column(..., on=self._inside, gap=0, margins=(0, 0, GAP_PX, 0))
        self.setWidget(self._inside)
        self.hide()

    def show_jobs(self, jobs: Sequence[DownloadJob]) -> None:
        """Update the rows. Their widgets stay the same, so that clicks aren't lost."""
        if self._only is not None:
            jobs = [job for job in jobs if job.model_id in self._only]
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

    @property
    def visible_ids(self) -> frozenset[str]:
        """Ids of the models whose downloads the user sees here."""
        return frozenset(self._rows if self.isVisible() else ())

    def _add(self, job: DownloadJob) -> None:
        row = self._rows[job.model_id] = DownloadRow(self._theme, job, self)
        row.fold.toggled.connect(self._fit_height)
        self._column.insertWidget(self._column.count() - 1, row)

    def _fit_height(self) -> None:
        """Set the height to that of the rows, up to `MAX_HEIGHT_PX`."""
        for row in self._rows.values():
            row.settle()
        self._column.invalidate()
        height = self._column.totalHeightForWidth(self.viewport().width())
        edge = self.height() - self.contentsRect().height()
        self.setFixedHeight(min(MAX_HEIGHT_PX, max(height, self._column.totalMinimumSize().height())) + edge)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit_height()


class DownloadRow(QWidget):
    """One download: progress and buttons, whose signals are those of the list."""

    def __init__(self, theme: Theme, job: DownloadJob, owner: DownloadsList) -> None:
        super().__init__()
        self.setObjectName("download")
        self._list = owner
        self._job = job
        self._asks = False
        bold = theme.font(Size.NORMAL, bold=True)
        self._name = named(OneLine(), "download_name", tip=as_tip(job.model_id), font=bold)
        self._words = SmallPrint(theme, "download_words")
        self._bar = ThinBar(theme, "download_bar")
        self._files = SmallPrint(theme, "download_files")
        self.fold = tool_button("download_fold", tr("Files"), tr("Progress of each file"), kind="small")
        self.fold.setCheckable(True)
        self.fold.toggled.connect(self._show_files)
        self._go = push_button("download_go", "", "", kind="small", press=self._act)
        self._leave = push_button("download_leave", "", "", kind="small", press=self._end)
        line = [self._name, self._words, self.fold, self._go, self._leave]
        margins = (0, GRID_PX, 0, GRID_PX)
        self._grid = in_grid(line, self._bar, self._files, on=self, gap=(GAP_PX, GRID_PX), margins=margins, wide={1: 1})
        self.show_job(job)

    def show_job(self, job: DownloadJob) -> None:
        self._job = job
        self._asks = self._asks and not self._ended
        self._name.setText(job.model_id)
        self._words.setToolTip(meaning("progress"))
        words = ASKED.format(size=size(job.done)) if self._asks else status_text(job)
        self._words.say(words, "warning" if self._asks or job.failure or job.stalled else "muted")
        self._bar.show_share(job.done, job.size, f"{job.model_id}: {status_text(job)}")
        self._bar.setVisible(job.state is not DownloadState.DONE)
        self.fold.setVisible(bool(job.files) and job.state is not DownloadState.DONE and not job.made)
        self._go.setVisible(not job.made or job.state is DownloadState.DONE)
        # Keep replaces Cancel in position, so that a second click on Cancel deletes nothing.
        go, leave = (DELETE, KEEP) if self._asks else (self._next_step(), DISMISS if self._ended else CANCEL)
        for button, (text, tip) in ((self._go, go), (self._leave, leave)):
            button.setText(text)
            named(button, "", OF_MODEL.format(action=text, model=job.model_id), tip)
        self._show_files()

    def settle(self) -> None:
        self._grid.invalidate()
        self.updateGeometry()

    @property
    def _ended(self) -> bool:
        """Whether it can't be resumed."""
        return self._job.state is DownloadState.DONE or (self._job.made and self._job.state is DownloadState.FAILED)

    def _next_step(self) -> tuple[str, str]:
        if self._job.state is DownloadState.DONE:
            return tr("Open"), tr("Open this model")
        if self._job.state in ACTIVE:
            return tr("Pause"), tr("Pause the download; the received data stays on the disk")
        return tr("Resume"), tr("Resume")

    def _show_files(self) -> None:
        shown = self.fold.isChecked() and self.fold.isVisibleTo(self)
        self._files.say("\n".join(map(file_line, self._job.files)) if shown else "")

    def _act(self) -> None:
        job = self._job
        if self._asks:
            self._list.cancel_wanted.emit(job.model_id)
        elif job.state is DownloadState.DONE:
            self._list.open_wanted.emit(job.folder)
        else:
            (self._list.pause_wanted if job.state in ACTIVE else self._list.resume_wanted).emit(job.model_id)

    def _end(self) -> None:
        much = self._job.done >= MUCH_BYTES and not (self._ended or self._job.made)
        if self._asks or much:
            self._ask(not self._asks)
        else:
            (self._list.dismiss_wanted if self._ended else self._list.cancel_wanted).emit(self._job.model_id)

    def _ask(self, asks: bool) -> None:
        self._asks = asks
        self.show_job(self._job)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._asks and event.key() == Qt.Key.Key_Escape:
            self._ask(False)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._name.setMaximumWidth(round(SHARE_OF_NAME * self.width()))
