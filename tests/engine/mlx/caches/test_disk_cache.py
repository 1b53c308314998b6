import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from app.engine.mlx.caches import disk_cache
from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import FORGET_MEMORY, StopFlag
from app.engine.saved_names import name_of, saved_files, saved_sessions
from app.engine.types import CacheMissReason, DiskCacheStats, LoadRequest, Model, Tuning
from tests import models
from tests.engine.mlx.asking import ALL_MODELS, A, B, ask, text
from tests.engine.mlx.conftest import Played, Player, ignore

BUDGET = 10**8


class Started(Player):
    """An engine that saves its caches."""

    def saved(self) -> DiskCacheStats:
        saved = self.engine.memory().saved
        assert saved is not None
        return saved

    def run(self, ids: tuple[int, ...], session: int | None, **kv: Any) -> Played:
        return self.play(ask(ids, session, **kv))

    def save(self, ids: tuple[int, ...], session: int | None, **kv: Any) -> Played:
        """Run, and save the caches."""
        played = self.run(ids, session, **kv)
        self.engine.save()
        return played


Start = Callable[..., Started]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "caches"


@pytest.fixture
def start(folder: Path, tiny_llama: Path) -> Iterator[Start]:
    """Start an engine, with the caches that were saved before."""
    engines: list[MlxEngine] = []

    def begin(model: Path = tiny_llama, budget: int = BUDGET, draft: Path | None = None) -> Started:
        engines.append(MlxEngine())
        engines[-1].tune(Tuning(saved_bytes=budget, saved_to=str(folder)))
        request = LoadRequest(str(model), str(draft) if draft else None)
        opened = engines[-1].load(request, ignore, StopFlag())
        assert isinstance(opened, Model), opened
        return Started(engines[-1], opened)

    yield begin
    for engine in engines:
        engine.unload()


@pytest.mark.slow
@pytest.mark.parametrize("model", ALL_MODELS)
def test_saved_cache_leaves_new_tokens_to_prefill(start: Start, request: pytest.FixtureRequest, model: str) -> None:
    path = request.getfixturevalue(model)
    before = start(path)
    first = before.run(A, 1)
    before.save(B, 2)
    assert before.saved().size == before.saved().written > 0
    after = start(path)
    ids = (*A, *first.ids, 7)
    assert after.reusable(ask(ids, 1)).count == len(ids) - 1
    back = after.run(ids, 1)
    assert back.finish.reused == len(ids) - 1
    assert after.saved().seconds > 0 and after.saved().written == 0
    assert after.run((*B, 9), 3).prompted.session == 2
    assert back.ids == after.run(ids, None, reuse=False).ids


@pytest.mark.slow
def test_saved_cache_depends_on_its_settings_and_draft_model(start: Start, tmp_path: Path) -> None:
    wide = models.tiny_llama(tmp_path / "wide", head_dim=64)
    for session, change in ((1, {"bits": 8}), (2, {"bits": 4, "quantized_start": 100})):
        start(wide).save(A, session, **change)
        assert start(wide).run((*A, 7), 1, **change).finish.reused == len(A)
    assert start(wide, draft=wide).run((*A, 7), 1, bits=8).finish.reused == 0


@pytest.mark.slow
def test_saved_cache_is_written_once_and_replaced_by_a_longer_one(start: Start, folder: Path) -> None:
    player = start()
    first = player.save(A, 1)
    once = player.saved()
    player.engine.save()
    assert player.saved() == once
    player.save((*A, *first.ids, *B), 1)
    (only,) = saved_files(folder)
    assert only.stat().st_size == player.saved().size > once.size


def test_short_caches_and_those_without_a_session_are_not_saved(start: Start) -> None:
    player = start()
    for ids, session in ((A, None), (text(3, 20), 1), (B, 0), (text(4, 20), 1)):
        player.run(ids, session)
    player.engine.save()
    assert player.saved() == DiskCacheStats()


