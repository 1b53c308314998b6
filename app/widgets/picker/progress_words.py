"""A download in words: how far, how fast, how long still, and what holds it up."""

from __future__ import annotations

from app.library.types import DownloadJob, DownloadState, FileProgress
from app.widgets.formatting import count, duration, percent, size

S = DownloadState
ACTIVE = frozenset((S.QUEUED, S.ASKING, S.DOWNLOADING, S.WAITING, S.CHECKING))
WORDS = {S.QUEUED: "waits for its turn", S.ASKING: "asking the hub", S.CHECKING: "checking what arrived"}


def share(job: DownloadJob) -> str:
    """How much of it is here."""
    return f"{percent(job.done, job.size)} of {size(job.size)}" if job.size else ""


def pace(job: DownloadJob) -> str:
    """How fast it comes, and how long it will take at this rate."""
    if job.stalled:
        return "0 B/s: nothing is arriving"
    left = f" · {duration(round(job.left_s))} left" if job.left_s is not None and job.left_s >= 1 else ""
    return f"{size(round(job.rate))}/s{left}"


def standing(job: DownloadJob) -> str:
    """Where it stands, in a few words."""
    match job.state:
        case S.DOWNLOADING:
            return " · ".join(filter(None, (share(job), pace(job))))
        case S.WAITING:
            return " · ".join(filter(None, (share(job), job.note or "waits to try again")))
        case S.PAUSED:
            return " · ".join(filter(None, ("paused", share(job))))
        case S.FAILED:
            return f"{job.failure.what} {job.failure.todo}" if job.failure else "It failed."
        case S.DONE:
            return f"{size(job.size)}, whole and checked"
    return WORDS[job.state]


def file_line(file: FileProgress) -> str:
    """One file of it."""
    done = "whole" if file.done >= file.size else f"{percent(file.done, file.size)} of {size(file.size)}"
    return f"{file.name}: {done}"


def all_in_one(jobs: tuple[DownloadJob, ...]) -> str:
    """The downloads that go on, as one line for the window."""
    active = [job for job in jobs if job.state in ACTIVE]
    if len(active) == 1:
        return f"Downloading {active[0].model_id}: {standing(active[0])}"
    done, whole = sum(job.done for job in active), sum(job.size for job in active)
    rate = size(round(sum(job.rate for job in active)))
    far = f": {percent(done, whole)} of {size(whole)}" if whole else ""
    return f"{count(len(active), 'download')}{far} · {rate}/s"
