"""Statistics of weights, from the headers of safetensors files or the hub's counts."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from app.engine.model_files.folder import check_safetensors

WORD_BITS = 32
PACKED = "U32"
"""safetensors type of packed quantized weights, which have `scales` and optionally `biases`."""
BITS = {
    "F64": 64, "I64": 64, "U64": 64, "F32": 32, "I32": 32, "U32": 32, "F16": 16, "BF16": 16, "I16": 16, "U16": 16,
    "F8_E4M3": 8, "F8_E5M2": 8, "I8": 8, "U8": 8, "BOOL": 8,
}  # fmt: skip
DTYPES = {
    "F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "F8_E4M3": "float8_e4m3",
    "F8_E5M2": "float8_e5m2",
}  # fmt: skip
"""Floating-point types by their safetensors names."""


@dataclass(frozen=True, slots=True)
class WeightStats:
    bytes: int
    numbers: int
    """Number of parameters: quantized weights are counted unpacked, scales aren't counted."""
    unpacked: tuple[str, ...]
    """Names of layers with unquantized weights."""
    dtype: str
    """The floating-point type of most parameters; empty: unknown."""


def count(files: tuple[Path, ...], quantization: Mapping[str, Any]) -> WeightStats:
    """Compute the statistics of headers; malformed ones raise various exceptions."""
    tensors: dict[str, dict[str, Any]] = {}
    for file in files:
        tensors |= check_safetensors(file)
    size = sum(end - start for start, end in (tensor["data_offsets"] for tensor in tensors.values()))
    numbers = sum(_numbers(name, tensor, tensors, quantization) for name, tensor in tensors.items())
    tables = [name for name, tensor in tensors.items() if name.endswith(".weight") and len(tensor["shape"]) > 1]
    layers = (name.removesuffix(".weight") for name in sorted(tables) if tensors[name]["dtype"] != PACKED)
    types: Counter[str] = Counter()
    for tensor in tensors.values():
        types[tensor["dtype"]] += prod(tensor["shape"])
    return WeightStats(size, numbers, tuple(layers), dtype_of(types))


def dtype_of(counts: Mapping[str, int]) -> str:
    floats = {kind: count for kind, count in counts.items() if kind in DTYPES}
    return DTYPES[max(floats, key=floats.__getitem__)] if floats else ""


def bits_of(config: Mapping[str, Any]) -> int | None:
    """Return the bits per quantized weight; None if unquantized."""
    bits = quantization_of(config).get("bits")
    return bits if type(bits) is int and bits > 0 else None


def group_size_of(config: Mapping[str, Any]) -> int | None:
    size = quantization_of(config).get("group_size")
    return size if type(size) is int and size > 0 else None


def quantization_of(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the quantization config; empty if unquantized."""
    found = config.get("quantization") or config.get("quantization_config")
    return found if isinstance(found, dict) else {}


def hub_parameters(counts: Mapping[str, int], bits: int | None) -> int:
    """Return the approximate number of parameters from the hub's counts, which include scales."""
    packed = counts.get(PACKED, 0)
    others = sum(count for kind, count in counts.items() if kind != PACKED)
    return packed * WORD_BITS // bits + others if bits else packed + others


def hub_weights(counts: Mapping[str, int]) -> int:
    return sum(count * BITS.get(kind, 16) // 8 for kind, count in counts.items())


def _numbers(name: str, tensor: dict[str, Any], tensors: Mapping[str, Any], quantization: Mapping[str, Any]) -> int:
    module, _, kind = name.rpartition(".")
    quantized = f"{module}.scales" in tensors and tensors.get(f"{module}.weight", {}).get("dtype") == PACKED
    if quantized and kind in ("scales", "biases"):
        return 0
    own = quantization.get(module)
    bits = (own if isinstance(own, dict) else quantization).get("bits")
    packed = quantized and kind == "weight" and type(bits) is int and bits > 0
    return prod(tensor["shape"]) * WORD_BITS // bits if packed else prod(tensor["shape"])
