import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.types import Failure
from app.library.drafts_and_adapters import adapters_for, drafts_for
from app.library.local import describe
from app.library.types import LocalModel
from tests import models
from tests.adapters import adapter
from tests.library.test_local import make_unreadable


@pytest.fixture
def demo(demo_model: Path) -> LocalModel:
    return describe(demo_model)


@pytest.fixture
def draft(demo_draft: Path, tmp_path: Path) -> LocalModel:
    return describe(Path(shutil.copytree(demo_draft, tmp_path / "draft")))


def reason(model: LocalModel, other: LocalModel) -> str:
    (choice,) = drafts_for(model, [model, other])
    return choice.why_not


def test_drafts_for_usable_come_first(demo: LocalModel, draft: LocalModel, sliding_window: Path) -> None:
    choices = drafts_for(demo, [describe(sliding_window), demo, draft])
    assert [choice.model.name for choice in choices] == ["draft", "sliding-window"]
    assert [bool(choice.why_not) for choice in choices] == [False, True]


def swap_two_tokens(draft: LocalModel) -> LocalModel:
    file = draft.folder / "tokenizer.json"
    content = json.loads(file.read_text())
    words = content["model"]["vocab"]
    one, other = list(words)[-2:]
    words[one], words[other] = words[other], words[one]
    file.write_text(json.dumps(content))
    return draft


def lose_the_tokenizer(draft: LocalModel) -> LocalModel:
    (draft.folder / "tokenizer.json").unlink()
    return draft


Change = Callable[[LocalModel], LocalModel]
CHANGES: dict[str, tuple[Change, str]] = {
    "other rows": (lambda draft: replace(draft, vocabulary=4096), "vocabulary has 4,096 tokens, the model's has 2,048"),
    "unknown rows": (lambda draft: replace(draft, vocabulary=None), "an unknown number of tokens"),
    "other ids": (swap_two_tokens, "has other tokens"),
    "no tokenizer": (lose_the_tokenizer, "has other tokens"),
    "unusable": (lambda draft: replace(draft, unusable=Failure("It is broken.", "")), "It is broken."),
    "no plain cache": (lambda draft: replace(draft, shape=None), "can't be trimmed"),
    "as large": (lambda draft: replace(draft, weights=10**12), "not smaller"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_drafts_for_others_have_a_reason(demo: LocalModel, draft: LocalModel, name: str) -> None:
    change, why = CHANGES[name]
    assert why in reason(demo, change(draft))


def test_drafts_for_a_windowed_model_are_none(sliding_window: Path, draft: LocalModel) -> None:
    assert "The model's KV cache can't be trimmed" in reason(describe(sliding_window), draft)


def test_drafts_for_agrees_with_the_engine(
    demo_model: Path, tiny_llama: Path, sliding_window: Path, recurrent: Path
) -> None:
    """What is told from files is what the engine's own look at a loaded model finds."""
    from mlx_lm.models.cache import make_prompt_cache
    from mlx_lm.utils import load_model

    from app.engine.mlx.loaded import has_plain_cache

    for folder in (demo_model, tiny_llama, sliding_window, recurrent):
        shape = describe(folder).shape
        assert shape is not None
        assert shape.plain == has_plain_cache(make_prompt_cache(load_model(folder, lazy=True)[0])), folder.name


@pytest.fixture
def model(tmp_path: Path, tiny_llama: Path) -> Path:
    return Path(shutil.copytree(tiny_llama, tmp_path / "models" / "tiny"))


def test_adapters_for_finds_all_places(model: Path, cache: Path) -> None:
    snapshot = cache / "models--some--fox" / "snapshots" / ("c" * 40)
    kept = [model / "own", model / "adapters" / "inner", model.parent / "beside", model.parent / "adapters", snapshot]
    for folder in kept:
        adapter(folder, model)
    assert [(choice.name, choice.folder, choice.why_not) for choice in adapters_for(model)] == [
        ("adapters", model.parent / "adapters", ""),
        ("beside", model.parent / "beside", ""),
        ("inner", model / "adapters" / "inner", ""),
        ("own", model / "own", ""),
        ("some/fox", snapshot, ""),
    ]


def test_adapters_for_misfits_come_last(model: Path, cache: Path, tmp_path: Path) -> None:
    other = models.tiny_llama(tmp_path / "elsewhere" / "wide", hidden_size=32)
    adapter(model.parent / "a-stranger", other)
    adapter(model.parent / "fits", model)
    first, second = adapters_for(model)
    assert (first.name, first.why_not) == ("fits", "")
    assert second.name == "a-stranger" and second.why_not.startswith("The adapter is for another model: its ")


def test_adapters_for_chosen_folder_is_included(model: Path, cache: Path, tmp_path: Path) -> None:
    chosen = adapter(tmp_path / "far" / "away", model)
    assert adapters_for(model) == ()
    assert [(choice.folder, choice.why_not) for choice in adapters_for(model, chosen)] == [(chosen, "")]
    (nothing,) = adapters_for(model, tmp_path / "far")
    assert nothing.why_not == "The folder “far” is not an adapter: it has no adapter_config.json."


def test_adapters_for_unreadable_folder_is_skipped(model: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    adapter(model.parent / "fits", model)
    make_unreadable(model.parent / ".Spotlight-V100", monkeypatch)
    assert [choice.name for choice in adapters_for(model)] == ["fits"]


def test_adapters_for_pipe_is_skipped(model: Path, cache: Path) -> None:
    folder = adapter(model.parent / "pipe", model)
    (folder / "adapters.safetensors").unlink()
    os.mkfifo(folder / "adapters.safetensors")
    (choice,) = adapters_for(model)
    assert choice.why_not == "adapters.safetensors is not a regular file, so it isn't read."
