from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
import pytest
from mlx.nn.layers.base import Module
from mlx.nn.layers.quantized import quantize
from mlx.utils import tree_flatten, tree_unflatten
from mlx_lm.models.cache import make_prompt_cache
from mlx_lm.tuner.utils import linear_to_lora_layers
from mlx_lm.utils import load_model

from app.engine.jobs import CountReads
from app.engine.mlx.measuring.token_reads import count_reads
from app.engine.types import StepReads
from tests import models
from tests.engine.mlx.architectures import context_of
from tests.engine.tiers import mostly_slow

Logits = Callable[[], bytes]
CONTEXT = 40
TOKEN = 7
TABLES = ("embed", "wte", "wpe")
QUANTISED: dict[str, dict[str, Any]] = {
    f"{mode} quantized": {"mode": mode, "bits": bits, "group_size": size}
    for mode, bits, size in (("mxfp4", 4, 32), ("mxfp8", 8, 32), ("nvfp4", 4, 16))
}
STACKS = 3
"""Axes of an array that holds a matrix for each expert."""


def made(folder: Path, kind: str) -> Module:
    """Make an evaluated model."""
    makers = {
        "sliding": models.sliding_window,
        "recurrent": models.recurrent,
        "mixture": models.mixture,
        "positions": models.table_of_positions,
        "shared": models.shared_layers,
    }
    tied = {"tie_word_embeddings": True} if "tied" in kind else {}
    module: Module = load_model(makers.get(kind.removesuffix(" quantized"), models.tiny_llama)(folder, **tied))[0]
    if "quantized" in kind:
        quantize(module, **QUANTISED.get(kind, {"group_size": 32, "bits": 4}))
    if kind == "adapter":
        linear_to_lora_layers(module, 2, {"rank": 4, "scale": 10.0, "dropout": 0.0})
        ones = {name: mx.ones_like(array) for name, array in flat(module).items() if name.endswith("lora_b")}
        module.update(tree_unflatten(list(ones.items())))
    mx.eval(module.parameters())
    return module


def token_reads(module: Module, context: int) -> StepReads:
    return count_reads(context_of(module, 0), CountReads(context))


def flat(module: Module) -> dict[str, mx.array]:
    parameters: list[tuple[str, mx.array]] = list(tree_flatten(module.parameters()))  # type: ignore[arg-type]
    return dict(parameters)


def spoilt(array: mx.array, rows: mx.array | slice) -> mx.array:
    """Change the bits of these rows."""
    numbers = mx.array(array)
    whole = mx.issubdtype(array.dtype, mx.integer)
    numbers[rows] = mx.bitwise_invert(numbers[rows]) if whole else mx.nan
    return numbers


def step_of(module: Module) -> Logits:
    """Return a repeatable decode step after an unchanged prefill."""
    before = make_prompt_cache(module)
    mx.eval(module(mx.array([[5]]), cache=before))

    def step() -> bytes:
        logits = module(mx.array([[TOKEN]]), cache=deepcopy(before))
        return np.array(logits.astype(mx.float32)).tobytes()

    return step


def read_of(module: Module, name: str, array: mx.array, step: Logits, right: bytes) -> int:
    """Return the bytes of an array that change the logits."""
    count = array.shape[0]

    def differs(*rows: slice) -> bool:
        changed = array
        for each in rows:
            changed = spoilt(changed, each)
        module.update(tree_unflatten([(name, changed)]))
        return step() != right

    if array.ndim == STACKS and "switch" in name:
        found = sum(differs(slice(expert, expert + 1)) for expert in range(count))
    elif any(word in name for word in TABLES):
        row = TOKEN if "wpe" not in name else 1
        found = count if differs(slice(0, row), slice(row + 1, count)) else int(differs(slice(row, row + 1)))
    else:
        found = count * differs(slice(0, count))
    module.update(tree_unflatten([(name, array)]))
    return found * array.nbytes // count


KINDS = (
    "dense", "tied", "quantized", "tied quantized", "mixture", "mixture quantized", "sliding", "recurrent", "adapter",
    "positions", *QUANTISED,
)  # fmt: skip


@pytest.mark.parametrize("kind", mostly_slow(KINDS, "dense", "tied quantized", "mixture"))
def test_reads_of_weights_are_those_that_change_the_logits(tmp_path: Path, kind: str) -> None:
    module = made(tmp_path, kind)
    step = step_of(module)
    right = step()
    found = {name: read_of(module, name, array, step, right) for name, array in flat(module).items()}
    assert step() == right
    stacks = [name for name in found if "switch" in name]
    assert all(0 < found[name] < flat(module)[name].nbytes for name in stacks) and bool(stacks) == ("mixture" in kind)
    assert token_reads(module, CONTEXT).weights == sum(found.values())


def kept(layer: Any) -> list[mx.array]:
    """Return the arrays that a layer reads for the next token."""
    if hasattr(layer, "keys_and_values"):
        return list(layer.keys_and_values())
    return list(layer.cache)


@pytest.mark.parametrize("kind", ["dense", "sliding", "recurrent", "mixture", "shared"])
def test_reads_of_the_cache_are_its_keys_and_values(tmp_path: Path, kind: str) -> None:
    module = made(tmp_path, kind)
    cache = make_prompt_cache(module)
    for context in range(1, CONTEXT + 1):
        mx.eval(module(mx.array([[context]]), cache=cache))
        if context in (1, CONTEXT):
            assert token_reads(module, context).kv == sum(array.nbytes for layer in cache for array in kept(layer))


def test_reads_of_windows_and_states_stop_growing(tmp_path: Path) -> None:
    for kind, growth in (("dense", 2.0), ("sliding", 1.5), ("recurrent", 1.0)):
        before, after = (token_reads(made(tmp_path / f"{kind} {at}", kind), at).kv for at in (32, 64))
        assert after / before == growth, kind


def test_reads_name_the_largest_matrix_and_the_output_head(tmp_path: Path) -> None:
    reads = token_reads(made(tmp_path, "tied quantized"), 0)
    matrix = reads.largest
    assert (matrix.rows, matrix.columns, matrix.bits, matrix.group_size, matrix.mode) == (384, 64, 4, 32, "affine")
    assert matrix.bytes == reads.readout == 384 * (64 // 2 + 2 * 2 * 4)
    dense = token_reads(made(tmp_path, "dense"), 0)
    attention, perceptron = 2 * 64 * (64 + 32), 3 * 64 * 128
    assert dense.products == 2 * (attention + perceptron) and dense.largest.bits is None
