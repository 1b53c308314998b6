"""Downloads into the Hugging Face cache: a stored queue of child processes that can be stopped at once."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from app.engine.errors import details_of
from app.engine.types import Failure
from app.files import json_reader, regular_files
from app.files.json_values import UNFIT
from app.i18n import tr
from app.library.blobs import Repository
from app.library.download_process import DownloadProcess, LaunchOptions
from app.library.local import cache_folder
from app.library.plan import CHECKSUM
from app.library.types import DownloadJob, DownloadState, FileProgress, HubFile
from app.platform.shutdown import seconds_left

FILE = "downloads.json"


@dataclass(frozen=True, slots=True)
class UnfinishedDownload:
    """An unfinished download: the model, its files, and the new ones, which Cancel deletes."""

    model_id: str
    files: tuple[HubFile, ...] = ()
    ours: tuple[HubFile, ...] = ()

    def planned(self, files: tuple[HubFile, ...], missing: Iterable[HubFile]) -> UnfinishedDownload:
        """Return the download with a new plan; Cancel still deletes files of an earlier plan."""
        ours = {file.checksum: file for file in (*self.ours, *missing)}
        return replace(self, files=files, ours=tuple(ours.values()))


def load_unfinished(folder: Path) -> list[UnfinishedDownload]:
    """Load the list. An unreadable one is empty; part files then stay in the cache."""
    try:
        stored = json_reader.parse(regular_files.read(folder / FILE, json_reader.LARGEST_BYTES))
        return [_read(item) for item in stored]
    except UNFIT:
        return []


def save_unfinished(folder: Path, downloads: Iterable[UnfinishedDownload]) -> None:
    items = [asdict(one) for one in downloads]
    with suppress(OSError):  # a full disk also stops the download, which reports it
        folder.mkdir(parents=True, exist_ok=True)
        regular_files.write_atomically(folder / FILE, json.dumps(items, indent=1).encode())


def read_file(item: Mapping[str, Any]) -> HubFile:
    """Parse a file's JSON; checksums are validated, since they name files."""
    file = HubFile(str(item["name"]), int(item["size"]), str(item["checksum"]))
    if not CHECKSUM.fullmatch(file.checksum):
        raise ValueError(f"no checksum: {file.checksum!r}")
    return file


def _read(item: Mapping[str, Any]) -> UnfinishedDownload:
    files, ours = (tuple(read_file(file) for file in item[kind]) for kind in ("files", "ours"))
    return UnfinishedDownload(str(item["model_id"]), files, ours)


S = DownloadState
ENDED = (S.PAUSED, S.FAILED, S.DONE)
WINDOW_S = 5.0
STALL_S = 3.0


class TransferRate:
    def __init__(self, done: int, now: float) -> None:
        self._counts: deque[tuple[float, int]] = deque([(now, done)])
        self._grew_at = now

    def count(self, done: int, now: float) -> None:
        if done > self._counts[-1][1]:
            self._grew_at = now
        self._counts.append((now, done))
        self._forget(now)

    def rate(self, now: float) -> float:
        """Return bytes per second; it falls to 0 while nothing arrives."""
        self._forget(now)
        since, before = self._counts[0]
        gained = self._counts[-1][1] - before
        return max(0.0, gained / max(now - since, 1.0))

    def stalled(self, now: float) -> bool:
        return now - self._grew_at >= STALL_S

    def _forget(self, now: float) -> None:
        """Drop counts older than the time window, except the latest of them."""
        while len(self._counts) > 1 and self._counts[1][0] <= now - WINDOW_S:
            self._counts.popleft()
        if len(self._counts) == 1:
            self._counts[0] = (max(self._counts[0][0], now - WINDOW_S), self._counts[0][1])


