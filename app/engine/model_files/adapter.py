"""Checks an adapter's folder before loading: which layers it changes, and whether it fits the model."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from app.engine.errors import UserError, printable_name
from app.engine.model_files.folder import Folder, check_files, check_safetensors, model_name, read_json
from app.engine.types import Adapter
from app.i18n import tr

CONFIG, WEIGHTS = "adapter_config.json", "adapters.safetensors"
OF_PEFT = ("adapter_model.safetensors", "adapter_model.bin")
PARTS = {"lora": {"lora_a", "lora_b"}, "dora": {"lora_a", "lora_b", "m"}}
FLOAT_BYTES = {"F32": 4, "F16": 2, "BF16": 2}
LARGEST_RANK = 4_096
LARGEST_SCALE = 1_000_000
SPARED_BYTES = 100_000_000
"""An adapter may be as large as its model, plus this."""
WORD_BITS = 32
BLOCK = re.compile(r"\.(\d{1,6})\.(.+)$")
TABLES = re.compile(r"(^|\.)(embed_tokens|wte|\w*embeddings?)$")
TODO = tr("Choose another adapter, or continue without one.")

Tensors = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class AdapterFile:
    adapter: Adapter
    blocks: int
    """Number of blocks, counted from the last, that the adapter changes. As in mlx-lm, 0 or less means all."""
    keys: frozenset[str] | None
    """Layers in a block; None for all."""
    tensors: Tensors

    @property
    def layers(self) -> frozenset[str]:
        """Names of the layers that it changes."""
        return frozenset(name.rpartition(".")[0] for name in self.tensors)


def look_at(path: Path, model: Folder) -> AdapterFile:
    """Check the headers of an adapter's files; raise UserError if it doesn't fit this model."""
    if not path.is_dir():
        raise refused(tr("There is no folder “{name}”.").format(name=printable_name(str(path))))
    check_files(path)
    _refuse_others(path)
    file = _read_adapter(path)
    if file.adapter.weights > max(model.weight_bytes, SPARED_BYTES):
        raise refused(tr("The adapter is larger than its model."))
    _check_parts(file)
    _check_fit(file, model)
    return file


def refused(what: str, details: str = "") -> UserError:
    return UserError(what, TODO, details, "adapter")


def missing(name: str) -> UserError:
    return refused(tr("{name} is missing from the adapter.").format(name=printable_name(name)))


def of_another(name: str) -> UserError:
    what = tr("The adapter is for another model: it changes {name}, which this one does not have.")
    return refused(what.format(name=printable_name(name)))


def _refuse_others(path: Path) -> None:
    if any((path / name).exists() for name in OF_PEFT):
        what = tr("The adapter is in PEFT's format, which mlx-lm does not read.")
        todo = tr("Merge it into its model with PEFT (merge_and_unload, save_pretrained), and open the result.")
        raise UserError(what, todo, kind="adapter")
    for name in (CONFIG, WEIGHTS):
        if not (path / name).is_file():
            what = tr("The folder “{name}” is not an adapter: it has no {file}.")
            raise refused(what.format(name=printable_name(path.name), file=name))


def _read_adapter(path: Path) -> AdapterFile:
    config = read_json(path / CONFIG)
    kind, blocks = config.get("fine_tune_type", "lora"), config.get("num_layers", "")
    if kind == "full":
        what = tr("The folder contains complete layers (full fine-tuning), not an adapter.")
        raise UserError(what, tr("Convert it to a model with mlx_lm.fuse, and open that."), kind="adapter")
    given = config.get("lora_parameters")
    said: dict[str, Any] = given if isinstance(given, dict) else {}
    rank, scale, keys = said.get("rank", ""), said.get("scale", ""), said.get("keys")
    for name, holds in (
        ("fine_tune_type", kind in PARTS),
        ("num_layers", type(blocks) is int),
        ("rank", type(rank) is int and 0 < rank <= LARGEST_RANK),
        ("scale", type(scale) in (int, float) and abs(scale) <= LARGEST_SCALE),
        ("keys", keys is None or (isinstance(keys, list) and all(isinstance(key, str) for key in keys))),
    ):
        if not holds:
            raise refused(tr("{file} has no valid value for {name}.").format(file=CONFIG, name=name))
    tensors = check_safetensors(path / WEIGHTS)
    size = (path / WEIGHTS).stat().st_size
    adapter = Adapter(model_name(path), path, rank, float(scale), kind == "dora", size)
    return AdapterFile(adapter, blocks, None if keys is None else frozenset(keys), tensors)


def _check_parts(file: AdapterFile) -> None:
    parts = PARTS["dora" if file.adapter.dora else "lora"]
    if not file.tensors:
        raise missing("lora_a")
    for name, tensor in file.tensors.items():
        layer, _, part = name.rpartition(".")
        if part not in parts:
            raise of_another(name)
        if not _has_valid_size(tensor):
            raise refused(tr("{name} in the adapter has an unsupported type.").format(name=printable_name(name)))
        if absent := sorted(each for each in parts if f"{layer}.{each}" not in file.tensors):
            raise missing(f"{layer}.{absent[0]}")
        shape = _shape(tensor)
        if part != "m" and file.adapter.rank != _rank(part, shape):
            what = tr("The adapter's settings have rank {rank}, but its {name} has the shape {shape}.")
            raise refused(what.format(name=printable_name(name), shape=_shape_text(shape), rank=file.adapter.rank))


def _check_fit(file: AdapterFile, model: Folder) -> None:
    """Check that the layers exist. mlx-lm renames some layers: if only names in a block match, loading decides."""
    tensors = {name: tensor for part in model.weight_files for name, tensor in check_safetensors(part).items()}
    known = {layer: shape for layer in file.layers if (shape := _layer_shape(layer, tensors, model.config)) is not None}
    alike = set() if known else {_block_and_name(name.removesuffix(".weight")) for name in tensors}
    for layer in sorted(file.layers):
        if layer in known:
            _check_shapes(layer, known[layer], file.tensors)
        elif "switch" not in layer and _block_and_name(layer) not in alike:  # files have each expert separately
            raise of_another(layer)
    if file.keys is not None and known:
        for layer in sorted(_expected_layers(file, file.keys, tensors) - file.layers):
            raise missing(f"{layer}.lora_a")


def _block_and_name(layer: str) -> str:
    found = BLOCK.search(layer)
    return found[0] if found else layer.rpartition(".")[2]


def _layer_shape(layer: str, tensors: Tensors, config: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return rows and columns of unpacked weights."""
    weight = tensors.get(f"{layer}.weight")
    shape = _shape(weight or {})
    if len(shape) < 2:
        return None
    rows, columns = shape[-2:]
    if f"{layer}.scales" in tensors:
        said = config.get("quantization") or config.get("quantization_config")
        own = said.get(layer) if isinstance(said, dict) else None
        bits = (own if isinstance(own, dict) else said if isinstance(said, dict) else {}).get("bits")
        if type(bits) is not int or bits < 1:
            return None
        columns = columns * WORD_BITS // bits
    return rows, columns


