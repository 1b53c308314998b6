"""Access to the layers of any mlx-lm model: their outputs can be recorded or replaced during one pass.

Every model of mlx-lm has the property `layers`. The lists with these objects are found by walking through its modules.
For one pass a proxy takes the position of each layer in these lists.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx.utils import tree_map

from app.engine.errors import UserError, details_of
from app.engine.mlx.failures import UNBUILT
from app.i18n import tr

LARGEST = 65_504.0
"""Largest float16; infinite states are replaced by it."""
TODO = tr("Everything else works as before.")


class LayerProxy:
    """Takes the position of a layer; attributes come from the layer."""

    def __init__(self, layer: Any) -> None:
        self._layer = layer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._layer, name)


class OutputRecorder(LayerProxy):
    """Calls the layer and stores its output, or what `keep` returns for it. The `first` one also stores its input."""

    input: Any = None
    output: Any = None

    def __init__(self, layer: Any, keep: Callable[[Any], Any], first: bool) -> None:
        super().__init__(layer)
        self._keep, self._first = keep, first

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.input = self._keep(args[0]) if self._first and args else None
        output = self._layer(*args, **kwargs)
        self.output = self._keep(output)
        return output


class FixedOutput(LayerProxy):
    """Returns a fixed output."""

    def __init__(self, layer: Any, output: Any) -> None:
        super().__init__(layer)
        self._output = output

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _same(self._output)


class Layers:
    """The layers of a model, in order."""

    def __init__(self, module: Module) -> None:
        self._layers = list({id(layer): layer for layer in getattr(module, "layers", ())}.values())
        self._places: dict[int, list[tuple[list[Any], int]]] = {id(layer): [] for layer in self._layers}
        for _, holder in module.named_modules():
            for value in holder.values():
                for position, layer in enumerate(value if isinstance(value, list) else ()):
                    self._places.get(id(layer), []).append((value, position))
        if not self._layers or not all(self._places.values()):
            raise layers_failure()

    def __len__(self) -> int:
        return len(self._layers)

    @contextmanager
    def record(self, keep: Callable[[Any], Any] | None = None) -> Iterator[list[OutputRecorder]]:
        """Record each layer's last output within this block, or what `keep` returns for it."""
        recorders = [OutputRecorder(layer, keep or _same, number == 0) for number, layer in enumerate(self._layers)]
        with self._replaced_by(recorders):
            yield recorders

    @contextmanager
    def replace_outputs(self, output: Any) -> Iterator[None]:
        """Make every layer return this output within this block."""
        with self._replaced_by([FixedOutput(layer, output) for layer in self._layers]):
            yield

    @contextmanager
    def _replaced_by(self, stand_ins: Sequence[LayerProxy]) -> Iterator[None]:
        try:
            self._put(stand_ins)
            yield
        except UNBUILT as error:
            raise layers_failure(details_of(error)) from None
        finally:
            self._put(self._layers)

    def _put(self, each: Sequence[Any]) -> None:
        for layer, present in zip(self._layers, each, strict=True):
            for holder, position in self._places[id(layer)]:
                holder[position] = present


def stack_outputs(recorders: Sequence[OutputRecorder], length: int, last: int) -> Any:
    """Return the last positions of all layers' outputs as a batch: one text of one token for each of them."""
    outputs, shape, batch = _outputs(recorders, length)
    several = isinstance(recorders[-1].output, tuple | list)
    whole = [
        _stack([parts[index] if index < len(parts) else None for parts in outputs], shape, batch, last)
        for index in range(len(outputs[-1]))
    ]
    return tuple(whole) if several else whole[0]


def states(recorders: Sequence[OutputRecorder], length: int) -> tuple[mx.array | None, list[mx.array]]:
    """Return the input of the first layer (None if it has another shape) and each layer's output, by position."""
    outputs, shape, batch = _outputs(recorders, length)

    def rows(part: mx.array) -> mx.array:
        found = _positions(part, batch).reshape(length, -1).astype(mx.float32)
        return mx.nan_to_num(found, nan=0.0, posinf=LARGEST, neginf=-LARGEST)

    first_input = recorders[0].input
    return rows(first_input) if _has_shape(first_input, shape) else None, [rows(parts[0]) for parts in outputs]


def _outputs(recorders: Sequence[OutputRecorder], length: int) -> tuple[list[Sequence[Any]], tuple[int, ...], int]:
    """Return the outputs of each layer, the shape of the first, and its batch axis."""
    outputs: list[Sequence[Any]] = [
        each.output if isinstance(each.output, tuple | list) else (each.output,) for each in recorders
    ]
    shape = getattr(outputs[0][0] if outputs[0] else None, "shape", ())
    batch = next((axis for axis in range(len(shape) - 2) if shape[axis : axis + 2] == (1, length)), None)
    if batch is None or not all(parts and _has_shape(parts[0], shape) for parts in outputs):
        raise layers_failure()
    return outputs, shape, batch


def layers_failure(details: str = "") -> UserError:
    return UserError(
        tr("Not available: the layers of this model can't be inspected one by one."), TODO, details, "layers"
    )


def _same(output: Any) -> Any:
    """Return copies, since a model may write into a layer's output."""
    return tree_map(lambda leaf: mx.stop_gradient(leaf) if isinstance(leaf, mx.array) else leaf, output)


def _has_shape(part: Any, shape: tuple[int, ...]) -> bool:
    return isinstance(part, mx.array) and part.shape == shape


def _stack(parts: Sequence[Any], shape: tuple[int, ...], batch: int, last: int) -> Any:
    """Join the last positions of these outputs as a batch of one-token texts."""
    if not all(_has_shape(part, shape) for part in parts):
        return parts[-1]
    positions = [_positions(part, batch)[-last:] for part in parts]
    return mx.expand_dims(mx.moveaxis(mx.concatenate(positions), 0, batch), batch + 1)


def _positions(part: mx.array, batch: int) -> mx.array:
    """Return the positions of the only text, without the batch axis."""
    return mx.moveaxis(mx.squeeze(part, batch), batch, 0)
