import errno
import os
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from huggingface_hub import scan_cache_dir, snapshot_download, try_to_load_from_cache

from app.library.blobs import Repository
from app.library.download_file import DownloadRequest, fetch
from app.library.local import models
from app.library.types import HubFile, RetryPolicy
from tests.hub import DEMO, Hub, checksum

PACE = RetryPolicy(silence_s=5.0, first_wait_s=0.001, longest_wait_s=0.002, tries=3)
WEIGHTS = "model.safetensors"
NEEDED = {
    "config.json",
    "first_prompts.json",
    "generation_config.json",
    WEIGHTS,
    "tokenizer.json",
    "tokenizer_config.json",
}


class Told(NamedTuple):
    """What a fetch said."""

    messages: list[dict[str, Any]]

    @property
    def last(self) -> dict[str, Any]:
        return self.messages[-1]

    def failure(self) -> dict[str, Any]:
        assert self.last["say"] == "failed", self.last
        assert self.last["what"].endswith(".") and self.last["todo"].endswith(".")
        return self.last

    def said(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.messages if message["say"] == kind]


def fetched(token: str | None = None, pace: RetryPolicy = PACE) -> Told:
    told: list[dict[str, Any]] = []

    def say(message: Mapping[str, Any]) -> None:
        told.append(dict(message))

    fetch(DownloadRequest(DEMO, token, pace), say)
    return Told(told)


def weights(hub: Hub, cache: Path) -> tuple[Repository, HubFile]:
    content = hub.models[DEMO].files[WEIGHTS]
    return Repository(cache, DEMO), HubFile(WEIGHTS, len(content), checksum(content))


def left_part(hub: Hub, cache: Path, content: bytes) -> Path:
    """What an earlier download left of the weights."""
    part = Repository.part(*weights(hub, cache))
    part.parent.mkdir(parents=True)
    part.write_bytes(content)
    return part


def appeared(cache: Path) -> bool:
    return any(cache.glob("models--*/snapshots/*/*"))


def assert_whole(hub: Hub, told: Told) -> Path:
    assert told.last["say"] == "done", told.last
    folder = Path(told.last["folder"])
    assert {file.name for file in folder.iterdir()} == NEEDED
    for file in folder.iterdir():
        assert file.read_bytes() == hub.models[DEMO].files[file.name], file.name
    assert not list(folder.parents[1].glob("blobs/*.incomplete"))
    return folder


@pytest.fixture(autouse=True)
def no_progress_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bars of the hub's own client keep a thread running."""
    monkeypatch.setattr("tqdm.tqdm.monitor_interval", 0)


def test_fetch_downloads_every_byte(hub: Hub, cache: Path) -> None:
    told = fetched()
    folder = assert_whole(hub, told)
    total = sum(len(hub.models[DEMO].files[name]) for name in NEEDED)
    assert sum(file["size"] for file in told.said("plan")[0]["files"]) == total
    assert sorted(hub.fetched()) == [WEIGHTS, "tokenizer.json"]
    assert folder.parents[2] == cache
    (model,) = models(cache / "nothing")
    assert (model.name, model.folder, model.unusable) == (DEMO, folder, None)


def test_fetch_result_is_complete_for_huggingface_hub(hub: Hub, cache: Path) -> None:
    folder = assert_whole(hub, fetched())
    assert try_to_load_from_cache(DEMO, "config.json", cache_dir=cache) == str(folder / "config.json")
    hub.asked.clear()
    again = snapshot_download(DEMO, cache_dir=cache, allow_patterns=sorted(NEEDED), endpoint=hub.address)
    assert Path(again) == folder
    assert hub.fetched() == []
    repo = next(iter(scan_cache_dir(cache).repos))
    assert (repo.repo_id, repo.nb_files) == (DEMO, len(NEEDED))
    assert scan_cache_dir(cache).warnings == []


def test_fetch_files_of_huggingface_hub_are_reused(hub: Hub, cache: Path) -> None:
    snapshot_download(DEMO, cache_dir=cache, allow_patterns=[WEIGHTS], endpoint=hub.address)
    hub.asked.clear()
    assert_whole(hub, fetched())
    assert hub.fetched() == ["tokenizer.json"]


def test_fetch_again_downloads_nothing(hub: Hub, cache: Path) -> None:
    fetched()
    hub.asked.clear()
    assert_whole(hub, fetched())
    assert [path for _, path, _ in hub.asked] == [f"/api/models/{DEMO}"]


