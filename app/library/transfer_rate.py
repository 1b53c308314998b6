"""Download jobs: messages of the child process, state and transfer rate."""

import threading
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.engine.types import Failure
from app.i18n import tr
from app.library.blobs import Repository
from app.library.child import Child
from app.library.types import DownloadJob, DownloadState, FileProgress
from app.library.unfinished import Unfinished, read_file

S = DownloadState
ENDED = (S.PAUSED, S.FAILED, S.DONE)
WINDOW_S = 5.0
STALL_S = 3.0


class TransferRate:
    """Transfer rate over the last seconds."""

    def __init__(self, done: int, now: float) -> None:
        self._counts: deque[tuple[float, int]] = deque([(now, done)])
        self._grew_at = now

    def count(self, done: int, now: float) -> None:
        """Record the number of bytes that have arrived."""
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
        """Return whether nothing has arrived for some seconds."""
        return now - self._grew_at >= STALL_S

    def _forget(self, now: float) -> None:
        """Drop counts older than the time window, except the latest of them."""
        while len(self._counts) > 1 and self._counts[1][0] <= now - WINDOW_S:
            self._counts.popleft()
        if len(self._counts) == 1:
            self._counts[0] = (max(self._counts[0][0], now - WINDOW_S), self._counts[0][1])


class QueuedDownload:
    """A download job; the queue's lock guards it."""

    def __init__(self, record: Unfinished, cache: Path) -> None:
        self.record = record
        self.state = S.PAUSED
        self.token: str | None = None
        self.child: Child | None = None
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
        """Mark the job as started on this thread."""
        self.state, self.thread, self.stopping = S.ASKING, thread, False
        self.failure, self._note = None, ""

    def stop(self, state: DownloadState) -> None:
        """Stop the job; its files stay."""
        self.state, self.stopping, self._note = state, self.thread is not None, ""
        if self.child is not None:
            self.child.kill()

    def fail(self, failure: Failure) -> None:
        self.state, self.failure, self._note = S.FAILED, failure, ""

    def discard(self) -> None:
        """Delete the files of the job."""
        self._repository.discard(self.record.ours)

    def hear(self, message: Mapping[str, Any]) -> bool:
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

    def shown(self) -> DownloadJob:
        """Return the current state of the job."""
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
