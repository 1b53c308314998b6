"""Deleting: from the cache alone, all of a model, and exactly what was announced."""

from pathlib import Path

import pytest

from app.engine.types import Failure
from app.library.local import describe, models, removal, remove
from app.library.types import LocalModel, ModelLocation, Removal
from tests.library.caches import put_into_cache


def planned(model: LocalModel) -> Removal:
    answer = removal(model)
    assert isinstance(answer, Removal), answer
    return answer


def space(cache: Path) -> int:
    return sum(file.stat().st_size for file in cache.rglob("*") if file.is_file() and not file.is_symlink())


def test_remove_deletes_all_revisions_of_one_model(
    cache: Path, tmp_path: Path, demo_model: Path, demo_draft: Path
) -> None:
    put_into_cache(cache, "a/b", demo_model)
    put_into_cache(cache, "a/b", demo_draft, "d" * 40, ref="other")
    put_into_cache(cache, "c/d", demo_draft)  # with the same commit as the first: a model that was renamed
    first, _ = models(tmp_path)
    plan = planned(first)
    before = space(cache)
    assert remove(plan) == plan.freed == first.size
    # The files that name a commit are the only other bytes.
    assert before - space(cache) == plan.freed + 2 * 40
    assert [model.name for model in models(tmp_path)] == ["c/d"]
    assert not (cache / "models--a--b").exists()


def test_removal_changes_nothing(cache: Path, tmp_path: Path, demo_draft: Path) -> None:
    put_into_cache(cache, "a/b", demo_draft)
    (model,) = models(tmp_path)
    before = space(cache)
    planned(model)
    assert space(cache) == before


@pytest.mark.parametrize("source", [ModelLocation.BUNDLED, ModelLocation.FOLDER])
def test_removal_outside_of_the_cache_is_refused(cache: Path, demo_model: Path, source: ModelLocation) -> None:
    answer = removal(describe(demo_model, source))
    assert isinstance(answer, Failure)
    assert answer.kind == "not ours"


def test_remove_damaged_entry_is_deleted(cache: Path, tmp_path: Path, demo_draft: Path) -> None:
    snapshot = put_into_cache(cache, "a/b", demo_draft)
    (snapshot / "model.safetensors").resolve().unlink()
    (model,) = models(tmp_path)
    plan = planned(model)
    assert plan.freed == model.size > 0
    assert remove(plan) == plan.freed
    assert not (cache / "models--a--b").exists()


def test_remove_entry_with_unreadable_reference_is_deleted(cache: Path, tmp_path: Path, demo_draft: Path) -> None:
    put_into_cache(cache, "a/b", demo_draft)
    (cache / "models--a--b" / "refs" / "main").write_bytes(b"\xff")
    put_into_cache(cache, "c/d", demo_draft)
    first, second = models(tmp_path)
    assert remove(planned(first)) == first.size
    assert remove(planned(second)) == second.size
    assert not list(cache.glob("models--*"))


def test_removal_of_a_cache_like_folder_is_refused(cache: Path, tmp_path: Path, demo_draft: Path) -> None:
    cache.mkdir()
    answer = removal(describe(demo_draft, ModelLocation.CACHE))
    assert isinstance(answer, Failure) and answer.kind == "absent"


def test_remove_absent_model_is_a_failure(cache: Path, tmp_path: Path, demo_draft: Path) -> None:
    put_into_cache(cache, "a/b", demo_draft)
    (model,) = models(tmp_path)
    plan = planned(model)
    remove(plan)
    assert isinstance(removal(model), Failure)
    assert remove(plan) == 0
