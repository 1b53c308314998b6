from pathlib import Path

import pytest
from huggingface_hub import hf_hub_download
from huggingface_hub.utils import WeakFileLock

from app.engine.protocol import StopFlag
from app.engine.types import Cancellation, Failure
from app.library.blobs import DATASETS, Repository
from app.library.datasets import DatasetFiles, download, files_of
from app.library.types import RetryPolicy
from tests.hub import Hub, Shelf

NAME = "some/quiz"
FILE = "main/test-00000-of-00001.jsonl"
CONTENT = b'{"question": "?"}\n' * 1_000
PACE = RetryPolicy(silence_s=5.0, first_wait_s=0.001, longest_wait_s=0.002, tries=3)


@pytest.fixture
def found(hub: Hub) -> DatasetFiles:
    odd = {"../up.jsonl": b"x", "a/.b.jsonl": b"x", "picture.png": b"x", "README.md": b"x"}
    hub.models[f"datasets/{NAME}"] = Shelf({FILE: CONTENT, **odd})
    listed = files_of(NAME, (".jsonl",))
    assert isinstance(listed, DatasetFiles)
    return listed


def test_dataset_file_is_resumed_and_found_by_huggingface_hub(
    hub: Hub, cache: Path, found: DatasetFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [file.name for file in found.files] == [FILE]
    part = Repository(cache, NAME, DATASETS).part(found.files[0])
    part.parent.mkdir(parents=True)
    part.write_bytes(CONTENT[:5_000])
    arrived: list[int] = []
    path = download(found, found.files[0], arrived.append, StopFlag())
    assert isinstance(path, Path) and path.read_bytes() == CONTENT and arrived[0] == 5_000
    assert hub.asked[-1][2] == "bytes=5000-"
    known = hf_hub_download(NAME, FILE, repo_type="dataset", cache_dir=cache, local_files_only=True)
    assert Path(known) == path
    hub.asked.clear()
    assert download(found, found.files[0], arrived.append, StopFlag()) == path and not hub.asked


def test_dataset_download_stops_and_fails_with_a_sentence(
    hub: Hub, cache: Path, found: DatasetFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = StopFlag()
    stop.ask()
    assert isinstance(download(found, found.files[0], lambda done: None, stop), Cancellation)
    hub.faults.wrong.add(FILE)
    damaged = download(found, found.files[0], lambda done: None, StopFlag(), pace=PACE)
    assert isinstance(damaged, Failure) and damaged.kind == "checksum"
    absent, odd = files_of("some/other", (".jsonl",)), files_of("../up", (".jsonl",))
    assert isinstance(absent, Failure) and "no dataset “some/other”" in absent.what
    assert isinstance(odd, Failure) and odd.kind == "absent"
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    offline = files_of(NAME, (".jsonl",))
    assert isinstance(offline, Failure) and offline.kind == "offline"


def test_dataset_download_stops_while_another_program_has_the_file(cache: Path, found: DatasetFiles) -> None:
    lock, stop = Repository(cache, NAME, DATASETS).lock(found.files[0]), StopFlag()
    lock.parent.mkdir(parents=True)
    arrived: list[int] = []

    def count(done: int) -> None:
        arrived.append(done)
        if len(arrived) == 2:
            stop.ask()

    with WeakFileLock(lock):
        assert isinstance(download(found, found.files[0], count, stop), Cancellation)
    assert arrived == [0, 0]
