"""Downloads into the Hugging Face cache: a queue of child processes that can be stopped at once."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from app.engine.errors import details_of
from app.engine.types import Failure
from app.i18n import tr
from app.library import unfinished
from app.library.child import Child, Starting
from app.library.local import cache_folder
from app.library.transfer_rate import ENDED, QueuedDownload
from app.library.types import DownloadJob, DownloadState
from app.library.unfinished import Unfinished
from app.platform.shutdown import left

AT_ONCE = 2


class Downloads:
    """The queue of all downloads. `changed` gets a model's id, on any thread, when its state changes.

    It isn't called for bytes, rate and time left: poll `jobs()`. Only `wait` waits for network, disk or child
    processes.
    """

    def __init__(
        self, folder: Path, changed: Callable[[str], None], at_once: int = AT_ONCE, starting: Starting | None = None
    ) -> None:
        """Load unfinished downloads from `folder` as paused ones; the list is stored there."""
        self._folder = folder
        self._changed = changed
        self._at_once = at_once
        self._starting = starting or Starting()
        self._cache = cache_folder()
        self._lock = threading.RLock()
        self._jobs = {record.model_id: QueuedDownload(record, self._cache) for record in unfinished.load(folder)}
        self._leaving: list[QueuedDownload] = []
        """Cancelled jobs whose files aren't deleted yet."""
        self._saving: threading.Thread | None = None
        self._unsaved: tuple[Unfinished, ...] | None = None
        self._closing = False

    def jobs(self) -> tuple[DownloadJob, ...]:
        """Return the states of all downloads, oldest first."""
        with self._lock:
            return tuple(job.shown() for job in self._jobs.values())

    def start(self, model_id: str, token: str | None = None) -> None:
        """Download a model, or resume a paused, failed or unfinished download.

        The child process gets `token` through a pipe, and doesn't store it; None: use huggingface_hub's login.
        """
        with self._lock:
            job = self._jobs.setdefault(model_id, QueuedDownload(Unfinished(model_id), self._cache))
            if self._closing or job.state not in ENDED:
                return
            job.state, job.failure, job.token = DownloadState.QUEUED, None, token
        self._tell(model_id)
        self._fill()

    def pause(self, model_id: str) -> None:
        """Stop a download; its files stay."""
        with self._lock:
            job = self._jobs.get(model_id)
            if job is None or job.state in ENDED:
                return
            job.stop(DownloadState.PAUSED)
        self._tell(model_id)

    def cancel(self, model_id: str) -> None:
        """Stop a download, delete its files, and remove it from the list."""
        with self._lock:
            job = self._jobs.pop(model_id, None)
            if job is None:
                return
            self._leaving.append(job)
            job.stop(DownloadState.PAUSED)
            if job.thread is None:
                job.thread = threading.Thread(target=self._clean, args=(job,), name=f"clean up {model_id}")
                job.thread.start()
        self._tell(model_id)

    def dismiss(self, model_id: str) -> None:
        """Remove a finished download from the list."""
        with self._lock:
            job = self._jobs.get(model_id)
            if job is None or job.state is not DownloadState.DONE:
                return
            del self._jobs[model_id]
        self._tell(model_id)

    def close(self) -> None:
        """Stop all downloads at shutdown; files and list stay."""
        with self._lock:
            self._closing = True
            for job in self._jobs.values():
                if job.state not in ENDED:
                    job.stop(DownloadState.PAUSED)

    def wait(self, until: float) -> bool:
        """Wait after `close` until the time `until`; return whether all child processes have ended."""
        with self._lock:
            threads = [job.thread for job in (*self._jobs.values(), *self._leaving) if job.thread is not None]
        for thread in threads:
            thread.join(left(until))
        with self._lock:
            saving = self._saving  # the ended one may have started it
        if saving is not None:
            threads.append(saving)
            saving.join(left(until))
        return not any(thread.is_alive() for thread in threads)

    def _fill(self) -> None:
        """Start queued downloads up to the limit."""
        with self._lock:
            leaving = {job.record.model_id for job in self._leaving}
            running = sum(job.thread is not None for job in self._jobs.values())
            waiting = [
                job
                for model_id, job in self._jobs.items()
                if job.state is DownloadState.QUEUED and job.thread is None and model_id not in leaving
            ]
            for job in waiting[: max(0, self._at_once - running)]:
                thread = threading.Thread(target=self._run, args=(job,), name=f"download {job.record.model_id}")
                job.begin(thread)
                thread.start()

    def _run(self, job: QueuedDownload) -> None:
        """Start a child process and read its messages to the end, on its own thread."""
        model_id = job.record.model_id
        self._tell(model_id)
        try:
            child = Child(self._starting)
        except OSError as error:
            ended = Failure(tr("The download could not be started."), tr("Try again."), details_of(error))
        else:
            try:
                self._listen(job, child)
            finally:
                details = child.end()
            what = tr("The download process ended without a message.")
            ended = Failure(what, tr("Resume the download; the downloaded part is still there."), details)
        with self._lock:
            job.child = None
            leaving = job in self._leaving
            if not leaving:
                self._settle(job, ended)
        if leaving:
            self._clean(job)
        else:
            self._tell(model_id)
            self._fill()

    def _listen(self, job: QueuedDownload, child: Child) -> None:
        with self._lock:
            job.child = child
            if job.stopping:
                child.kill()
        order = {"model_id": job.record.model_id, "token": job.token, "pace": asdict(self._starting.pace)}
        for message in child.messages(order):
            with self._lock:
                news = not job.stopping and job.hear(message)
            if news:
                self._tell(job.record.model_id)

    def _settle(self, job: QueuedDownload, ended: Failure) -> None:
        again = job.state is DownloadState.QUEUED  # it was restarted before its child had ended
        if not job.stopping and not again and job.state not in ENDED:
            job.fail(ended)
        if not again:
            job.token = None
        job.thread, job.stopping = None, False

    def _clean(self, job: QueuedDownload) -> None:
        with suppress(OSError):  # a read-only cache doesn't stop the others
            job.discard()
        with self._lock:
            self._leaving.remove(job)
            job.thread = None
        self._tell(job.record.model_id)
        self._fill()

    def _tell(self, model_id: str) -> None:
        with self._lock:
            self._unsaved = tuple(job.record for job in self._jobs.values() if job.state is not DownloadState.DONE)
            if self._saving is None:
                self._saving = threading.Thread(target=self._save, name="list of downloads", daemon=True)
                self._saving.start()
        self._changed(model_id)

    def _save(self) -> None:
        """Save the list on a thread; only the latest of several is written."""
        while True:
            with self._lock:
                records, self._unsaved = self._unsaved, None
                if records is None:
                    self._saving = None
                    return
            unfinished.save(self._folder, records)
