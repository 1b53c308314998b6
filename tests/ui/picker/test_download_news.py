"""Downloads by the quarter, their halts and their ends; and nothing of what was over before."""

from app.library.types import DownloadJob, DownloadState, FileProgress
from app.ui.picker.download_strip import DownloadNews

S = DownloadState


def job(state: DownloadState, done: int = 0, size: int = 0, note: str = "") -> DownloadJob:
    files = (FileProgress("model.safetensors", done, size),) if size else ()
    return DownloadJob("lab/model", state, files, rate=1000.0, note=note)


def told(*jobs: DownloadJob) -> list[str]:
    milestones = DownloadNews()
    return [news.removeprefix("lab/model: ") for each in jobs for news in milestones.news((each,))]


def test_each_quarter_is_told_once() -> None:
    steps = (job(S.DOWNLOADING, done, 1000) for done in (0, 100, 250, 260, 499, 500, 900, 1000))
    words = told(job(S.QUEUED), job(S.ASKING), *steps, job(S.CHECKING, 1000, 1000), job(S.DONE, 1000, 1000))
    assert [each.partition(" of")[0] for each in words] == [
        "0 %",
        "25 %",
        "50 %",
        "90 %",
        "100 %",
        "checking what arrived.",
        "1.00 kB, whole and checked.",
    ]


def test_a_halt_is_told_with_its_reason() -> None:
    words = told(job(S.DOWNLOADING, 10, 100), job(S.WAITING, 10, 100, "the network is away"), job(S.PAUSED, 10, 100))
    assert words[1:] == ["10 % of 100 bytes · the network is away.", "paused · 10 % of 100 bytes."]


def test_what_was_over_before_is_no_news() -> None:
    assert told(job(S.DONE, 100, 100), job(S.DONE, 100, 100)) == []
    assert told(job(S.PAUSED, 10, 100)) == []
