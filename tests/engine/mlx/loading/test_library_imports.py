import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.engine.mlx.loading import library_imports
from app.engine.mlx.loading.library_imports import FILE, ImportStructureCache, Structure

PROJECT = Path(__file__).parents[4]
DELAYED = """
import json, sys
from app.engine.mlx.loading import library_imports
with library_imports.waiting():
    from app.engine.mlx.engine import MlxEngine
early = [name for name in library_imports.WAITING if name in sys.modules]
from app.engine.mlx import top_k
from transformers.utils import generic, import_utils
idle = [isinstance(5, generic.np.ndarray), import_utils.is_sentencepiece_available(), "numpy" in sys.modules]
computed = top_k.np.arange(3).tolist()
import numpy
own = top_k.np.arange is numpy.arange
same = [top_k.np.linalg.__name__, own, isinstance(numpy.ones(1), generic.np.ndarray)]
from mlx_lm import utils
from transformers.utils import hub
lasting = [type(each).__name__ for each in (utils.snapshot_download, hub.HfApi, hub.ModelCard)]
import huggingface_hub
from huggingface_hub.hf_api import HfApi
api = hub.HfApi(endpoint="https://example.invalid")
try:
    utils.snapshot_download("a/b/c")
except Exception as error:
    refused = type(error).__name__
print(json.dumps(dict(
    early=early,
    idle=idle,
    computed=computed,
    same=same,
    lasting=lasting,
    made=type(api) is HfApi is huggingface_hub.HfApi,
    known=[isinstance(api, hub.HfApi), isinstance(5, hub.HfApi), issubclass(HfApi, hub.HfApi)],
    method=hub.ModelCard.load == huggingface_hub.ModelCard.load,
    refused=refused,
)))
"""
DURING = """
import json
from app.engine.mlx.loading import library_imports
with library_imports.waiting():
    from huggingface_hub import ModelInfo, HfApi
    from huggingface_hub.hf_api import RepoSibling
    found = [ModelInfo.__module__, RepoSibling(rfilename="a").rfilename, type(HfApi()).__name__]
    from numpy.random import default_rng
    found.append(type(default_rng(1)).__module__)
import huggingface_hub.hf_api
with library_imports.waiting():
    from huggingface_hub.hf_api import HfApi as again
print(json.dumps([*found, again is huggingface_hub.hf_api.HfApi]))
"""
STRUCTURE = """
import json, sys
from app.engine.mlx.loading import library_imports
if {cached}:
    library_imports.keep_structure()
import transformers, transformers.models
from transformers.utils import import_utils
from transformers.models.auto.tokenization_auto import tokenizer_class_from_name

def plain(value):
    if isinstance(value, dict):
        return sorted([str(sorted(key) if isinstance(key, frozenset) else key), plain(of)] for key, of in value.items())
    return sorted(value) if isinstance(value, (set, list, tuple, frozenset)) else str(value)

parts = ("_modules", "_class_to_module", "_object_missing_backend", "__all__", "_import_structure")
print(json.dumps(dict(
    modules=[[plain(vars(each)[part]) for part in parts] for each in (transformers, transformers.models)],
    names=[dir(transformers), dir(transformers.models)],
    tokenizer=str(tokenizer_class_from_name("LlamaTokenizer")),
    loader=type(import_utils.__spec__.loader).__name__ + type(import_utils.__loader__).__name__,
    cached=type(import_utils.define_import_structure).__name__ == "ImportStructureCache",
    finders=[type(each).__name__ for each in sys.meta_path if "_Finder" in type(each).__name__],
)))
"""
FOUND: Structure = {frozenset(): {"a.b": {"One", "Two"}}, frozenset({"torch"}): {"a.c": {"Three"}}}


def output(program: str, **environment: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=PROJECT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.slow
def test_delayed_modules_are_imported_at_first_use() -> None:
    found = output(DELAYED)
    assert found["early"] == []
    assert (found["idle"], found["computed"]) == ([False, True, False], [0, 1, 2])
    assert found["same"] == ["numpy.linalg", True, True]
    assert found["lasting"] == ["_DelayedImport"] * 3
    assert (found["made"], found["known"], found["method"]) == (True, [True, False, True], True)
    assert found["refused"] == "HFValidationError"


@pytest.mark.slow
def test_other_imports_while_modules_are_delayed_work() -> None:
    assert output(DURING) == ["huggingface_hub.hf_api", "a", "HfApi", "numpy.random._generator", True]


@pytest.mark.slow
def test_cached_structure_gives_the_same_library(tmp_path: Path) -> None:
    home = {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    plain, first, second = (output(STRUCTURE.format(cached=cached), **home) for cached in (False, True, True))
    assert (plain.pop("cached"), first.pop("cached"), second.pop("cached")) == (False, True, True)
    assert plain == first == second
    assert len(list(tmp_path.rglob(FILE))) == 1


class Library:
    """A library's folder of models, and the scans of it."""

    def __init__(self, folder: Path) -> None:
        self.models = folder / "models"
        self.scans: list[object] = []

    def cache(self, file: Path, key: str = "1") -> ImportStructureCache:
        def scan(path: object, prefix: str | None = None) -> Structure:
            self.scans.append((path, prefix))
            return {needs: {name: set(each) for name, each in of.items()} for needs, of in FOUND.items()}

        return ImportStructureCache(scan, file, key, self.models)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path)


def test_structure_is_scanned_once_for_each_version(library: Library, tmp_path: Path) -> None:
    file, models = tmp_path / "deep" / FILE, library.models
    first, second = library.cache(file), library.cache(file)
    assert first(models, prefix="m") == second(models, prefix="m")
    assert second(models / "__init__.py") == FOUND
    assert second(str(models / "__init__.py"))[frozenset({"torch"})] == {"a.c": {"Three"}}
    assert list(first(models, prefix="m")[frozenset()]) == ["m.a.b"]
    assert [each.name for each in file.parent.iterdir()] == [FILE]
    assert library.scans == [(models, None)]
    assert library.cache(file, key="2")(models) == FOUND
    library.cache(file, key="2")(tmp_path / "decision", prefix="d")
    assert library.scans[1:] == [(models, None), (tmp_path / "decision", "d")]


@pytest.mark.parametrize(
    "content",
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
        '{"of": "1", "modules": [[["torch"], {"a": "One"}]]}',
    ],
)
def test_cached_structure_that_is_invalid_is_replaced(content: str, library: Library, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(content)
    for _ in range(2):
        assert library.cache(tmp_path / FILE)(library.models) == FOUND
    assert len(library.scans) == 1


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_cached_structure_that_is_no_file_is_not_read(library: Library, tmp_path: Path, make: Any) -> None:
    make(tmp_path / FILE)
    assert library.cache(tmp_path / FILE)(library.models) == FOUND
    assert [each.name for each in tmp_path.iterdir()] == [FILE]


def test_structure_that_can_not_be_cached_is_scanned_each_time(library: Library, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for _ in range(2):
        assert library.cache(tmp_path / "file" / FILE)(library.models) == FOUND
    assert len(library.scans) == 2


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {"XDG_CACHE_HOME": "/c"}, "/c/sluice"),
        ("linux", {"XDG_CACHE_HOME": ""}, "/me/.cache/sluice"),
        ("darwin", {}, "/me/Library/Caches/Sluice"),
    ],
)
def test_cache_folder_is_that_of_the_system(
    platform: str, environment: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for name, value in (environment | {"HOME": "/me"}).items():
        monkeypatch.setenv(name, value)
    assert library_imports.cache_folder() == Path(folder)
