"""What is news about the downloads to somebody who doesn't watch their bars: a quarter more, a halt, an end."""

from __future__ import annotations

from collections.abc import Iterator

from app.library.types import DownloadJob, DownloadState
from app.ui.picker.progress_words import ACTIVE, standing

S = DownloadState
PARTS = 4


class DownloadNews:
    """Remembers what was told of each download."""

    def __init__(self) -> None:
        self._told: dict[str, tuple[DownloadState, int]] = {}

    def news(self, jobs: tuple[DownloadJob, ...]) -> Iterator[str]:
        """A sentence for each download that has come further; what had ended before the first look is no news."""
        known, self._told = self._told, {job.model_id: _mark(job) for job in jobs}
        for job in jobs:
            before = known.get(job.model_id)
            if before != self._told[job.model_id] and (before is not None or job.state in ACTIVE) and _tells(job):
                yield f"{job.model_id}: {standing(job)}".rstrip(".") + "."


def _mark(job: DownloadJob) -> tuple[DownloadState, int]:
    flows = job.state is S.DOWNLOADING and job.size > 0
    return job.state, PARTS * job.done // job.size if flows else 0


def _tells(job: DownloadJob) -> bool:
    """Its first moments, in which nothing is known, are no news."""
    return job.state not in (S.QUEUED, S.ASKING) and (job.state is not S.DOWNLOADING or job.size > 0)
