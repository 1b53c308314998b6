import json
import os
import shutil
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from app.engine.errors import UserError
from app.engine.model_files.folder import check_safetensors, context_length, look
from tests.standins.samples import Samples


def edit(folder: Path, file: str, **fields: object) -> None:
    content = json.loads((folder / file).read_text())
    (folder / file).write_text(json.dumps(content | fields))


def truncate(folder: Path, file: str, size: int) -> None:
    (folder / file).write_bytes((folder / file).read_bytes()[:size])


@pytest.fixture
def copy(tiny_llama: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_llama, tmp_path / "copy"))


def test_look_complete_model_passes(tiny_llama: Path) -> None:
    folder = look(tiny_llama)
    assert folder.model_type == "llama"
    assert folder.weight_bytes == (tiny_llama / "model.safetensors").stat().st_size
    assert folder.notes == ()


def refused(copy: Path) -> str:
    with pytest.raises(UserError) as error:
        look(copy)
    assert error.value.failure.todo
    return error.value.failure.what


Damage = Callable[[Path], object]

DAMAGES: dict[str, tuple[Damage, str]] = {
    "no config": (lambda copy: (copy / "config.json").unlink(), "has no config.json"),
    "config is no JSON": (lambda copy: (copy / "config.json").write_text("{"), "config.json could not be read"),
    "config is a list": (lambda copy: (copy / "config.json").write_text("[1]"), "contains no JSON object"),
    "no model type": (lambda copy: edit(copy, "config.json", model_type=None), "has no model type"),
    "a path as type": (lambda copy: edit(copy, "config.json", model_type="../x"), "has no model type"),
    "a type without end": (lambda copy: edit(copy, "config.json", model_type="a" * 200), "has no model type"),
    "a file of two lines": (lambda copy: os.mkfifo(copy / "a\nb.json"), "a\ufffdb.json is not a regular file"),
    "a pipe": (lambda copy: os.mkfifo(copy / "generation_config.json"), "generation_config.json is not a regular file"),
    "an endless file": (lambda copy: (copy / "chat_template.jinja").symlink_to("/dev/zero"), "is not a regular file"),
    "no weights": (lambda copy: (copy / "model.safetensors").unlink(), "has no weights"),
    "pickled weights": (lambda copy: (copy / "model.safetensors").rename(copy / "weights.bin"), "only .bin files"),
    "empty weights": (lambda copy: truncate(copy, "model.safetensors", 0), "is not a safetensors file"),
    "half the header": (lambda copy: truncate(copy, "model.safetensors", 100), "is incomplete"),
    "half the weights": (lambda copy: truncate(copy, "model.safetensors", 100_000), "is incomplete"),
    "last byte gone": (lambda copy: truncate(copy, "model.safetensors", -1), "is incomplete"),
    "text as weights": (lambda copy: (copy / "model.safetensors").write_text("hello " * 99), "is not a safetensors"),
    "no tokenizer": (lambda copy: (copy / "tokenizer.json").unlink(), "has no tokenizer"),
    "foreign tokenizer": (lambda copy: edit(copy, "tokenizer_config.json", auto_map={"a": "x"}), "own Python code"),
    "foreign model": (lambda copy: edit(copy, "config.json", model_file="model.py"), "its own Python code"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_look_damage_is_named(copy: Path, name: str) -> None:
    damage, sentence = DAMAGES[name]
    damage(copy)
    assert sentence in refused(copy)


def test_look_missing_shard_is_named(copy: Path) -> None:
    index = {"weight_map": {"a": "model.safetensors", "b": "model-00002-of-00002.safetensors"}}
    (copy / "model.safetensors.index.json").write_text(json.dumps(index))
    missing = "1 of 2 weight files are missing, the first is model-00002-of-00002.safetensors."
    assert refused(copy) == missing


def test_look_code_of_a_known_type_is_a_note(copy: Path) -> None:
    edit(copy, "config.json", auto_map={"AutoModelForCausalLM": "modeling_x.X"})
    assert "doesn't run it" in look(copy).notes[0]


@pytest.mark.parametrize(
    "header", [b"[]", b"{", b'{"a":{"data_offsets":[0]}}', b'{"a":{"data_offsets":["x","y"]}}', b"\xff", None]
)
def test_check_safetensors_invalid_header_is_refused(tmp_path: Path, header: bytes | None) -> None:
    file, length = tmp_path / "model.safetensors", 10_000_000_000 if header is None else len(header)
    file.write_bytes(struct.pack("<Q", length) + (header or b"{}"))
    with pytest.raises(UserError, match="is not a safetensors"):
        check_safetensors(file)


def test_look_git_lfs_pointer_is_named(samples: Samples) -> None:
    assert "only a Git LFS pointer" in refused(samples.path("models/broken-lfs-pointer"))


@pytest.mark.parametrize(
    ("config", "length"),
    [
        ({"max_position_embeddings": 2048}, 2048),
        ({"text_config": {"max_position_embeddings": 4096}}, 4096),
        ({"n_positions": 1024}, 1024),
        ({"max_position_embeddings": True}, None),
        ({"max_position_embeddings": -1}, None),
        ({}, None),
    ],
)
def test_context_length(config: dict[str, object], length: int | None) -> None:
    assert context_length(config) == length


@pytest.mark.parametrize(("name", "limit"), [("config.json", 32), ("tokenizer.json", 150)])
def test_look_large_file_is_not_read(copy: Path, name: str, limit: int) -> None:
    (copy / name).unlink()
    (copy / name).touch()
    os.truncate(copy / name, 10_000_000_000)
    assert refused(copy) == f"{name} has 10,000 MB, but at most {limit} MB are allowed."


def test_look_ignores_other_files(copy: Path) -> None:
    (copy / "model.gguf").touch()
    os.truncate(copy / "model.gguf", 10_000_000_000)
    assert look(copy).model_type == "llama"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"num_hidden_layers": 10**9}, "config.json has 1,000,000,000 layers"),
        ({"text_config": {"n_layers": 10**6}}, "config.json has 1,000,000 layers"),
        ({"layer_types": ["full_attention"] * 100_000}, "config.json has 100,000 layers"),
        ({"num_local_experts": 10**9}, "can't create the model"),
    ],
)
def test_look_impossible_layer_counts_are_refused(copy: Path, fields: dict[str, object], sentence: str) -> None:
    edit(copy, "config.json", **fields)
    assert sentence in refused(copy)
