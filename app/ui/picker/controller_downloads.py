"""Connects the download queue of the library with the picker's list and the strip in the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.bridge.tasks import CrossThreadCallback, Tasks
from app.engine.types import Failure
from app.i18n import tr
from app.library import keychain
from app.library.types import DownloadJob, DownloadState
from app.ui.picker.download_strip import ACTIVE, DownloadStrip

if TYPE_CHECKING:
    from app.library.download_queue import Downloads
    from app.ui.picker.downloads import DownloadsList

S = DownloadState
CLOCK_MS = 500
"""The interval at which progress is read while a download is active."""


class DownloadsController(QObject):
    """Controls downloads. `changed`: a download was added, removed or changed its state. `arrived` carries a complete
    model's folder.
    """

    changed = Signal()
    arrived = Signal(Path)
    failed = Signal(object)
    """A `Failure`: the list of downloads could not be read."""
    cancel_wanted = Signal(str)
    """Carries the name of a conversion."""
    _progressed = Signal(str)

    def __init__(self, tasks: Tasks, folder: Path, strip: DownloadStrip, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._folder = folder
        self._strip = strip
        self._lists: list[DownloadsList] = []
        self._instead: DownloadsList | None = None
        """While a download is visible in this list, the strip doesn't show it."""
        self._downloads: Downloads | None = None
        self._waiting: list[Callable[[Downloads], None]] = []
        self._expected: set[str] = set()
        """Requested downloads, which start after the token was read from the keychain."""
        self._done: set[str] = set()
        self._conversions: dict[str, DownloadJob] = {}
        self.jobs: tuple[DownloadJob, ...] = ()
        self._wire = CrossThreadCallback(self._progressed.emit)
        self._progressed.connect(self.refresh, Qt.ConnectionType.QueuedConnection)
        self._clock = QTimer(self, interval=CLOCK_MS)
        self._clock.timeout.connect(self.refresh)
        strip.dismiss_wanted.connect(self.remove_finished)

    @property
    def pending(self) -> frozenset[str]:
        """The ids of the models whose download isn't complete."""
        return frozenset(job.model_id for job in self.jobs if job.state is not S.DONE)

    @property
    def is_active(self) -> bool:
        return any(job.state in ACTIVE for job in self.jobs)

    def show_in(self, downloads: DownloadsList, instead_of_strip: bool = False) -> None:
        """Show the downloads in this list, and connect its signals."""
        self._lists.append(downloads)
        if instead_of_strip:
            self._instead = downloads
        downloads.pause_wanted.connect(self._pause)
        downloads.cancel_wanted.connect(self._cancel)
        downloads.dismiss_wanted.connect(self.remove_finished)
        downloads.show_jobs(self.jobs)

    def load(self) -> None:
        """Load the list of unfinished downloads."""
        self._with_queue(lambda queue: None)

    def start(self, model_id: str, token: str | None) -> None:
        self._with_queue(lambda queue: queue.start(model_id, token))

    def start_with_token(self, model_id: str, when_known: Callable[[Callable[[str | None], None]], None]) -> None:
        """Show a download that waits for its access token; it can be cancelled."""
        self._expected.add(model_id)
        self._wire.send(model_id)  # too late to be visible if the token is already known
        when_known(partial(self._start_expected, model_id))

    def _start_expected(self, model_id: str, token: str | None) -> None:
        if model_id in self._expected:
            self._expected.remove(model_id)
            self.start(model_id, token)

    def show_conversion(self, job: DownloadJob) -> None:
        """Show a conversion among the downloads; a cancelled one is removed."""
        self._conversions[job.model_id] = job
        if job.state is S.DONE and job.folder is None:
            del self._conversions[job.model_id]
        self.refresh()

    def pause_all(self) -> None:
        for job in self.jobs:
            if job.state in ACTIVE:
                self._pause(job.model_id)

    def close(self) -> None:
        """Stop all downloads; the list and the received parts are saved."""
        self._clock.stop()
        self._wire.cut()
        self._waiting.clear()
        if self._downloads is not None:
            self._downloads.close()

    def wait(self, until: float) -> bool:
        """Return whether all threads have ended after `close`."""
        return self._downloads is None or self._downloads.wait(until)

    def _with_queue(self, act: Callable[[Downloads], None]) -> None:
        """Create the queue in a thread when it is first needed, since it reads the cache."""
        if self._downloads is not None:
            act(self._downloads)
            return
        self._waiting.append(act)
        if len(self._waiting) == 1:
            self._tasks.start(self._begin())

    async def _begin(self) -> None:
        queue = await self._tasks.try_in_thread(_queue, self._folder, self._wire.send)
        waiting, self._waiting = self._waiting, []
        if isinstance(queue, Failure):
            self.failed.emit(queue)
            self.refresh()
            return
        self._downloads = queue
        for act in waiting:
            act(queue)
        self.refresh()

    def refresh(self) -> None:
        """Show the current state of all downloads."""
        fetched = self._downloads.jobs() if self._downloads is not None else ()
        known = {job.model_id: job for job in fetched}
        known |= {each: _expected(known.get(each) or DownloadJob(each, S.WAITING)) for each in self._expected}
        before, self.jobs = self.jobs, (*known.values(), *self._conversions.values())
        for shown in self._lists:
            shown.show_jobs(self.jobs)
        self._strip.show_jobs(self.jobs, self._instead.visible_ids if self._instead is not None else ())
        if self.is_active is not self._clock.isActive():
            self._clock.start() if self.is_active else self._clock.stop()
        if [(job.model_id, job.state) for job in before] != [(job.model_id, job.state) for job in self.jobs]:
            self.changed.emit()
            self._emit_arrived()

    def _emit_arrived(self) -> None:
        for job in self.jobs:
            if job.state is S.DONE and job.model_id not in self._done and job.folder is not None:
                self.arrived.emit(job.folder)
        self._done = {job.model_id for job in self.jobs if job.state is S.DONE}

    def _pause(self, model_id: str) -> None:
        self._cancel_expected(model_id)
        self._with_queue(lambda queue: queue.pause(model_id))

    def _cancel(self, model_id: str) -> None:
        if model_id in self._conversions:
            self.cancel_wanted.emit(model_id)
        else:
            self._cancel_expected(model_id)
            self._with_queue(lambda queue: queue.cancel(model_id))

    def _cancel_expected(self, model_id: str) -> None:
        """Cancel a download that waits for its token. An earlier, paused one is paused again; a new one is removed."""
        if model_id in self._expected:
            self._expected.remove(model_id)
            self.refresh()

    def remove_finished(self, model_id: str) -> None:
        """Remove a finished download from the list."""
        if self._conversions.pop(model_id, None) is not None:
            self.refresh()
        else:
            self._with_queue(lambda queue: queue.remove_finished(model_id))


def _expected(job: DownloadJob) -> DownloadJob:
    note = tr("Asking the {keychain} …").format(keychain=keychain.name())
    return replace(job, state=S.WAITING, note=note, failure=None)


# On a thread.


def _queue(folder: Path, report: Callable[[str], None]) -> Downloads:
    from app.library.download_queue import Downloads

    return Downloads(folder, report)
