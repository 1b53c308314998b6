"""Texts for a download: progress, speed, remaining time, and reasons for waiting."""

from app.i18n import tr
from app.library.types import DownloadJob, DownloadState, FileProgress
from app.number_format import duration, percent, size

S = DownloadState
ACTIVE = frozenset((S.QUEUED, S.ASKING, S.DOWNLOADING, S.WAITING, S.CHECKING, S.QUANTISING, S.COMPARING))
WORDS = {S.QUEUED: tr("queued"), S.ASKING: tr("contacting the hub"), S.CHECKING: tr("verifying")}


def share(job: DownloadJob) -> str:
    """Format the received share: 45 % of 1.2 GB; empty if the size isn't known."""
    return _share(job.done, job.size) if job.size else ""


def pace(job: DownloadJob) -> str:
    """Format the speed and the remaining time."""
    if job.stalled:
        return tr("0 B/s: stalled")
    rate = size(round(job.rate))
    if job.left_s is None or job.left_s < 1:
        return tr("{rate}/s").format(rate=rate)
    return tr("{rate}/s · {time} left").format(rate=rate, time=duration(round(job.left_s)))


def standing(job: DownloadJob) -> str:
    """Describe the state of a download."""
    match job.state:
        case S.DOWNLOADING:
            return " · ".join(filter(None, (share(job), pace(job))))
        case S.WAITING:
            return " · ".join(filter(None, (share(job), job.note or tr("waiting to retry"))))
        case S.PAUSED:
            return " · ".join(filter(None, (tr("paused"), share(job))))
        case S.FAILED:
            return job.failure.sentence if job.failure else tr("It failed.")
        case S.QUANTISING:
            return " · ".join(filter(None, (tr("quantizing"), share(job))))
        case S.COMPARING:
            return tr("comparing with the original")
        case S.DONE if job.made:
            return job.note
        case S.DONE:
            return tr("{size}, complete and verified").format(size=size(job.size))
    return WORDS[job.state]


def file_line(file: FileProgress) -> str:
    """Format the progress of one file."""
    done = tr("complete") if file.done >= file.size else _share(file.done, file.size)
    return f"{file.name}: {done}"


def all_in_one(jobs: tuple[DownloadJob, ...]) -> str:
    """Summarize the active downloads in one line."""
    active = [job for job in jobs if job.state in ACTIVE]
    if len(active) == 1 and active[0].made:
        return f"{active[0].model_id}: {standing(active[0])}"
    if len(active) == 1:
        return tr("Downloading {model}: {standing}").format(model=active[0].model_id, standing=standing(active[0]))
    done, whole = sum(job.done for job in active), sum(job.size for job in active)
    rate = size(round(sum(job.rate for job in active)))
    if not whole:
        return tr("%n downloads · {rate}/s", "", len(active)).format(rate=rate)
    return tr("%n downloads: {share} · {rate}/s", "", len(active)).format(share=_share(done, whole), rate=rate)


def _share(done: int, whole: int) -> str:
    return tr("{percent} of {size}").format(percent=percent(done, whole), size=size(whole))
