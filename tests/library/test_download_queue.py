import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from app import i18n
from app.library import download_queue
from app.library.blobs import Repository
from app.library.download_process import LaunchOptions, fetch_command
from app.library.download_queue import (
    FILE,
    Downloads,
    TransferRate,
    UnfinishedDownload,
    load_unfinished,
    save_unfinished,
)
from app.library.types import DownloadJob, DownloadState, HubFile, RetryPolicy
from app.platform.shutdown import deadline
from app.platform.startup import FETCH_SWITCH
from tests.hub import DEMO, Hub, Shelf, checksum

WEIGHTS = "model.safetensors"
OTHER = "somebody/other"
LONG_S = 60.0
LOOK_S = 0.02
HALF = 1_000_000
S = DownloadState


class Queue:
    """Downloads of one start of the program; waits for what they become."""

    def __init__(self, folder: Path, starting: LaunchOptions) -> None:
        self._news = threading.Condition()
        self.downloads = Downloads(folder, self._changed, starting=starting)

    def _changed(self, model_id: str) -> None:
        with self._news:
            self._news.notify_all()

    def job(self, model_id: str = DEMO) -> DownloadJob | None:
        return next((job for job in self.downloads.jobs() if job.model_id == model_id), None)

    def until(self, *states: DownloadState, model_id: str = DEMO) -> DownloadJob:
        job = self._wait(lambda: (job := self.job(model_id)) is not None and job.state in states)
        assert job, [(job.state, job.failure) for job in self.downloads.jobs()]
        found = self.job(model_id)
        assert found is not None
        return found

    def until_gone(self, gone: Callable[[], bool]) -> None:
        assert self._wait(lambda: self.job() is None and gone())

    def _wait(self, true: Callable[[], bool]) -> bool:
        with self._news:
            return self._news.wait_for(true, LONG_S)


Open = Callable[..., Queue]


@pytest.fixture
def open_queue(tmp_path: Path, child_environment: dict[str, str]) -> Iterator[Open]:
    """Starts the program's downloads, as often as wanted; the last ones are closed."""
    opened: list[Queue] = []

    def start(*command: str, pace: RetryPolicy = RetryPolicy(first_wait_s=0.01)) -> Queue:  # noqa: B008 (frozen)
        opened.append(Queue(tmp_path / "data", LaunchOptions(command, child_environment, pace)))
        return opened[-1]

    yield start
    for queue in opened:
        queue.downloads.close()
        assert queue.downloads.wait(deadline(60))


def look_until(true: Callable[[], bool]) -> None:
    """For figures that nobody is told of: they are read, as the window reads them, again and again."""
    pause = threading.Event()
    for _ in range(round(LONG_S / LOOK_S)):
        if true():
            return
        pause.wait(LOOK_S)
    pytest.fail("it never became true")


def held_halfway(hub: Hub, open_queue: Open) -> Queue:
    """A download of which the hub has sent half, and waits."""
    hub.faults.hold_after = HALF
    queue = open_queue()
    queue.downloads.start(DEMO)
    assert hub.held.wait(LONG_S)
    return queue


def go_on(hub: Hub) -> None:
    hub.faults.hold_after = None
    hub.go_on.set()


def assert_whole(hub: Hub, job: DownloadJob) -> Path:
    assert job.folder is not None
    for file in job.folder.iterdir():
        assert file.read_bytes() == hub.models[job.model_id].files[file.name], file.name
    assert (job.folder / WEIGHTS).is_file() and (job.folder / "config.json").is_file()
    return job.folder


