"""mlx-lm's own conversion, in its steps, so that it can be foreseen and watched; in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx.utils import tree_map_with_path
from mlx_lm.convert import MODEL_CONVERSION_DTYPES, QUANT_RECIPES, mixed_quant_predicate_builder
from mlx_lm.utils import get_total_parameters, quantize_model, save_config, save_model

from app.engine.folder import look
from app.engine.mlx.load import evaluate, open_weights
from app.engine.mlx.loaded import arrays_of
from app.engine.protocol import Emit, StopFlag


def layers(path: Path) -> dict[str, Any]:
    """What a quantisation would find, as plain values; no weights are read."""
    module, _ = _opened(path)
    size, recipes = sum(array.nbytes for array in arrays_of(module)), list(_recipes(module))
    found = list(_layers(module, recipes))
    return {"layers": found, "bytes": size, "weights": get_total_parameters(module), "recipes": recipes}


def convert(path: Path, to: Path, bits: int, group: int, mode: str, recipe: str, emit: Emit) -> None:
    """Write config and weights into a folder that isn't there yet."""
    module, config = _opened(path)
    ask = mixed_quant_predicate_builder(recipe, module, group) if recipe else None
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):  # what it prints is for a terminal
        module, config = quantize_model(module, config, group, bits, mode, quant_predicate=ask)
    evaluate(module, emit, StopFlag())
    save_model(to, module, donate_model=True)
    save_config(config, to / "config.json", keep_vision_config="vision_tower" in getattr(module, "model", {}))


def _opened(path: Path) -> tuple[Module, dict[str, Any]]:
    """As mlx-lm's `convert` does it: in the precision that config.json names."""
    module, config = open_weights(look(path))
    name = str(config.get("torch_dtype") or (config.get("text_config") or {}).get("dtype"))
    if name in MODEL_CONVERSION_DTYPES:
        wanted, kind = getattr(module, "cast_predicate", lambda _: True), getattr(mx, name)

        def cast(path: str, array: mx.array) -> mx.array:
            return array.astype(kind) if wanted(path) and mx.issubdtype(array.dtype, mx.floating) else array

        module.update(tree_map_with_path(cast, module.parameters()))
    return module, config


def _recipes(module: Module) -> Iterator[str]:
    """Those that find their layers in this model."""
    for recipe in QUANT_RECIPES:
        try:
            mixed_quant_predicate_builder(recipe, module)
        except (ValueError, AttributeError):
            continue
        yield recipe


def _layers(module: Module, recipes: list[str]) -> Iterator[dict[str, Any]]:
    asked = getattr(module, "quant_predicate", None)
    rules = {recipe: mixed_quant_predicate_builder(recipe, module) for recipe in recipes}
    for name, each in module.named_modules():
        if "weight" not in each or each.weight.ndim < 2:
            continue
        takes = hasattr(each, "to_quantized")
        own = asked(name, each) if asked and takes else True
        yield {
            "name": name,
            "weights": each.weight.size,
            "width": each.weight.shape[-1],
            "bytes": each.weight.nbytes,
            "takes": takes,
            "kept": not own,
            "own": own if isinstance(own, dict) else None,
            "recipes": {recipe: rule(name, each)["bits"] for recipe, rule in rules.items()},
        }
