"""An adapter on a model: its layers, the model's layers that they replace, and its scale."""

from dataclasses import dataclass
from typing import Any

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx.utils import tree_unflatten

from app.engine.errors import UserError, details_of
from app.engine.model_files.adapter import WEIGHTS, AdapterFile, missing, of_another, refused
from app.engine.types import Adapter
from app.i18n import tr

Arrays = dict[str, mx.array]


@dataclass(slots=True)
class AttachedAdapter:
    """An attached adapter. The model keeps its own arrays, so switching only replaces layers."""

    adapter: Adapter
    layers: dict[str, Module]
    own: dict[str, Module]
    """The model's own layers, by the same names."""
    stamp: tuple[object, ...]
    """Identifies the file, so that caches made with another adapter are not reused."""
    strength: float = 1.0

    def set_strength(self, module: Module, strength: float) -> None:
        """Set the share of the adapter's scale; 0 restores the model's own layers. DoRA magnitudes stay."""
        if strength == self.strength:
            return
        if (strength == 0) != (self.strength == 0):
            _put(module, self.layers if strength else self.own)
        for layer in self.layers.values():
            layer.scale = self.adapter.scale * strength
        self.strength = strength


def read(file: AdapterFile) -> Arrays:
    """Read and check all weights, without a change of the model."""
    try:
        arrays = mx.load(str(file.adapter.folder / WEIGHTS))
        assert isinstance(arrays, dict)
        finite = mx.all(mx.stack([mx.isfinite(array).all() for array in arrays.values()])).item()
    except Exception as error:
        raise refused(tr("The adapter's weights could not be read."), details_of(error)) from None
    if not finite:
        raise refused(tr("The adapter's weights contain NaN or infinity."))
    return arrays


def attach(module: Module, file: AdapterFile, arrays: Arrays, raised: bool) -> AttachedAdapter:
    """Attach an adapter. Raises UserError and leaves the module as it was if it belongs to another model."""
    from mlx_lm.tuner.utils import linear_to_lora_layers  # imported late because it is rarely needed

    own, adapter = dict(module.named_modules()), file.adapter
    config = {"rank": adapter.rank, "scale": adapter.scale, "dropout": 0.0, "keys": file.keys and set(file.keys)}
    try:
        linear_to_lora_layers(module, file.blocks, config, use_dora=adapter.dora)
        layers = {name: layer for name, layer in module.named_modules() if name in own and layer is not own[name]}
        _fill(layers, arrays, raised)
    except BaseException as error:
        changed = (name for name, layer in module.named_modules() if name in own and layer is not own[name])
        _put(module, {name: own[name] for name in changed})
        if isinstance(error, UserError) or not isinstance(error, Exception):
            raise
        raise refused(tr("mlx-lm can't attach this adapter to this model."), details_of(error)) from None
    status = (adapter.folder / WEIGHTS).stat()
    stamp = (adapter, status.st_ino, status.st_size, status.st_mtime_ns)
    return AttachedAdapter(adapter, layers, {name: own[name] for name in layers}, stamp)


def _fill(layers: dict[str, Module], arrays: Arrays, raised: bool) -> None:
    """Set the weights. mlx-lm would leave missing ones randomly initialized."""
    made: dict[str, tuple[Any, str]] = {}
    for name, layer in layers.items():
        made |= {f"{name}.{part}": (layer, part) for part in ("lora_a", "lora_b", "m") if part in layer}
    if absent := sorted(made.keys() - arrays.keys()):
        raise missing(absent[0])
    for name, array in arrays.items():
        if name not in made or getattr(*made[name]).shape != array.shape:
            raise of_another(name)
        setattr(*made[name], array.astype(mx.float32) if raised else array)


def _put(module: Module, layers: dict[str, Module]) -> None:
    if layers:
        module.update_modules(tree_unflatten(list(layers.items())))
