import json
import os
import shutil
from importlib import import_module
from pathlib import Path

import pytest

from app.engine.types import Failure
from app.library import cached, supported_architectures
from app.library.local import describe, models, removal, remove
from app.library.types import LocalModel, ModelLocation, Removal
from tests.conftest import DEMO_MODELS
from tests.standins.samples import Samples

COMMIT = "c" * 40


def put_into_cache(cache: Path, model_id: str, folder: Path, commit: str = COMMIT, ref: str = "main") -> Path:
    """A model as the hub's own client would have left it there."""
    repo = cache / f"models--{model_id.replace('/', '--')}"
    snapshot = repo / "snapshots" / commit
    snapshot.mkdir(parents=True)
    (repo / "blobs").mkdir(exist_ok=True)
    for file in folder.iterdir():
        blob = repo / "blobs" / f"{commit[:4]}{file.name}"
        shutil.copyfile(file, blob)
        (snapshot / file.name).symlink_to(Path("../../blobs") / blob.name)
    if ref:
        (repo / "refs").mkdir(exist_ok=True)
        (repo / "refs" / ref).write_text(commit)
    return snapshot


def make_unreadable(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a folder like those of the system on a Mac's disk: its files can't even be looked at."""
    folder.mkdir()
    stat = Path.stat

    def refuse(path: Path, **how: bool) -> os.stat_result:
        if path.parent == folder:
            raise PermissionError(13, "not yours")
        return stat(path, **how)

    monkeypatch.setattr(Path, "stat", refuse)


@pytest.fixture
def nothing_bundled(tmp_path: Path) -> Path:
    return tmp_path / "nothing"


def test_models_include_bundled_ones(cache: Path, demo_model: Path, demo_draft: Path) -> None:
    found = {model.name: model for model in models(DEMO_MODELS)}
    assert set(found) == {"demo", "demo-draft"}
    demo = found["demo"]
    assert (demo.source, demo.folder, demo.unusable) == (ModelLocation.BUNDLED, demo_model.absolute(), None)
    assert (demo.model_type, demo.context, demo.vocabulary, demo.chat, demo.bits) == ("llama", 2048, 2048, True, None)
    assert (demo.dtype, demo.group_size) == ("float16", None)
    assert demo.size == sum(file.stat().st_size for file in demo_model.iterdir())
    assert demo.weights == (demo_model / "model.safetensors").stat().st_size
    assert demo.shape is not None and demo.shape.plain
    assert demo.last_used is None


def test_parameters_equal_mlx_lms_count(demo_model: Path, tiny_llama: Path, samples: Samples) -> None:
    from mlx_lm.utils import get_total_parameters, load_model

    for folder in (demo_model, tiny_llama, samples.path("models/tinystories-656k-4bit")):
        module, _ = load_model(folder, lazy=True)
        assert describe(folder).parameters == get_total_parameters(module), folder.name


def test_describe_quantized_model(samples: Samples) -> None:
    model = describe(samples.path("models/tinystories-656k-4bit"))
    assert (model.bits, model.group_size, model.unusable) == (4, 32, None)


def test_models_include_the_cache(cache: Path, nothing_bundled: Path, demo_model: Path) -> None:
    snapshot = put_into_cache(cache, "mlx-community/demo", demo_model)
    (model,) = models(nothing_bundled)
    assert (model.name, model.source, model.folder) == ("mlx-community/demo", ModelLocation.CACHE, snapshot)
    assert model.size == sum(file.stat().st_size for file in demo_model.iterdir())
    assert model.unusable is None and model.parameters


def test_models_of_several_revisions_use_main(cache: Path, nothing_bundled: Path, demo_model: Path) -> None:
    snapshot = put_into_cache(cache, "a/b", demo_model)
    put_into_cache(cache, "a/b", demo_model, "d" * 40, ref="")
    (model,) = models(nothing_bundled)
    assert model.folder == snapshot
    assert model.size == 2 * sum(file.stat().st_size for file in demo_model.iterdir())


def test_models_without_a_cache_are_found(cache: Path, nothing_bundled: Path) -> None:
    assert models(nothing_bundled) == ()


def test_models_omit_unfinished_downloads(cache: Path, nothing_bundled: Path) -> None:
    blobs = cache / "models--a--b" / "blobs"
    blobs.mkdir(parents=True)
    (blobs / f"{'0' * 64}.incomplete").write_bytes(b"half")
    assert models(nothing_bundled) == ()


@pytest.mark.parametrize("said", [b"\xff\xfe\x00", b"e" * 40, b"", b"c" * 40 + b"\n"])
def test_models_broken_reference_keeps_the_model(
    cache: Path, nothing_bundled: Path, demo_model: Path, said: bytes
) -> None:
    put_into_cache(cache, "a/b", demo_model)
    put_into_cache(cache, "c/d", demo_model)
    (cache / "models--a--b" / "refs" / "main").write_bytes(said)
    found = models(nothing_bundled)
    assert [(model.name, model.unusable) for model in found] == [("a/b", None), ("c/d", None)]


def test_models_other_damaged_revision_is_ignored(cache: Path, nothing_bundled: Path, demo_model: Path) -> None:
    snapshot = put_into_cache(cache, "a/b", demo_model)
    older = put_into_cache(cache, "a/b", demo_model, "d" * 40, ref="refs")
    (older / "model.safetensors").resolve().unlink()
    (model,) = models(nothing_bundled)
    assert (model.folder, model.unusable) == (snapshot, None)


def test_models_unreadable_weights_hide_no_other(
    cache: Path, nothing_bundled: Path, tmp_path: Path, demo_model: Path
) -> None:
    for snapshot in (put_into_cache(cache, "a/b", demo_model), shutil.copytree(demo_model, tmp_path / "mine")):
        (Path(snapshot) / "model.safetensors").unlink()
        (Path(snapshot) / "model.safetensors").mkdir()
    put_into_cache(cache, "c/d", demo_model)
    found = {model.name: model.why_not for model in models(nothing_bundled, [tmp_path / "mine"])}
    refused = "model.safetensors could not be read."
    assert found == {"a/b": refused, "c/d": "", "mine": refused}


def test_models_unreadable_folder_hides_no_other(
    cache: Path, nothing_bundled: Path, tmp_path: Path, demo_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(demo_model, tmp_path / "disk" / "one")
    make_unreadable(tmp_path / "disk" / ".Spotlight-V100", monkeypatch)
    assert [model.name for model in models(nothing_bundled, [tmp_path / "disk"])] == ["one"]


def test_models_added_twice_keep_their_location(cache: Path, nothing_bundled: Path, demo_model: Path) -> None:
    snapshot = put_into_cache(cache, "a/b", demo_model)
    (model,) = models(nothing_bundled, [snapshot.parent])
    assert (model.name, model.source) == ("a/b", ModelLocation.CACHE)


def test_models_added_folders_are_searched(
    cache: Path, nothing_bundled: Path, tmp_path: Path, demo_model: Path
) -> None:
    shutil.copytree(demo_model, tmp_path / "mine" / "one")
    shutil.copytree(demo_model, tmp_path / "mine" / "two")
    shutil.copytree(demo_model, tmp_path / "three")
    found = models(nothing_bundled, [tmp_path / "mine", tmp_path / "three", tmp_path / "gone"])
    assert [model.name for model in found] == ["one", "two", "three", "gone"]
    assert {model.source for model in found} == {ModelLocation.FOLDER}
    assert found[-1].unusable is not None


def test_describe_unsupported_model_has_a_reason(tmp_path: Path, demo_model: Path) -> None:
    folder = Path(shutil.copytree(demo_model, tmp_path / "model"))
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"model_type": "whisper"}))
    model = describe(folder)
    assert model.unusable is not None and "type “whisper”" in model.unusable.what
    assert model.model_type and model.context == 2048  # what can be told is told all the same


def test_describe_truncated_model_has_a_reason(tmp_path: Path, demo_model: Path) -> None:
    folder = Path(shutil.copytree(demo_model, tmp_path / "model"))
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    model = describe(folder)
    assert model.unusable is not None and "is incomplete" in model.unusable.what
    assert (model.parameters, model.model_type, model.context) == (None, "llama", 2048)


def test_describe_without_template_has_no_chat(tiny_llama: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(tiny_llama, tmp_path / "model"))
    assert describe(folder).chat
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    del settings["chat_template"]
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    assert not describe(folder).chat
    (folder / "chat_template.jinja").write_text("{{ messages }}")
    assert describe(folder).chat


def test_last_used_follows_links(cache: Path, tmp_path: Path, demo_model: Path) -> None:
    """The engine has the folder as it really lies."""
    (tmp_path / "mine").symlink_to(demo_model.absolute())
    cached.note_use(tmp_path, demo_model.resolve())
    moments = cached.read_last_used(tmp_path)
    (model,) = models(tmp_path / "mine", (), moments)
    assert (model.folder, model.last_used) == (tmp_path / "mine", moments[demo_model.resolve()])


DEEP = pytest.param("[" * 100_000, id="deep")


@pytest.mark.parametrize(
    "text", ["", "[1]", '{"a": "b"}', '{"a": [1]}', "\x00", DEEP, pytest.param(f'{{"a": {10**400}}}', id="huge")]
)
def test_last_used_broken_file_is_empty(tmp_path: Path, text: str) -> None:
    (tmp_path / cached.USED_FILE).write_text(text)
    assert cached.read_last_used(tmp_path) == {}
    cached.note_use(tmp_path, tmp_path)
    assert set(cached.read_last_used(tmp_path)) == {tmp_path}


def test_describe_malformed_headers_are_accepted(tmp_path: Path, demo_model: Path) -> None:
    folder = Path(shutil.copytree(demo_model, tmp_path / "model"))
    parts = {name: {"data_offsets": [0, 0]} for name in "abc"}
    header = json.dumps({**parts, "d": {"data_offsets": [0, 0], "shape": "x"}}).encode()
    (folder / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header)
    model = describe(folder)
    assert (model.parameters, model.unusable) == (None, None)


@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json"])
def test_describe_oversized_file_is_not_read(tmp_path: Path, demo_model: Path, name: str) -> None:
    folder = Path(shutil.copytree(demo_model, tmp_path / "model"))
    os.truncate(folder / name, 100_000_000)  # which takes no room on the disk
    refused = describe(folder).unusable
    assert refused is not None and "100 MB" in refused.what


def test_models_other_folders_are_not_searched(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_bytes(bytes(1000))
    model = describe(tmp_path)
    assert model.size == 0
    assert model.unusable is not None and "no config.json" in model.unusable.what


def test_models_unreadable_cache_has_a_failure(
    cache: Path, nothing_bundled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> None:
        raise PermissionError("not yours")

    cache.mkdir()
    monkeypatch.setattr(Path, "iterdir", refuse)
    (model,) = models(nothing_bundled)
    assert model.unusable is not None and "cache could not be read" in model.unusable.what


def test_aliases_equal_mlx_lms() -> None:
    from mlx_lm.utils import MODEL_REMAPPING

    assert set(MODEL_REMAPPING) == supported_architectures.ALIASES


@pytest.mark.slow
def test_model_types_are_all_models() -> None:
    wrong = []
    for name in sorted(
        supported_architectures.model_types() - supported_architectures.ALIASES - {"olmo"}
    ):  # olmo leaves the program at import
        module = import_module(f"mlx_lm.models.{name}")
        if not hasattr(module, "Model") or not hasattr(module, "ModelArgs"):
            wrong.append(name)
    assert wrong == []


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
    before = space(cache)
    plan = planned(first)
    assert space(cache) == before, "nothing is deleted yet"
    assert remove(plan) == plan.freed == first.size
    # The files that name a commit are the only other bytes.
    assert before - space(cache) == plan.freed + 2 * 40
    assert [model.name for model in models(tmp_path)] == ["c/d"]
    assert not (cache / "models--a--b").exists()


@pytest.mark.parametrize("source", [ModelLocation.BUNDLED, ModelLocation.FOLDER])
def test_removal_outside_of_the_cache_is_refused(cache: Path, demo_model: Path, source: ModelLocation) -> None:
    answer = removal(describe(demo_model, source))
    assert isinstance(answer, Failure)
    assert answer.kind == "not ours"


def test_models_damaged_entry_has_a_reason_and_can_be_removed(cache: Path, tmp_path: Path, demo_draft: Path) -> None:
    snapshot = put_into_cache(cache, "a/b", demo_draft)
    (snapshot / "model.safetensors").resolve().unlink()
    (model,) = models(tmp_path)
    assert model.name == "a/b"
    assert model.unusable is not None and "missing from the Hugging Face cache" in model.unusable.what
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