def _check_shapes(layer: str, model: tuple[int, int], tensors: Tensors) -> None:
    """Check the shapes of LoRA matrices; embeddings and experts have other axes."""
    first, second = (_shape(tensors[f"{layer}.{part}"]) for part in ("lora_a", "lora_b"))
    into, out = (first[-1], second[-2]) if len(first) == 3 else (first[0], second[-1])
    own = (into, out) if TABLES.search(layer) else (out, into)
    if own != model:
        what = tr("The adapter is for another model: its {name} has the shape {own}, but the model's has {model}.")
        raise refused(what.format(name=printable_name(layer), own=_shape_text(own), model=_shape_text(model)))


def _expected_layers(file: AdapterFile, keys: frozenset[str], tensors: Tensors) -> set[str]:
    layers = [name.removesuffix(".weight") for name in tensors if name.endswith(".weight")]
    blocks = {layer: (int(found[1]), found[2]) for layer in layers if (found := BLOCK.search(layer))}
    last = max((number for number, _ in blocks.values()), default=0)
    first = last + 1 - file.blocks if file.blocks > 0 else 0
    return {layer for layer, (number, key) in blocks.items() if number >= first and key in keys}


def _rank(part: str, shape: tuple[int, ...]) -> int:
    """Return the rank axis of a LoRA matrix; experts are transposed."""
    if len(shape) not in (2, 3):
        return 0
    return shape[-1] if (part == "lora_a") == (len(shape) == 2) else shape[-2]


def _has_valid_size(tensor: Mapping[str, Any]) -> bool:
    size = FLOAT_BYTES.get(str(tensor.get("dtype")), 0) * prod(_shape(tensor))
    return size > 0 and tensor["data_offsets"] == [tensor["data_offsets"][1] - size, tensor["data_offsets"][1]]


def _shape(tensor: Mapping[str, Any]) -> tuple[int, ...]:
    said = tensor.get("shape")
    return tuple(each if type(each) is int and each > 0 else 0 for each in said) if isinstance(said, list) else ()


def _shape_text(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape))