@pytest.mark.slow
def test_download_killed_is_resumed_by_a_new_start(hub: Hub, cache: Path, open_queue: Open) -> None:
    first = held_halfway(hub, open_queue)
    part = Repository(cache, DEMO).part(HubFile(WEIGHTS, 0, checksum(hub.models[DEMO].files[WEIGHTS])))
    look_until(lambda: part.exists() and part.stat().st_size > HALF // 2)
    (transfer,) = first.downloads._jobs.values()
    assert transfer.child is not None
    os.kill(transfer.child.pid, signal.SIGKILL)
    job = first.until(S.FAILED)
    assert job.failure is not None and "ended without a message" in job.failure.what
    first.downloads.close()
    assert first.downloads.wait(deadline(60))
    assert not any(cache.glob("models--*/snapshots/*/*"))

    go_on(hub)
    hub.asked.clear()
    again = open_queue()
    left = again.until(S.PAUSED)
    present = {file.name: file.done for file in left.files}
    assert HALF // 2 < present[WEIGHTS] <= HALF
    again.downloads.start(DEMO)
    job = again.until(S.DONE, S.FAILED)
    assert_whole(hub, job)
    assert job.done == job.size > 0
    assert ("GET", f"/cdn/{DEMO}/{WEIGHTS}", f"bytes={present[WEIGHTS]}-") in hub.asked
    whole = {file.name for file in left.files if file.done == file.size}
    assert whole and not whole & {path.rpartition("/")[2] for _, path, _ in hub.asked}
    assert not list(cache.glob("models--*/blobs/*.incomplete"))
    again.downloads.close()
    assert again.downloads.wait(deadline(60)), "the list is on the disk by then"
    assert [job.model_id for job in open_queue().downloads.jobs()] == []


@pytest.mark.slow
def test_download_stalled_is_paused_with_its_files(
    hub: Hub, cache: Path, open_queue: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.library.download_queue.STALL_S", 0.05)
    monkeypatch.setattr("app.library.download_queue.WINDOW_S", 0.05)
    queue = held_halfway(hub, open_queue)
    queue.until(S.DOWNLOADING)
    look_until(lambda: queue.until(S.DOWNLOADING).stalled and not queue.until(S.DOWNLOADING).rate)
    job = queue.until(S.DOWNLOADING)
    assert (job.rate, job.left_s) == (0.0, None)
    queue.downloads.pause(DEMO)
    job = queue.until(S.PAUSED)
    assert not job.stalled
    go_on(hub)
    queue.downloads.start(DEMO)  # at once, whether the child has ended or not
    assert_whole(hub, queue.until(S.DONE, S.FAILED))
    queue.downloads.remove_finished(DEMO)
    assert queue.downloads.jobs() == ()


@pytest.mark.slow
def test_download_cancelled_leaves_nothing(hub: Hub, cache: Path, open_queue: Open) -> None:
    queue = held_halfway(hub, open_queue)
    queue.until(S.DOWNLOADING)
    assert list(cache.glob("models--*/blobs/*"))
    queue.downloads.cancel(DEMO)
    queue.until_gone(lambda: not list(cache.glob("models--*")))
    assert not list(cache.rglob("*.lock"))
    go_on(hub)
    queue.downloads.start(DEMO)
    queue.until(S.DOWNLOADING, S.DONE)
    queue.downloads.cancel(DEMO)
    queue.downloads.start(DEMO)  # waits until the other has been cleaned up
    assert_whole(hub, queue.until(S.DONE, S.FAILED))


@pytest.mark.slow
def test_download_cancel_in_a_read_only_cache_continues(
    hub: Hub, cache: Path, open_queue: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that can no longer be written to is mounted anew."""

    def refuse(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    queue = held_halfway(hub, open_queue)
    with monkeypatch.context() as patch:
        patch.setattr(Repository, "discard", refuse)
        queue.downloads.cancel(DEMO)
        look_until(lambda: not queue.downloads._leaving)
    go_on(hub)
    queue.downloads.start(DEMO)
    assert_whole(hub, queue.until(S.DONE, S.FAILED))


def test_download_slow_disk_does_not_block(
    tmp_path: Path, cache: Path, open_queue: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window asks for the downloads twice a second."""
    go_on = threading.Event()
    kept: list[list[str]] = []

    def save(folder: Path, downloads: Iterable[UnfinishedDownload]) -> None:
        assert go_on.wait(LONG_S)
        kept.append([each.model_id for each in downloads])

    monkeypatch.setattr(download_queue, "save_unfinished", save)
    queue = open_queue("true")
    queue.downloads.start(DEMO)
    assert queue.downloads.jobs() and kept == []
    queue.until(S.FAILED)
    queue.downloads.start(OTHER)
    queue.until(S.FAILED, model_id=OTHER)
    assert kept == []
    go_on.set()
    queue.downloads.close()
    assert queue.downloads.wait(deadline(60))
    assert kept[-1] == [DEMO, OTHER], "the last of all is kept"


@pytest.mark.slow
def test_downloads_beyond_two_wait(hub: Hub, cache: Path, open_queue: Open) -> None:
    third = "somebody/third"
    files = {name: content for name, content in hub.models[DEMO].files.items() if "/" not in name}
    hub.models[OTHER] = Shelf(dict(files))
    hub.models[third] = Shelf(dict(files))
    hub.faults.hold_after = HALF
    queue = open_queue()
    for model_id in (DEMO, OTHER, third):
        queue.downloads.start(model_id)
    assert hub.held.wait(LONG_S)
    assert queue.until(S.QUEUED, model_id=third).done == 0
    assert [job.model_id for job in queue.downloads.jobs()] == [DEMO, OTHER, third]
    look_until(lambda: hub.together == 2)
    go_on(hub)
    for model_id in (DEMO, OTHER, third):
        assert_whole(hub, queue.until(S.DONE, S.FAILED, model_id=model_id))
    assert hub.most_together == 2


@pytest.mark.slow
def test_download_of_two_programs_is_shared(
    hub: Hub, tmp_path: Path, child_environment: dict[str, str], open_queue: Open
) -> None:
    mine = held_halfway(hub, open_queue)
    theirs = Queue(tmp_path / "their data", LaunchOptions((), child_environment))
    theirs.downloads.start(DEMO)
    assert "Another program is downloading" in theirs.until(S.WAITING).note
    go_on(hub)
    for queue in (mine, theirs):
        assert_whole(hub, queue.until(S.DONE, S.FAILED))
    theirs.downloads.close()
    assert theirs.downloads.wait(deadline(60))
    assert hub.fetched().count(WEIGHTS) == 1


@pytest.mark.slow
def test_download_on_a_full_disk_keeps_its_part(hub: Hub, cache: Path, open_queue: Open) -> None:
    """The limit on a file's size stands for the disk's end: writing fails in the middle of a file."""
    blocks = HALF // 512
    queue = open_queue("sh", "-c", f"ulimit -f {blocks}; exec {shlex.join(fetch_command())}")
    queue.downloads.start(DEMO)
    job = queue.until(S.FAILED, S.DONE)
    assert job.failure is not None
    assert (job.failure.kind, job.failure.what) == ("disk", "The disk is full.")
    assert not any(cache.glob("models--*/snapshots/*/*"))
    parts = list(cache.glob("models--*/blobs/*.incomplete"))
    assert [part.stat().st_size for part in parts] == [blocks * 512]


@pytest.mark.slow
def test_download_deleted_file_is_fetched_again(hub: Hub, cache: Path, open_queue: Open) -> None:
    queue = held_halfway(hub, open_queue)
    part = Repository(cache, DEMO).part(HubFile(WEIGHTS, 0, checksum(hub.models[DEMO].files[WEIGHTS])))
    look_until(lambda: part.exists() and part.stat().st_size > HALF // 2)  # its file is open by then
    shutil.rmtree(cache)
    go_on(hub)
    assert_whole(hub, queue.until(S.FAILED, S.DONE))


@pytest.mark.slow
def test_download_cache_that_is_a_file_fails(hub: Hub, cache: Path, open_queue: Open) -> None:
    shutil.rmtree(cache, ignore_errors=True)
    cache.write_text("no folder")
    queue = open_queue()
    queue.downloads.start(DEMO)
    job = queue.until(S.FAILED, S.DONE)
    assert job.failure is not None and job.failure.kind == "disk" and job.failure.todo


@pytest.mark.slow
def test_download_token_is_only_in_the_pipe(hub: Hub, cache: Path, tmp_path: Path, open_queue: Open) -> None:
    hub.models[DEMO].gated = True
    hub.faults.hold_after = HALF
    queue = open_queue()
    queue.downloads.start(DEMO, hub.token)
    assert hub.held.wait(LONG_S)
    shown = subprocess.run(["ps", "axeww"], capture_output=True, text=True, check=False).stdout
    assert FETCH_SWITCH in shown and hub.token not in shown
    queue.downloads.close()
    assert queue.downloads.wait(deadline(60))
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files and not any(hub.token.encode() in file.read_bytes() for file in files)


@pytest.mark.slow
def test_download_child_ends_with_its_parent(hub: Hub, child_environment: dict[str, str]) -> None:
    hub.faults.hold_after = HALF
    order = f'{{"model_id": "{DEMO}", "token": null, "pace": {{}}}}\n'
    with subprocess.Popen(
        fetch_command(), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=child_environment, text=True
    ) as child:
        assert child.stdin is not None
        child.stdin.write(order)
        child.stdin.flush()
        assert hub.held.wait(LONG_S)
        child.stdin.close()
        assert child.wait(LONG_S) == 1


@pytest.mark.slow
def test_fetch_command_of_the_frozen_program_is_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    command = fetch_command()
    assert command == [sys.executable, FETCH_SWITCH]
    with subprocess.Popen(
        [sys.executable, "-m", "app", *command[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdin is not None and child.stdout is not None
        child.stdin.write('{"model_id": "a/b", "token": null, "pace": {}}\n')
        child.stdin.flush()
        told = json.loads(child.stdout.readline())
    assert (told["say"], told["kind"]) == ("failed", "offline")


def test_fetch_command_has_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i18n, "_language", "ko")
    assert fetch_command() == [sys.executable, "-m", "app", FETCH_SWITCH, "ko"]


def test_download_program_that_cannot_start_fails(hub: Hub, open_queue: Open) -> None:
    queue = open_queue("/no/such/program")
    queue.downloads.start(DEMO)
    job = queue.until(S.FAILED)
    assert job.failure is not None and "could not be started" in job.failure.what


def test_download_stderr_is_in_the_details(hub: Hub, open_queue: Open) -> None:
    queue = open_queue("sh", "-c", "echo it burns >&2")
    queue.downloads.start(DEMO)
    job = queue.until(S.FAILED)
    assert job.failure is not None and "it burns" in job.failure.details


def test_rate_steady_is_constant() -> None:
    flow = TransferRate(1_000, 0.0)
    for second in range(1, 21):
        flow.count(1_000 + 500 * second, float(second))
    assert flow.rate(20.0) == pytest.approx(500)
    assert not flow.stalled(20.0)


def test_rate_without_data_falls_to_zero() -> None:
    flow = TransferRate(0, 0.0)
    flow.count(1_000, 1.0)
    rates = [flow.rate(now) for now in (1.0, 3.0, 5.0, 6.5, 60.0)]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] > 0.0 == rates[-1] == rates[-2]
    assert [flow.stalled(now) for now in (1.0, 3.9, 4.0)] == [False, False, True]


def test_rate_of_a_restarted_file_is_not_negative() -> None:
    flow = TransferRate(0, 0.0)
    flow.count(1_000, 1.0)
    flow.count(0, 2.0)
    assert flow.rate(2.0) == 0.0


ONE, TWO = HubFile("model.safetensors", 5, "a" * 64), HubFile("config.json", 3, "b" * 40)


def test_unfinished_after_save_is_loaded(tmp_path: Path) -> None:
    kept = [UnfinishedDownload("a/b", (ONE, TWO), (ONE,)), UnfinishedDownload("c/d")]
    save_unfinished(tmp_path / "data", kept)
    assert load_unfinished(tmp_path / "data") == kept


def test_unfinished_files_of_an_earlier_commit_are_cleaned_up() -> None:
    record = UnfinishedDownload("a/b").planned((ONE,), [ONE]).planned((TWO,), [TWO])
    assert record.files == (TWO,)
    assert set(record.ours) == {ONE, TWO}


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[1]", '[{"model_id": "a/b"}]', '[{"model_id": "a", "files": [], "ours": [{"name": "", "size": 1, '
     '"checksum": "../../../evil"}]}]', pytest.param("[" * 100_000, id="deep"),
     '[{"files": [{"name": "", "size": Infinity}]}]'],
)  # fmt: skip
def test_unfinished_broken_list_is_empty(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    assert load_unfinished(tmp_path) == []
