"""The strip in the main window: active downloads, and the model that was downloaded last; and texts for downloads."""

from collections.abc import Container, Iterator
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.library.types import DownloadJob, DownloadState, FileProgress
from app.number_format import duration, percent, size
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Theme
from app.ui.widgets import SmallPrint, ThinBar, in_grid, push_button

S = DownloadState
ACTIVE = frozenset((S.QUEUED, S.ASKING, S.DOWNLOADING, S.WAITING, S.CHECKING, S.QUANTISING, S.COMPARING))
PARTS = 4
"""A download is announced each time that another of these parts is complete."""
STAGES = {S.QUEUED: tr("queued"), S.ASKING: tr("contacting the hub"), S.CHECKING: tr("verifying")}


def _speed_text(job: DownloadJob) -> str:
    """Format the speed and the remaining time."""
    if job.stalled:
        return tr("0 B/s: stalled")
    rate = size(round(job.rate))
    if job.left_s is None or job.left_s < 1:
        return tr("{rate}/s").format(rate=rate)
    return tr("{rate}/s · {time} left").format(rate=rate, time=duration(round(job.left_s)))


def status_text(job: DownloadJob) -> str:
    share = _share(job.done, job.size) if job.size else ""
    match job.state:
        case S.DOWNLOADING:
            return " · ".join(filter(None, (share, _speed_text(job))))
        case S.WAITING:
            return " · ".join(filter(None, (share, job.note or tr("waiting to retry"))))
        case S.PAUSED:
            return " · ".join(filter(None, (tr("paused"), share)))
        case S.FAILED:
            return job.failure.sentence if job.failure else tr("It failed.")
        case S.QUANTISING:
            return " · ".join(filter(None, (tr("quantizing"), share)))
        case S.COMPARING:
            return tr("comparing with the original")
        case S.DONE if job.made:
            return job.note
        case S.DONE:
            return tr("{size}, complete and verified").format(size=size(job.size))
    return STAGES[job.state]


def file_line(file: FileProgress) -> str:
    done = tr("complete") if file.done >= file.size else _share(file.done, file.size)
    return f"{file.name}: {done}"


def summary(jobs: tuple[DownloadJob, ...]) -> str:
    """Summarize the active downloads in one line."""
    active = [job for job in jobs if job.state in ACTIVE]
    if len(active) == 1 and active[0].made:
        return f"{active[0].model_id}: {status_text(active[0])}"
    if len(active) == 1:
        return tr("Downloading {model}: {standing}").format(model=active[0].model_id, standing=status_text(active[0]))
    done, whole = sum(job.done for job in active), sum(job.size for job in active)
    rate = size(round(sum(job.rate for job in active)))
    if not whole:
        return tr("%n downloads · {rate}/s", "", len(active)).format(rate=rate)
    return tr("%n downloads: {share} · {rate}/s", "", len(active)).format(share=_share(done, whole), rate=rate)


def _share(done: int, whole: int) -> str:
    return tr("{percent} of {size}").format(percent=percent(done, whole), size=size(whole))


class DownloadStrip(QWidget):
    """The strip, hidden while there is nothing to show."""

    open_wanted = Signal(object)
    """The folder of a complete model."""
    show_wanted = Signal()
    dismiss_wanted = Signal(str)
    announced = Signal(str)
    """Progress in a sentence, for screen readers."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("download_strip")
        self._arrived: DownloadJob | None = None
        self._milestones = DownloadMilestones()
        self._message = SmallPrint(theme, "strip_words")
        self._bar = ThinBar(theme, "strip_bar")
        tip = tr("Open the downloaded model")
        self._open = push_button("strip_open", tr("Open"), tip, kind="small", press=self._emit_open)
        tip = tr("Show the downloads")
        self._show = push_button("strip_show", tr("Show"), tip, kind="small", press=self.show_wanted)
        tip = tr("Remove this message; the model stays")
        self._dismiss = push_button("strip_dismiss", tr("Dismiss"), tip, kind="small", press=self._emit_dismiss)
        line = [self._message, self._open, self._dismiss, self._show]
        in_grid(line, self._bar, on=self, gap=(GAP_PX, GRID_PX), margins=(MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX))
        self.hide()

    def show_jobs(self, jobs: tuple[DownloadJob, ...], elsewhere: Container[str] = ()) -> None:
        """Show active downloads, otherwise failed or finished ones. Paused ones aren't shown, nor those with their ids
        in `elsewhere`, which the window shows in another place; all are announced.
        """
        for sentence in self._milestones.update(jobs):
            self.announced.emit(sentence)
        jobs = tuple(job for job in jobs if job.model_id not in elsewhere)
        active = tuple(job for job in jobs if job.state in ACTIVE)
        failed = next((job for job in jobs if job.state is S.FAILED), None)
        self._arrived = None if active else next((job for job in reversed(jobs) if job.state is S.DONE), None)
        done, whole = sum(job.done for job in active), sum(job.size for job in active)
        words = _words(jobs, active, self._arrived, failed)
        self._message.say(words, "warning" if failed and not active and not self._arrived else "muted")
        self._bar.show_share(done, whole, words)
        self._bar.setVisible(bool(active))
        self._open.setVisible(self._arrived is not None)
        self._dismiss.setVisible(self._arrived is not None)
        self._show.setVisible(self._arrived is None)
        self.setAccessibleName(tr("Downloads: {words}").format(words=words))
        self.setVisible(bool(words))

    def _emit_open(self) -> None:
        if self._arrived is not None:
            self.open_wanted.emit(self._arrived.folder or Path())

    def _emit_dismiss(self) -> None:
        if self._arrived is not None:
            self.dismiss_wanted.emit(self._arrived.model_id)


def _words(
    jobs: tuple[DownloadJob, ...],
    active: tuple[DownloadJob, ...],
    arrived: DownloadJob | None,
    failed: DownloadJob | None,
) -> str:
    if active:
        return summary(jobs)
    if arrived is not None:
        text = tr("{model} is ready.").format(model=arrived.model_id)
        return f"{text} {arrived.note}".rstrip()
    if failed is None or failed.failure is None:
        return ""
    text = tr("{model} could not be created: {what}") if failed.made else tr("The download of {model} failed: {what}")
    return text.format(model=failed.model_id, what=failed.failure.what)


class DownloadMilestones:
    """Chooses the progress to announce: each quarter, each pause and each end. It remembers its announcements."""

    def __init__(self) -> None:
        self._announced: dict[str, tuple[DownloadState, int]] = {}

    def update(self, jobs: tuple[DownloadJob, ...]) -> Iterator[str]:
        """Yield a sentence for each download with new progress, except those that ended before the first call."""
        known, self._announced = self._announced, {job.model_id: _mark(job) for job in jobs}
        for job in jobs:
            before = known.get(job.model_id)
            if (
                before != self._announced[job.model_id]
                and (before is not None or job.state in ACTIVE)
                and _is_announced(job)
            ):
                yield f"{job.model_id}: {status_text(job)}".rstrip(".") + "."


def _mark(job: DownloadJob) -> tuple[DownloadState, int]:
    flows = job.state is S.DOWNLOADING and job.size > 0
    return job.state, PARTS * job.done // job.size if flows else 0


def _is_announced(job: DownloadJob) -> bool:
    """Return whether the state is announced: not before the size is known."""
    return job.state not in (S.QUEUED, S.ASKING) and (job.state is not S.DOWNLOADING or job.size > 0)
