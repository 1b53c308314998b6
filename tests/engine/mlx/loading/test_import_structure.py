"""What transformers offers is the same when it was kept, and whatever lies in the place of what was."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.engine.mlx.loading import import_structure
from app.engine.mlx.loading.import_structure import FILE, ImportStructureCache, Structure

PROJECT = Path(__file__).parents[4]
PROGRAM = """
import json, sys
from app.engine.mlx.loading import import_structure
if {keeping}:
    import_structure.keep()
import transformers, transformers.models
from transformers.utils import import_utils
from transformers.models.auto.tokenization_auto import tokenizer_class_from_name

def plain(value):
    if isinstance(value, dict):
        return sorted([str(sorted(key) if isinstance(key, frozenset) else key), plain(of)] for key, of in value.items())
    return sorted(value) if isinstance(value, (set, list, tuple, frozenset)) else str(value)

parts = ("_modules", "_class_to_module", "_object_missing_backend", "__all__", "_import_structure")
print(json.dumps(dict(
    offered=[[plain(vars(each)[part]) for part in parts] for each in (transformers, transformers.models)],
    names=[dir(transformers), dir(transformers.models)],
    tokenizer=str(tokenizer_class_from_name("LlamaTokenizer")),
    loader=type(import_utils.__spec__.loader).__name__ + type(import_utils.__loader__).__name__,
    kept=type(import_utils.define_import_structure).__name__ == "ImportStructureCache",
    finders=[type(each).__name__ for each in sys.meta_path if "_Finder" in type(each).__name__],
)))
"""
FOUND: Structure = {frozenset(): {"a.b": {"One", "Two"}}, frozenset({"torch"}): {"a.c": {"Three"}}}
LONG_LISTS = json.dumps({"of": "1", "modules": [[["torch"], {"a": "One"}]]})


def imported(cache: Path, keeping: bool) -> dict[str, Any]:
    """What an import of the library comes to, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(keeping=keeping)],
        cwd=PROJECT,
        env=os.environ | {"XDG_CACHE_HOME": str(cache), "HOME": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    said: dict[str, Any] = json.loads(done.stdout)
    return said


@pytest.mark.slow
def test_the_library_is_the_same_first_and_from_then_on(tmp_path: Path) -> None:
    plain, first, second = imported(tmp_path, False), imported(tmp_path, True), imported(tmp_path, True)
    assert (plain.pop("kept"), first.pop("kept"), second.pop("kept")) == (False, True, True)
    assert plain == first == second
    assert len(list(tmp_path.rglob(FILE))) == 1


@pytest.fixture
def looks() -> list[object]:
    return []


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


def keeper(looks: list[object], file: Path, models: Path, key: str = "1") -> ImportStructureCache:
    def look(path: object, prefix: str | None = None) -> Structure:
        looks.append((path, prefix))
        return {needs: {name: set(each) for name, each in of.items()} for needs, of in FOUND.items()}

    return ImportStructureCache(look, file, key, models)


def test_it_is_looked_for_once(looks: list[object], models: Path, tmp_path: Path) -> None:
    file = tmp_path / "deep" / FILE
    first, second = keeper(looks, file, models), keeper(looks, file, models)
    assert first(models, prefix="m") == second(models, prefix="m")
    assert second(models / "__init__.py") == FOUND
    assert second(str(models / "__init__.py"))[frozenset({"torch"})] == {"a.c": {"Three"}}
    assert looks == [(models, None)]
    assert list(first(models, prefix="m")[frozenset()]) == ["m.a.b"]
    assert [each.name for each in file.parent.iterdir()] == [FILE]


def test_another_version_and_another_part_of_the_library_are_looked_at(
    looks: list[object], models: Path, tmp_path: Path
) -> None:
    keeper(looks, tmp_path / FILE, models)(models)
    assert keeper(looks, tmp_path / FILE, models, key="2")(models) == FOUND
    keeper(looks, tmp_path / FILE, models, key="2")(tmp_path / "decision", prefix="d")
    assert looks == [(models, None), (models, None), (tmp_path / "decision", "d")]


@pytest.mark.parametrize(
    "lies",
    [
        "",
        "[",
        "[]",
        '{"of": "1"}',
        '{"of": "1", "modules": []}',
        '{"of": "1", "modules": 5}',
        '{"of": "1", "modules": [[["torch"], ["a"]]]}',
        '{"of": "1", "modules": [[[5], {"a": ["One"]}]]}',
        '{"of": "1", "modules": [[["torch"], {"a": [["One"]]}]]}',
        '{"of": "1", "modules": [[["torch"]]]}',
        LONG_LISTS,
    ],
)
def test_what_is_none_is_replaced(lies: str, looks: list[object], models: Path, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(lies)
    assert keeper(looks, tmp_path / FILE, models)(models) == FOUND
    assert keeper(looks, tmp_path / FILE, models)(models) == FOUND
    assert len(looks) == 1


def test_a_pipe_is_not_waited_for(looks: list[object], models: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / FILE)
    assert keeper(looks, tmp_path / FILE, models)(models) == FOUND


def test_a_folder_in_its_place_stays(looks: list[object], models: Path, tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    assert keeper(looks, tmp_path / FILE, models)(models) == FOUND
    assert [each.name for each in tmp_path.iterdir()] == [FILE]


def test_where_nothing_can_be_kept_it_is_looked_for_each_time(
    looks: list[object], models: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    for _ in range(2):
        assert keeper(looks, tmp_path / "file" / FILE, models)(models) == FOUND
    assert len(looks) == 2


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {"XDG_CACHE_HOME": "/c"}, "/c/sluice"),
        ("linux", {"XDG_CACHE_HOME": ""}, "/me/.cache/sluice"),
        ("darwin", {}, "/me/Library/Caches/Sluice"),
    ],
)
def test_it_lies_where_the_system_has_such_things(
    platform: str, environment: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for name, value in (environment | {"HOME": "/me"}).items():
        monkeypatch.setenv(name, value)
    assert import_structure.cache_folder() == Path(folder)