class QueuedDownload:
    """A download job; the queue's lock guards it."""

    def __init__(self, record: UnfinishedDownload, cache: Path) -> None:
        self.record = record
        self.state = S.PAUSED
        self.token: str | None = None
        self.child: DownloadProcess | None = None
        self.thread: threading.Thread | None = None
        self.stopping = False
        """Whether the job is stopping; messages of its child process are then ignored."""
        self.failure: Failure | None = None
        self._repository = Repository(cache, record.model_id)
        self._present = [self._repository.present(file) for file in record.files]
        self._note = ""
        self._folder: Path | None = None
        self._flow = TransferRate(sum(self._present), time.monotonic())

    def begin(self, thread: threading.Thread) -> None:
        self.state, self.thread, self.stopping = S.ASKING, thread, False
        self.failure, self._note = None, ""

    def stop(self, state: DownloadState) -> None:
        self.state, self.stopping, self._note = state, self.thread is not None, ""
        if self.child is not None:
            self.child.kill()

    def fail(self, failure: Failure) -> None:
        self.state, self.failure, self._note = S.FAILED, failure, ""

    def discard(self) -> None:
        self._repository.discard(self.record.ours)

    def handle(self, message: Mapping[str, Any]) -> bool:
        """Handle a message of the child process; return whether the state has changed."""
        before = (self.state, self._note)
        match message["say"]:
            case "plan":
                self._plan(message["files"])
            case "file":
                self._present[message["index"]] = message["done"]
                self._flow.count(sum(self._present), time.monotonic())
                self.state = S.DOWNLOADING
            case "checking":
                self.state = S.CHECKING
            case "waiting":
                self.state, self._note = S.WAITING, _waiting(message["why"], message["seconds"])
            case "going":
                self.state, self._note = S.DOWNLOADING if self.record.files else S.ASKING, ""
            case "done":
                self.state, self._folder = S.DONE, Path(message["folder"])
            case "failed":
                self.fail(Failure(message["what"], message["todo"], message["details"], message["kind"]))
        return before != (self.state, self._note)

    def snapshot(self) -> DownloadJob:
        now = time.monotonic()
        flowing = self.state is S.DOWNLOADING
        rate = self._flow.rate(now) if flowing else 0.0
        files = tuple(
            FileProgress(file.name, done, file.size)
            for file, done in zip(self.record.files, self._present, strict=True)
        )
        missing = sum(file.size - file.done for file in files)
        return DownloadJob(
            model_id=self.record.model_id,
            state=self.state,
            files=files,
            rate=rate,
            left_s=missing / rate if rate else None,
            stalled=flowing and self._flow.stalled(now),
            note=self._note,
            failure=self.failure,
            folder=self._folder,
        )

    def _plan(self, listed: list[dict[str, Any]]) -> None:
        files = tuple(read_file(item) for item in listed)
        missing = [file for file, item in zip(files, listed, strict=True) if item["present"] < file.size]
        self.record = self.record.planned(files, missing)
        self._present = [item["present"] for item in listed]
        self._flow = TransferRate(sum(self._present), time.monotonic())
        self.state = S.DOWNLOADING


def _waiting(why: str, seconds: float) -> str:
    if seconds < 1:
        return why
    return tr("{why} Trying again in {seconds} s.").format(why=why, seconds=f"{seconds:.0f}")


AT_ONCE = 2


class Downloads:
    """The queue of all downloads. `changed` gets a model's id, on any thread, when its state changes.

    It isn't called for bytes, rate and time left: poll `jobs()`. Only `wait` waits for network, disk or child
    processes.
    """

    def __init__(
        self,
        folder: Path,
        changed: Callable[[str], None],
        at_once: int = AT_ONCE,
        starting: LaunchOptions | None = None,
    ) -> None:
        """Load unfinished downloads from `folder` as paused ones; the list is stored there."""
        self._folder = folder
        self._changed = changed
        self._at_once = at_once
        self._starting = starting or LaunchOptions()
        self._cache = cache_folder()
        self._lock = threading.RLock()
        self._jobs = {record.model_id: QueuedDownload(record, self._cache) for record in load_unfinished(folder)}
        self._leaving: list[QueuedDownload] = []
        """Cancelled jobs whose files aren't deleted yet."""
        self._saving: threading.Thread | None = None
        self._unsaved: tuple[UnfinishedDownload, ...] | None = None
        self._closing = False

    def jobs(self) -> tuple[DownloadJob, ...]:
        """Return the states of all downloads, oldest first."""
        with self._lock:
            return tuple(job.snapshot() for job in self._jobs.values())

    def start(self, model_id: str, token: str | None = None) -> None:
        """Download a model, or resume a paused, failed or unfinished download.

        The child process gets `token` through a pipe, and doesn't store it; None: use huggingface_hub's login.
        """
        with self._lock:
            job = self._jobs.setdefault(model_id, QueuedDownload(UnfinishedDownload(model_id), self._cache))
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

    def remove_finished(self, model_id: str) -> None:
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
            thread.join(seconds_left(until))
        with self._lock:
            saving = self._saving  # the ended one may have started it
        if saving is not None:
            threads.append(saving)
            saving.join(seconds_left(until))
        return not any(thread.is_alive() for thread in threads)

    def _fill(self) -> None:
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
            child = DownloadProcess(self._starting)
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

    def _listen(self, job: QueuedDownload, child: DownloadProcess) -> None:
        with self._lock:
            job.child = child
            if job.stopping:
                child.kill()
        order = {"model_id": job.record.model_id, "token": job.token, "pace": asdict(self._starting.pace)}
        for message in child.messages(order):
            with self._lock:
                news = not job.stopping and job.handle(message)
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
            save_unfinished(self._folder, records)