def test_fetch_part_is_resumed(hub: Hub, cache: Path) -> None:
    content = hub.models[DEMO].files[WEIGHTS]
    left_part(hub, cache, content[:1_000_000])
    told = fetched()
    assert_whole(hub, told)
    assert [item["present"] for item in told.said("plan")[0]["files"] if item["name"] == WEIGHTS] == [1_000_000]
    assert ("GET", f"/cdn/{DEMO}/{WEIGHTS}", "bytes=1000000-") in hub.asked
    assert hub.sent < len(content)


def test_fetch_html_instead_of_a_file_keeps_the_part(hub: Hub, cache: Path) -> None:
    """Such as one that asks for a login, or says that the hub is being mended."""
    part = left_part(hub, cache, hub.models[DEMO].files[WEIGHTS][:1_000_000])
    hub.faults.statuses[f"/cdn/{DEMO}/{WEIGHTS}"] = [(200, {"Content-Type": "text/html"})] * PACE.tries
    assert fetched().failure()["kind"] == "offline"
    assert part.stat().st_size == 1_000_000
    assert_whole(hub, fetched())
    assert ("GET", f"/cdn/{DEMO}/{WEIGHTS}", "bytes=1000000-") in hub.asked


@pytest.mark.parametrize("damage", ["other bytes", "too long"])
def test_fetch_invalid_part_is_restarted(hub: Hub, cache: Path, damage: str) -> None:
    left_part(hub, cache, b"x" * (1000 if damage == "other bytes" else len(hub.models[DEMO].files[WEIGHTS]) + 1))
    assert_whole(hub, fetched())


def test_fetch_truncated_blob_is_downloaded_again(hub: Hub, cache: Path) -> None:
    folder = assert_whole(hub, fetched())
    blob = (folder / WEIGHTS).resolve()
    blob.write_bytes(blob.read_bytes()[:-1000])
    assert_whole(hub, fetched())


@pytest.mark.slow
def test_fetch_connection_cut_every_64_kb_completes(hub: Hub, cache: Path) -> None:
    hub.faults.cut_every = 65_536
    told = fetched()
    assert_whole(hub, told)
    size = len(hub.models[DEMO].files[WEIGHTS])
    assert hub.fetched().count(WEIGHTS) >= size // 65_536
    assert hub.sent < size * 1.2
    assert told.said("waiting") == []  # it gets on, so nobody has to wait


def test_fetch_silent_connection_is_retried(hub: Hub, cache: Path) -> None:
    hub.faults.hold_after = 500_000
    told: list[str] = []

    def say(message: Mapping[str, Any]) -> None:
        told.append(message["say"])
        if message["say"] == "waiting" and hub.held.is_set():
            hub.faults.hold_after = None
            hub.go_on.set()

    fetch(DownloadRequest(DEMO, None, RetryPolicy(silence_s=0.1, first_wait_s=0.001, longest_wait_s=0.002)), say)
    assert told[-1] == "done"
    assert hub.fetched().count(WEIGHTS) >= 2


@pytest.mark.parametrize(("status", "path"), [(429, "/api/models"), (500, "/cdn/"), (503, "/cdn/")])
def test_fetch_temporary_failure_is_retried(hub: Hub, cache: Path, status: int, path: str) -> None:
    hub.faults.statuses[path] = [(status, {})] * 2
    told = fetched()
    assert_whole(hub, told)
    assert len(told.said("waiting")) == 2 == len(told.said("going"))


