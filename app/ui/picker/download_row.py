"""One download: how far it is, and what can be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.definitions import meaning
from app.i18n import tr
from app.library.types import DownloadJob, DownloadState
from app.number_format import size
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.picker.progress_words import ACTIVE, file_line, standing
from app.ui.widgets import OneLine, SmallPrint, ThinBar, as_tip, in_grid, named, push_button, tool_button

if TYPE_CHECKING:
    from app.ui.picker.downloads import DownloadsList

SHARE_OF_NAME = 0.4
"""Of the row, at the most: what it says and its buttons have the rest."""
OF_MODEL = tr("{action} {model}")
DISMISS = (tr("Dismiss"), tr("Take this line away; the model stays"))
CANCEL = (tr("Cancel"), tr("Stop it, and delete what has been fetched"))
DELETE, KEEP = (tr("Delete"), CANCEL[1]), (tr("Keep it"), tr("Leave everything as it is (Esc)"))
ASKED = tr("Stop it, and delete the {size} that are here?")
MUCH_BYTES = 100_000_000
"""So much is not deleted at one press."""


class DownloadRow(QWidget):
    """Its wishes are told by the list that it stands in."""

    def __init__(self, theme: Theme, job: DownloadJob, wishes: DownloadsList) -> None:
        super().__init__()
        self.setObjectName("download")
        self._wishes = wishes
        self._job = job
        self._asks = False
        bold = theme.font(Size.NORMAL, bold=True)
        self._name = named(OneLine(), "download_name", tip=as_tip(job.model_id), font=bold)
        self._words = SmallPrint(theme, "download_words")
        self._bar = ThinBar(theme, "download_bar")
        self._files = SmallPrint(theme, "download_files")
        self.fold = tool_button("download_fold", tr("Files"), tr("How far each file is"), kind="small")
        self.fold.setCheckable(True)
        self.fold.toggled.connect(self._show_files)
        self._go = push_button("download_go", "", "", kind="small", press=self._act)
        self._leave = push_button("download_leave", "", "", kind="small", press=self._end)
        line = [self._name, self._words, self.fold, self._go, self._leave]
        margins = (0, GRID_PX, 0, GRID_PX)
        self._grid = in_grid(line, self._bar, self._files, on=self, gap=(GAP_PX, GRID_PX), margins=margins, wide={1: 1})
        self.show_job(job)

    def show_job(self, job: DownloadJob) -> None:
        """As it stands now."""
        self._job = job
        self._asks = self._asks and not self._ended
        self._name.setText(job.model_id)
        self._words.setToolTip(meaning("progress"))
        words = ASKED.format(size=size(job.done)) if self._asks else standing(job)
        self._words.say(words, "warning" if self._asks or job.failure or job.stalled else "muted")
        self._bar.show_share(job.done, job.size, f"{job.model_id}: {standing(job)}")
        self._bar.setVisible(job.state is not DownloadState.DONE)
        self.fold.setVisible(bool(job.files) and job.state is not DownloadState.DONE and not job.made)
        self._go.setVisible(not job.made or job.state is DownloadState.DONE)
        # A second press on Cancel, and the keyboard, which is there, keep it.
        go, leave = (DELETE, KEEP) if self._asks else (self._next_step(), DISMISS if self._ended else CANCEL)
        for button, (text, tip) in ((self._go, go), (self._leave, leave)):
            button.setText(text)
            named(button, "", OF_MODEL.format(action=text, model=job.model_id), tip)
        self._show_files()

    def settle(self) -> None:
        """Know its height now, whatever was shown or hidden a moment ago."""
        self._grid.invalidate()
        self.updateGeometry()

    @property
    def _ended(self) -> bool:
        """There is nothing to go on with."""
        return self._job.state is DownloadState.DONE or (self._job.made and self._job.state is DownloadState.FAILED)

    def _next_step(self) -> tuple[str, str]:
        if self._job.state is DownloadState.DONE:
            return tr("Open"), tr("Open this model")
        if self._job.state in ACTIVE:
            return tr("Pause"), tr("Stop for now; what is here stays, also when Sluice quits")
        return tr("Resume"), tr("Go on where it stopped")

    @Slot()
    def _show_files(self) -> None:
        shown = self.fold.isChecked() and self.fold.isVisibleTo(self)
        self._files.say("\n".join(map(file_line, self._job.files)) if shown else "")

    @Slot()
    def _act(self) -> None:
        job = self._job
        if self._asks:
            self._wishes.cancel_wanted.emit(job.model_id)
        elif job.state is DownloadState.DONE:
            self._wishes.open_wanted.emit(job.folder)
        else:
            (self._wishes.pause_wanted if job.state in ACTIVE else self._wishes.resume_wanted).emit(job.model_id)

    @Slot()
    def _end(self) -> None:
        much = self._job.done >= MUCH_BYTES and not (self._ended or self._job.made)
        if self._asks or much:
            self._ask(not self._asks)
        else:
            (self._wishes.dismiss_wanted if self._ended else self._wishes.cancel_wanted).emit(self._job.model_id)

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