def test_cache_of_an_unsupported_class_is_reported(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as other:
        other.setattr(disk_cache, "CLASSES", ())
        player = start()
        player.save(A, 1)
        assert player.saved() == DiskCacheStats(why_not=disk_cache.UNFIT)
    assert start().saved() == DiskCacheStats()


@pytest.mark.slow
def test_disk_budgets_limit_size_and_written_bytes(start: Start, folder: Path) -> None:
    player = start()
    player.save(A, 1)
    budget = int(2.5 * player.saved().size)
    player = start(budget=budget)
    for number in range(20):
        player.save(text(10 + number, 600), 2 + number)
        assert player.saved().size <= budget
    assert player.saved().written <= disk_cache.WRITES * budget
    assert 1 not in saved_sessions(folder), "the oldest was deleted first"


@pytest.mark.slow
def test_session_that_is_deleted_has_no_cache_in_memory_or_on_disk(start: Start, folder: Path) -> None:
    player = start()
    for session, ids in ((1, A), (2, B), (3, text(3, 600))):
        player.run(ids, session)
    player.engine.save()
    player.engine.forget(1)
    assert saved_sessions(folder) == {2, 3}
    player.engine.forget(3)
    player.save(text(4, 600), 4)
    assert saved_sessions(folder) == {2, 4}, "the cache of the last run was deleted too"
    assert player.save((*A, 7), 5).finish.reused == 0
    for session, left in ((FORGET_MEMORY, {2, 4, 5}), (0, set())):
        player.engine.forget(session)
        assert (saved_sessions(folder), player.engine.memory().kept) == (left, 0)


def test_saved_caches_are_private_and_deleted_when_turned_off(start: Start, folder: Path) -> None:
    player = start()
    player.save(A, 1)
    assert [path.stat().st_mode & 0o077 for path in (folder, *folder.iterdir())] == [0, 0]
    player.engine.tune(Tuning(saved_to=str(folder)))
    assert saved_files(folder) == []
    player.engine.save()
    assert saved_files(folder) == []


@pytest.mark.slow
def test_saved_cache_of_a_changed_model_is_not_used(start: Start, tmp_path: Path, tiny_llama: Path) -> None:
    path = Path(shutil.copytree(tiny_llama, tmp_path / "model"))
    start(path).save(A, 1)
    os.utime(path / "model.safetensors", ns=(1, 1))
    after = start(path)
    found, again = after.run((*A, 7), 1), after.run((*B, 7), 1)
    assert (found.finish.reused, again.finish.reused) == (0, 0)
    note = "its saved cache is from another model or version"
    assert (found.prompted.cache_note, found.conditions.hindrance) == (note, CacheMissReason.STRANGE)
    assert again.prompted.cache_note != note, "it is reported once"
    assert start(path).run((*A, 7), 2).prompted.cache_note != note, "another session has no file"


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["bytes", "end", "name", "empty", "gone", "folder"])
def test_saved_cache_that_is_damaged_is_prefilled_again(start: Start, folder: Path, damage: str) -> None:
    start().save(A, 1)
    after = start()
    (path,) = saved_files(folder)
    content = path.read_bytes()
    half = len(content) // 2
    path.unlink()
    if damage == "bytes":
        path.write_bytes(content[:half] + bytes((content[half] ^ 1,)) + content[half + 1 :])
    elif damage in ("end", "empty"):
        path.write_bytes(content[:-100] if damage == "end" else b"")
    elif damage == "name":
        (folder / name_of(1, 7)).write_bytes(content)
    elif damage == "folder":
        path.mkdir()
    for player in (after, start()):
        played = player.run((*A, 7), 1)
        assert played.finish.reused == 0
        assert played.ids == player.run((*A, 7), None, reuse=False).ids
        if player is after:
            assert played.prompted.cache_note == "its saved cache was damaged and has been deleted"
            assert played.conditions.hindrance is CacheMissReason.DAMAGED


def test_full_disk_is_reported_once_and_leaves_no_file(
    start: Start, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(name: str, *_: object) -> None:
        Path(name).write_bytes(b"half")
        raise RuntimeError("[write] Unable to write")

    player = start()
    monkeypatch.setattr(disk_cache, "save_prompt_cache", full)
    player.save(A, 1)
    assert list(folder.iterdir()) == []
    notes = [player.run(ids, 2).prompted.cache_note for ids in (B, (7, *B))]
    assert [note == "the disk had no room to save its cache" for note in notes] == [True, False]


def test_partial_files_of_ended_processes_are_deleted(start: Start, folder: Path) -> None:
    folder.mkdir()
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as other:
        theirs = folder / f"{other.pid}{disk_cache.HALF}"
        left = [folder / f"{name}{disk_cache.HALF}" for name in (os.getpid(), "99999999999999999999", "odd")]
        for path in (theirs, *left):
            path.write_bytes(b"half")
        start()
        assert list(folder.iterdir()) == [theirs]


def test_pipe_in_place_of_a_saved_cache_is_not_opened(start: Start, folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / name_of(1, 2))
    assert start().run(A, 1).finish.reused == 0


def test_device_failure_while_saving_drops_the_caches(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    player = start()
    player.run(A, 1)
    monkeypatch.setattr("app.engine.mlx.caches.prompt_cache_pool.mx.eval", Mock(side_effect=RuntimeError("[METAL] x")))
    player.engine.save()
    assert (player.saved().size, player.engine.memory().kept) == (0, 0)


@pytest.mark.slow
def test_caches_are_saved_before_a_model_change(start: Start, tiny_llama: Path, tmp_path: Path, folder: Path) -> None:
    player = start()
    player.run(A, 1)
    assert isinstance(player.load(tiny_llama, tiny_llama), Model)
    assert saved_sessions(folder) == {1}
    player.run(B, 2)
    assert isinstance(player.load(models.tiny_llama(tmp_path / "other")), Model)
    assert saved_sessions(folder) == {1, 2}
    player.run(text(3, 600), 3)
    player.engine.unload()
    assert saved_sessions(folder) == {1, 2, 3}


def test_prediction_reads_no_file(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    start().save(A, 1)
    player = start()
    monkeypatch.setattr(disk_cache, "_load", read := Mock(wraps=disk_cache._load))
    for _ in range(3):
        assert player.reusable(ask((*A, 7), 1)).count == len(A)
    assert (read.call_count, player.saved().seconds, player.engine.memory().kept) == (0, 0, 0)
    assert player.run((*A, 7), 1).finish.reused == len(A)
    assert read.call_count == 1 and player.saved().seconds > 0


@pytest.mark.slow
def test_saved_cache_is_used_even_if_the_pool_is_full(start: Start, tmp_path: Path, folder: Path) -> None:
    """Caches of 4 bits have more tokens for each byte, so they stay."""
    wide = models.tiny_llama(tmp_path / "wide", head_dim=64)
    start(wide).save(A, 1)
    player = start(wide)
    for number in range(8):
        player.run(text(10 + number, 600), 2 + number, bits=4)
    pool = player.engine._cache.others
    pool.budget = max(pool.size, *(path.stat().st_size for path in saved_files(folder)))
    assert player.run((*A, 7), 1).finish.reused == len(A)
    assert pool.size <= pool.budget
