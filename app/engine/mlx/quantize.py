"""mlx-lm's quantization in steps, with a prediction and progress. Runs in its own process."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx.utils import tree_map_with_path
from mlx_lm.convert import MODEL_CONVERSION_DTYPES, mixed_quant_predicate_builder
from mlx_lm.utils import compute_bits_per_weight, quantize_model, save_config, save_model

from app.engine.errors import UserError
from app.engine.mlx.loaded import arrays_of
from app.engine.mlx.loading.load import evaluate, open_weights
from app.engine.model_files.folder import look
from app.engine.protocol import Emit, StopFlag
from app.i18n import tr


def predict_conversion(path: Path, choice: Mapping[str, Any], groups: Sequence[int]) -> dict[str, Any]:
    """Predict the result of a conversion. Without a group size, the largest of `groups` that divides most layers."""
    return _quantize_lazily(path, choice, groups)[2]


def convert(path: Path, to: Path, choice: Mapping[str, Any], emit: Emit) -> None:
    """Write config and weights into a new folder."""
    module, config, _ = _quantize_lazily(path, choice, ())
    evaluate(module, emit, StopFlag())
    save_model(to, module, donate_model=True)
    save_config(config, to / "config.json", keep_vision_config="vision_tower" in getattr(module, "model", {}))


def _quantize_lazily(
    path: Path, choice: Mapping[str, Any], groups: Sequence[int]
) -> tuple[Module, dict[str, Any], dict[str, Any]]:
    """Quantize lazily: mlx reads and computes nothing yet."""
    module, config = _load(path)
    before = sum(array.nbytes for array in arrays_of(module))
    group = choice["group"] or max(groups, key=lambda each: _count_divisible(module, each))
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):  # its output is for a terminal
        how = (group, choice["bits"], choice["mode"])
        module, config = quantize_model(module, config, *how, quant_predicate=_rule(module, choice["recipe"], group))
    alone = sorted(name for name, each in _tables(module) if "scales" not in each)
    size = sum(array.nbytes for array in arrays_of(module))
    bits = compute_bits_per_weight(module)
    found = {"choice": {**choice, "group": group}, "bytes": size, "before": before, "bits_per_weight": bits}
    return module, config, found | {"alone": alone}


def _load(path: Path) -> tuple[Module, dict[str, Any]]:
    """Load in the precision of config.json, as mlx-lm's `convert` does."""
    module, config = open_weights(look(path))
    name = str(config.get("torch_dtype") or (config.get("text_config") or {}).get("dtype"))
    if name in MODEL_CONVERSION_DTYPES:
        wanted, kind = getattr(module, "cast_predicate", lambda _: True), getattr(mx, name)

        def cast(path: str, array: mx.array) -> mx.array:
            return array.astype(kind) if wanted(path) and mx.issubdtype(array.dtype, mx.floating) else array

        module.update(tree_map_with_path(cast, module.parameters()))
    return module, config


def _rule(module: Module, recipe: str, group: int) -> Callable[..., Any] | None:
    try:
        return mixed_quant_predicate_builder(recipe, module, group) if recipe else None
    except (ValueError, AttributeError) as error:
        what = tr("The recipe {name} doesn't support the layers of this model.").format(name=recipe)
        raise UserError(what, tr("Choose the same bits for all layers."), str(error), "recipe") from None


def _tables(module: Module) -> list[tuple[str, Module]]:
    """Return the layers with more than one row of weights."""
    return [(name, each) for name, each in module.named_modules() if "weight" in each and each.weight.ndim > 1]


def _count_divisible(module: Module, group: int) -> int:
    """Return the number of weights in layers whose rows have a multiple of `group` weights."""
    layers = [each for _, each in _tables(module) if hasattr(each, "to_quantized")]
    return sum(each.weight.size for each in layers if each.weight.shape[-1] % group == 0)
