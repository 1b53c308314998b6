"""Caches on the disk: what comes back after a start, and that whatever is wrong with a file means reading again."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from app.engine.mlx.caches import disk_cache as saved_caches
from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import FORGET_MEMORY, StopFlag
from app.engine.saved_names import name_of, saved_files, saved_sessions
from app.engine.types import CacheMissReason, LoadRequest, Model, Saved, Tuning
from tests import models
from tests.engine.mlx.asking import ALL_MODELS, A, B, ask, text
from tests.engine.mlx.conftest import Player

BUDGET = 10**8
Start = Callable[..., Player]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "caches"


@pytest.fixture
def start(folder: Path) -> Iterator[Start]:
    """The program, started: with what was saved before."""
    engines: list[MlxEngine] = []

    def begin(model: Path, budget: int = BUDGET, draft: Path | None = None) -> Player:
        engines.append(MlxEngine())
        engines[-1].tune(Tuning(saved_bytes=budget, saved_to=str(folder)))
        request = LoadRequest(str(model), str(draft) if draft else None)
        opened = engines[-1].load(request, lambda event: None, StopFlag())
        assert isinstance(opened, Model), opened
        return Player(engines[-1], opened)

    yield begin
    for engine in engines:
        engine.unload()  # as ever here, instead of `close`


def saved(player: Player) -> Saved:
    told = player.engine.memory().saved
    assert told is not None
    return told


@pytest.mark.slow
@pytest.mark.parametrize("model", ALL_MODELS)
def test_after_a_start_only_what_is_new_is_read(start: Start, request: pytest.FixtureRequest, model: str) -> None:
    path = request.getfixturevalue(model)
    before = start(path)
    first = before.play(ask(A, 1))
    before.play(ask(B, 2))
    before.engine.save()
    wrote = saved(before)
    assert wrote.size == wrote.written > 0
    after = start(path)
    ids = (*A, *first.ids, 7)
    assert after.engine.reusable(ids, ask(ids, 1)).count == len(ids) - 1
    back = after.play(ask(ids, 1))
    assert back.finish.reused == len(ids) - 1
    assert saved(after).seconds > 0
    assert saved(after).written == 0
    assert after.play(ask((*B, 9), 3)).prompted.session == 2, "whose it was is still told"
    assert back.ids == after.play(ask(ids, None, reuse=False)).ids


@pytest.mark.slow
def test_quantised_and_drafted_ones_come_back_too(start: Start, tmp_path: Path) -> None:
    wide = models.tiny_llama(tmp_path / "wide", head_dim=64)
    for number, change in enumerate(({"bits": 8}, {"bits": 4, "quantized_start": 100})):
        before = start(wide)
        before.play(ask(A, 1 + number, **change))
        before.engine.save()
        assert start(wide).play(ask((*A, 7), 1, **change)).finish.reused == len(A)
    drafted = start(wide, draft=wide)
    assert drafted.play(ask((*A, 7), 1, bits=8)).finish.reused == 0, "it was read without that draft model"


@pytest.mark.slow
def test_nothing_is_written_twice_and_a_beginning_goes_with_its_whole(start: Start, tiny_llama: Path) -> None:
    player = start(tiny_llama)
    first = player.play(ask(A, 1))
    player.engine.save()
    once = saved(player)
    player.engine.save()
    assert saved(player) == once
    player.play(ask((*A, *first.ids, *B), 1))
    player.engine.save()
    (only,) = saved_files(player_folder(player))
    assert only.stat().st_size == saved(player).size > once.size


def test_what_is_nobodys_or_short_is_not_written(start: Start, tiny_llama: Path) -> None:
    player = start(tiny_llama)
    for asked in (ask(A, None), ask(text(3, 20), 1), ask(B, 0), ask(text(4, 20), 1)):
        player.play(asked)
    player.engine.save()
    assert saved(player) == Saved()


def test_a_kind_of_cache_that_no_file_gives_back_is_told(
    start: Start, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as other:
        other.setattr(saved_caches, "CLASSES", ())
        player = start(tiny_llama)
        player.play(ask(A, 1))
        player.engine.save()
        assert saved(player) == Saved(why_not=saved_caches.UNFIT)
    assert saved(start(tiny_llama)) == Saved()


@pytest.mark.slow
def test_the_budgets_hold(start: Start, tiny_llama: Path) -> None:
    player = start(tiny_llama)
    player.play(ask(A, 1))
    player.engine.save()
    each = saved(player).size
    budget = int(2.5 * each)
    player = start(tiny_llama, budget)
    for number in range(20):
        player.play(ask(text(10 + number, 600), 2 + number))
        player.engine.save()
        assert saved(player).size <= budget
    assert saved(player).written <= saved_caches.WRITES * budget
    assert 1 not in saved_sessions(player_folder(player)), "the oldest went first"


@pytest.mark.slow
def test_a_deleted_session_goes_from_memory_and_disk(start: Start, tiny_llama: Path) -> None:
    player = start(tiny_llama)
    for session, ids in ((1, A), (2, B), (3, text(3, 600))):
        player.play(ask(ids, session))
    player.engine.save()
    player.engine.forget(1)
    assert saved_sessions(player_folder(player)) == {2, 3}
    player.engine.forget(3)
    player.play(ask(text(4, 600), 4))
    player.engine.save()
    assert saved_sessions(player_folder(player)) == {2, 4}, "the last run's own was deleted before it was put by"
    assert player.play(ask((*A, 7), 5)).finish.reused == 0
    player.engine.save()
    player.engine.forget(FORGET_MEMORY)
    assert (saved_sessions(player_folder(player)), player.engine.memory().kept) == ({2, 4, 5}, 0)
    player.engine.forget(0)
    assert (saved_sessions(player_folder(player)), player.engine.memory().kept) == (set(), 0)


def test_switched_off_all_of_it_goes(start: Start, tiny_llama: Path) -> None:
    player = start(tiny_llama)
    player.play(ask(A, 1))
    player.engine.save()
    player.engine.tune(Tuning(saved_to=str(player_folder(player))))
    assert saved_files(player_folder(player)) == []
    player.engine.save()
    assert saved_files(player_folder(player)) == []


@pytest.mark.slow
def test_another_model_of_the_same_name_finds_nothing(start: Start, tmp_path: Path, tiny_llama: Path) -> None:
    path = Path(shutil.copytree(tiny_llama, tmp_path / "model"))
    player = start(path)
    player.play(ask(A, 1))
    player.engine.save()
    os.utime(path / "model.safetensors", ns=(1, 1))
    after = start(path)
    found, again = after.play(ask((*A, 7), 1)), after.play(ask((*B, 7), 1))
    assert (found.finish.reused, again.finish.reused) == (0, 0)
    said = "its saved cache is from another model or version"
    assert found.prompted.cache_note == said and found.finish.conditions is not None
    assert found.finish.conditions.hindrance is CacheMissReason.STRANGE
    assert again.prompted.cache_note != said, "once"
    assert start(path).play(ask((*A, 7), 2)).prompted.cache_note != said, "nothing was saved of that one"


@pytest.mark.slow
@pytest.mark.parametrize("wrong", ["bytes", "end", "name", "empty", "gone", "folder"])
def test_what_is_wrong_with_a_file_means_reading_again(
    start: Start, tiny_llama: Path, folder: Path, wrong: str
) -> None:
    before = start(tiny_llama)
    before.play(ask(A, 1))
    before.engine.save()
    after = start(tiny_llama)
    (path,) = saved_files(folder)
    content = path.read_bytes()
    if wrong == "bytes":
        half = len(content) // 2
        path.write_bytes(content[:half] + bytes((content[half] ^ 1,)) + content[half + 1 :])
    elif wrong == "end":
        path.write_bytes(content[:-100])
    elif wrong == "empty":
        path.write_bytes(b"")
    else:
        path.unlink()
    if wrong == "name":
        (folder / name_of(1, 7)).write_bytes(content)
    elif wrong == "folder":
        path.mkdir()
    for player in (after, start(tiny_llama)):
        played = player.play(ask((*A, 7), 1))
        assert played.finish.reused == 0
        assert played.ids == player.play(ask((*A, 7), None, reuse=False)).ids
        if player is after:
            assert played.prompted.cache_note == "its saved cache was damaged and has been deleted"
            conditions = played.finish.conditions
            assert conditions is not None and conditions.hindrance is CacheMissReason.DAMAGED


def test_a_full_disk_is_said_once_and_leaves_nothing_half(
    start: Start, tiny_llama: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(name: str, *_: object) -> None:
        Path(name).write_bytes(b"half")
        raise RuntimeError("[write] Unable to write")

    player = start(tiny_llama)
    player.play(ask(A, 1))
    monkeypatch.setattr(saved_caches, "save_prompt_cache", full)
    player.engine.save()
    assert list(folder.iterdir()) == []
    assert player.play(ask(B, 2)).prompted.cache_note == "the disk had no room to save its cache"
    assert player.play(ask((7, *B), 2)).prompted.cache_note != "the disk had no room to save its cache"


def test_what_a_killed_program_left_half_goes_and_what_another_one_writes_stays(
    start: Start, tiny_llama: Path, folder: Path
) -> None:
    folder.mkdir()
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as other:
        theirs = folder / f"{other.pid}{saved_caches.HALF}"
        left = [folder / f"{name}{saved_caches.HALF}" for name in (os.getpid(), "99999999999999999999", "odd")]
        for path in (theirs, *left):
            path.write_bytes(b"half")
        start(tiny_llama)
        assert list(folder.iterdir()) == [theirs]


def test_only_its_owner_may_read_it(start: Start, tiny_llama: Path, folder: Path) -> None:
    player = start(tiny_llama)
    player.play(ask(A, 1))
    player.engine.save()
    assert [path.stat().st_mode & 0o077 for path in (folder, *folder.iterdir())] == [0, 0]


def test_what_is_no_file_is_not_opened(start: Start, tiny_llama: Path, folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / name_of(1, 2))
    assert start(tiny_llama).play(ask(A, 1)).finish.reused == 0


def test_a_device_that_fails_while_it_is_saved_ends_nothing(
    start: Start, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("[METAL] planted")

    player = start(tiny_llama)
    player.play(ask(A, 1))
    monkeypatch.setattr("app.engine.mlx.caches.prompt_cache_pool.mx.eval", broken)
    player.engine.save()
    assert (saved(player).size, player.engine.memory().kept) == (0, 0)


@pytest.mark.slow
def test_another_model_or_draft_has_them_saved_before_they_go(start: Start, tiny_llama: Path, tmp_path: Path) -> None:
    player = start(tiny_llama)
    player.play(ask(A, 1))
    beside = LoadRequest(str(tiny_llama), str(tiny_llama))
    assert isinstance(player.engine.load(beside, lambda event: None, StopFlag()), Model)
    assert saved_sessions(player_folder(player)) == {1}
    player.play(ask(B, 2))
    other = models.tiny_llama(tmp_path / "other")
    assert isinstance(player.engine.load(LoadRequest(str(other)), lambda event: None, StopFlag()), Model)
    assert saved_sessions(player_folder(player)) == {1, 2}
    player.play(ask(text(3, 600), 3))
    player.engine.unload()
    assert saved_sessions(player_folder(player)) == {1, 2, 3}


def test_asking_reads_no_file(start: Start, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = start(tiny_llama)
    before.play(ask(A, 1))
    before.engine.save()
    player = start(tiny_llama)
    read = Mock(wraps=saved_caches._load)
    monkeypatch.setattr(saved_caches, "_load", read)
    for _ in range(3):
        assert player.engine.reusable((*A, 7), ask((*A, 7), 1)).count == len(A)
    assert (read.call_count, saved(player).seconds, player.engine.memory().kept) == (0, 0, 0)
    assert player.play(ask((*A, 7), 1)).finish.reused == len(A)
    assert read.call_count == 1 and saved(player).seconds > 0


@pytest.mark.slow
def test_what_is_brought_is_used_though_memory_keeps_others(start: Start, tmp_path: Path) -> None:
    """Those of four bits have more tokens a byte."""
    wide = models.tiny_llama(tmp_path / "wide", head_dim=64)
    before = start(wide)
    before.play(ask(A, 1))
    before.engine.save()
    player = start(wide)
    for number in range(8):
        player.play(ask(text(10 + number, 600), 2 + number, bits=4))
    kept = player.engine._cache.others
    kept.budget = max(kept.size, *(path.stat().st_size for path in saved_files(player_folder(player))))
    assert player.play(ask((*A, 7), 1)).finish.reused == len(A)
    assert kept.size <= kept.budget


def player_folder(player: Player) -> Path:
    return Path(player.engine._tuning.saved_to)
