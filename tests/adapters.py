"""Builds adapters for test models with mlx-lm's layers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Change = Callable[[dict[str, Any], dict[str, Any]], None]
"""Changes the config and the named arrays before they are written."""


def adapter(
    folder: Path,
    model: Path,
    *,
    planted: float = 0.0,
    dora: bool = False,
    layers: int = 2,
    keys: tuple[str, ...] | None = None,
    change: Change | None = None,
) -> Path:
    """Write an adapter folder like `mlx_lm.lora` does; `planted` is the size of its weights."""
    import mlx.core as mx
    from mlx.utils import tree_flatten
    from mlx_lm.tuner.utils import linear_to_lora_layers
    from mlx_lm.utils import load_model

    mx.random.seed(5)
    module, _ = load_model(model)
    module.freeze()
    said: dict[str, Any] = {"rank": 4, "scale": 10.0, "dropout": 0.0} | ({"keys": list(keys)} if keys else {})
    linear_to_lora_layers(module, layers, dict(said), use_dora=dora)
    arrays: dict[str, Any] = dict(tree_flatten(module.trainable_parameters()))
    for name, array in arrays.items():
        if name.endswith("lora_b"):
            arrays[name] = planted * mx.random.normal(array.shape)
    config: dict[str, Any] = {
        "fine_tune_type": "dora" if dora else "lora",
        "num_layers": layers,
        "lora_parameters": said,
    }
    if change is not None:
        change(config, arrays)
    folder.mkdir(parents=True)
    (folder / "adapter_config.json").write_text(json.dumps(config), encoding="utf-8")
    mx.save_safetensors(str(folder / "adapters.safetensors"), arrays)
    return folder