def test_fetch_retry_after_is_obeyed(hub: Hub, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    hub.faults.statuses["/cdn/"] = [(429, {"Retry-After": "17"}), (429, {"RateLimit": '"resolvers";r=0;t=55'})]
    told = fetched()
    assert_whole(hub, told)
    assert [item["seconds"] for item in told.said("waiting")] == [17.0, 55.0]
    assert {17.0, 55.0} <= set(slept)


def test_fetch_lasting_failure_is_given_up(hub: Hub, cache: Path) -> None:
    hub.faults.statuses["/cdn/"] = [(500, {})] * 9
    failure = fetched().failure()
    assert failure["kind"] == "hub" and "HTTP 500" in failure["what"]
    assert not appeared(cache)


@pytest.mark.parametrize(
    ("status", "headers", "kind"),
    [(401, {"X-Error-Code": "RepoNotFound"}, "absent"), (404, {}, "absent"), (403, {}, "gated"), (401, {}, "token")],
)
def test_fetch_refusal_is_not_retried(hub: Hub, cache: Path, status: int, headers: dict[str, str], kind: str) -> None:
    hub.faults.statuses["/api/models"] = [(status, headers)]
    assert fetched().failure()["kind"] == kind
    assert len(hub.asked) == 1


def test_fetch_token_is_sent_to_the_hub_only(hub: Hub, cache: Path) -> None:
    hub.models[DEMO].gated = True
    assert fetched().failure()["kind"] == "gated"
    assert not appeared(cache)
    told = fetched(hub.token)
    assert_whole(hub, told)
    assert ("mlx-community", hub.token) in hub.tokens
    assert ("cdn", hub.token) not in hub.tokens
    assert hub.token not in str(told.messages) + repr(DownloadRequest(DEMO, hub.token))
    assert not any(hub.token.encode() in file.read_bytes() for file in cache.rglob("*") if file.is_file())


def test_fetch_login_of_the_hub_is_used(hub: Hub, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.models[DEMO].gated = True
    monkeypatch.setenv("HF_TOKEN", hub.token)
    assert_whole(hub, fetched())


def test_fetch_wrong_bits_are_found(hub: Hub, cache: Path) -> None:
    hub.faults.wrong.add(WEIGHTS)
    failure = fetched().failure()
    assert failure["kind"] == "checksum" and WEIGHTS in failure["what"]
    assert not appeared(cache)
    repository, file = weights(hub, cache)
    assert repository.present(file) == 0
    hub.faults.wrong.clear()
    assert_whole(hub, fetched())


def test_fetch_wrong_bits_in_a_small_file_are_found(hub: Hub, cache: Path) -> None:
    hub.faults.wrong.add("config.json")
    assert fetched().failure()["kind"] == "checksum"


def test_fetch_shortened_file_is_found(hub: Hub, cache: Path) -> None:
    hub.faults.short.add(WEIGHTS)
    assert fetched().failure()["kind"] == "offline"
    assert not appeared(cache)


def test_fetch_checks_disk_space_first(hub: Hub, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10**9, 10**9, 10**6))
    failure = fetched().failure()
    assert failure["kind"] == "disk" and "0.00 GB free" in failure["what"]
    assert hub.fetched() == []


def test_fetch_without_weights_is_refused(hub: Hub, cache: Path) -> None:
    del hub.models[DEMO].files[WEIGHTS]
    assert fetched().failure()["kind"] == "weights"
    assert hub.fetched() == []


def test_fetch_concurrent_link_is_accepted(hub: Hub, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link, symlink_to = Repository.link, Path.symlink_to

    def with_another(repository: Repository, commit: str, files: tuple[HubFile, ...]) -> Path:
        def late(path: Path, target: str) -> None:
            monkeypatch.setattr(Path, "symlink_to", symlink_to)
            link(repository, commit, files)
            path.symlink_to(target)

        monkeypatch.setattr(Path, "symlink_to", late)
        return link(repository, commit, files)

    monkeypatch.setattr(Repository, "link", with_another)
    folder = assert_whole(hub, fetched())
    assert all(file.is_symlink() for file in folder.iterdir())


def test_fetch_partial_copy_is_not_used(hub: Hub, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a disk without links the files are copied."""
    copyfile = shutil.copyfile

    def refuse(path: Path, target: str) -> None:
        raise PermissionError(errno.EPERM, "no links here")

    def break_off(blob: Path, to: Path) -> None:
        to.write_bytes(blob.read_bytes()[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    monkeypatch.setattr(shutil, "copyfile", break_off)
    assert fetched().failure()["kind"] == "disk"
    assert not appeared(cache) and not list(cache.glob("models--*/blobs/*.incomplete"))
    monkeypatch.setattr(shutil, "copyfile", copyfile)
    folder = assert_whole(hub, fetched())
    assert not any(file.is_symlink() for file in folder.iterdir())


def test_fetch_sweeps_leftovers(hub: Hub, cache: Path) -> None:
    blobs = Repository(cache, DEMO).folder / "blobs"
    blobs.mkdir(parents=True)
    old, new = blobs / f"{'0' * 40}.aaaaaaaa.incomplete", blobs / f"{'1' * 40}.bbbbbbbb.incomplete"
    old.touch()
    new.touch()
    os.utime(old, (0, 0))
    fetched()
    assert not old.exists()
    assert new.exists()  # somebody may be writing to it
