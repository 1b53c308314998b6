"""Counts the bytes that one decode step reads, from mlx's graph of it. Nothing is computed for that."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import prod
from typing import Any, NamedTuple

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx.utils import tree_flatten, tree_map
from mlx_lm.models.cache import make_prompt_cache

from app.engine.jobs import CountReads
from app.engine.mlx.job_context import JobContext
from app.engine.types import Matrix, StepReads

VIEWS = frozenset((
    "AsStrided", "Broadcast", "Contiguous", "ExpandDims", "Flatten", "Reshape", "Slice", "Split", "Squeeze",
    "Transpose", "Unflatten",
))  # fmt: skip
"""Operations that read nothing themselves."""
LOOKS_UP = frozenset(("Gather", "GatherAxis"))
"""Operations that read only the rows that they return."""
CHOOSES = frozenset(("GatherMM", "GatherQMM"))
QUANTIZED = frozenset(("QuantizedMatmul", "GatherQMM"))
MODES = ("affine", "mxfp4", "mxfp8", "nvfp4")
"""Quantization modes, in mlx's order."""
ENDLESS_CACHE = 1 << 62
"""Maximum tokens of a cache without a limit; no context has as many."""
MULTIPLIES = QUANTIZED | CHOOSES | {"AddMM", "Matmul"}


class GraphArray(NamedTuple):
    """An array of the graph."""

    name: str
    shape: tuple[int, ...]
    kind: mx.Dtype

    @property
    def bytes(self) -> int:
        return prod(self.shape) * self.kind.size


class ArrayTrace:
    """Follows the weights of a graph through views to the operations that read them."""

    def __init__(self) -> None:
        self._whole: dict[str, int] = {}
        self._source: dict[str, str] = {}
        self._read: Counter[str] = Counter()
        self.products = self.last_products = 0
        self.readout: tuple[str, ...] = ()
        """Names of the arrays that the last product reads: the output head."""
        self.largest = Matrix(0, 0, 0, "")

    def take(self, message: dict[str, Any]) -> None:
        """Take one message of the callback of `mx.export_function`."""
        if message["type"] == "constants":
            # Scalars are constants of the code, not weights.
            self._whole = {name: array.nbytes for name, array in message["constants"] if array.size > 1}
            self._source = {name: name for name in self._whole}
        elif message["type"] == "primitive":
            inputs, outputs = ([GraphArray(*each) for each in message[side]] for side in ("inputs", "outputs"))
            self._add_operation(message["name"], inputs, outputs, message["arguments"])

    def bytes_of(self, *names: str) -> int:
        """Return the bytes read by these operations or by all; arrays read by two of them count once."""
        return sum(min(self._read[name], self._whole[name]) for name in names or self._read)

    def _add_operation(
        self, name: str, inputs: list[GraphArray], outputs: list[GraphArray], arguments: list[Any]
    ) -> None:
        if name in VIEWS:
            source = self._source.get(inputs[0].name)
            self._source |= {part.name: source for part in outputs if source is not None}
            return
        for index, part in enumerate(inputs):
            if part.name not in self._source:
                continue
            looked_up = name in LOOKS_UP and index == 0
            size = outputs[0].bytes if looked_up else int(part.bytes * _selected_share(name, part, inputs))
            self._read[self._source[part.name]] += size
        if name in MULTIPLIES and inputs[1].name in self._source:
            self._add_product(name, inputs, outputs[0], arguments)

    def _add_product(self, name: str, inputs: list[GraphArray], output: GraphArray, arguments: list[Any]) -> None:
        columns, rows = inputs[0].shape[-1], output.shape[-1]
        self.last_products = prod(output.shape) * columns
        self.products += self.last_products
        weights = [part for part in inputs[1:] if part.name in self._source and len(part.shape) > 1]
        self.readout = tuple(self._source[part.name] for part in weights)
        size = sum(part.bytes // prod(part.shape[:-2]) for part in weights)
        matrix = Matrix(rows, columns, size, _name(inputs[1].kind))
        if name in QUANTIZED:
            group_size, bits, mode = arguments[:3]
            matrix = Matrix(rows, columns, size, _name(inputs[0].kind), int(bits), int(group_size), MODES[mode])
        if matrix.bytes > self.largest.bytes:
            self.largest = matrix


def count_reads(context: JobContext, job: CountReads) -> StepReads:
    """Count the bytes of a decode step after `job.context` tokens. Raises what the model raises."""
    module, length = context.main.module, job.context
    mx.eval(module.parameters())
    cache = make_prompt_cache(module)
    mx.eval(module(mx.zeros((1, 1), mx.int32), cache=cache))
    kept = [_bytes_per_token(layer) for layer in _layers(cache) if not layer.empty()]
    trace = ArrayTrace()
    with (
        mx.stream(mx.cpu),
        _exportable_dequantize(),
    ):  # on the CPU the graph has no device-specific kernels
        _trace(module, cache, trace)
    readout = trace.bytes_of(*trace.readout)
    products = trace.products - trace.last_products
    sizes = Counter[int]()
    for size, most in kept:
        sizes[most] += size
    grown = sum(size * (min(length, most) if most else 1) for most, size in sizes.items())
    growth = tuple((size, most) for most, size in sizes.items() if most)
    return StepReads(length, trace.bytes_of(), grown, readout, products, trace.largest, growth)


def _trace(module: Module, cache: list[Any], trace: ArrayTrace) -> None:
    """Trace a later step. Results of earlier steps are inputs, so that only weights are found."""
    used = [layer for layer in _layers(cache) if not layer.empty()]
    states = [layer.state for layer in used]
    held = _arrays(states)

    def step(ids: mx.array, *arrays: mx.array) -> mx.array:
        given = iter(arrays)
        for layer, state in zip(used, states, strict=True):
            layer.state = tree_map(lambda leaf: next(given) if isinstance(leaf, mx.array) else leaf, state)
        logits: mx.array = module(ids, cache=cache)
        return logits

    mx.export_function(trace.take, step, mx.zeros((1, 1), mx.int32), *held)


@contextmanager
def _exportable_dequantize() -> Iterator[None]:
    """Replace `mx.dequantize` within this block by a sum of the same rows, which reads the same bytes.

    `mx.export_function` can't export the uint8 scales of some quantization modes.
    """
    usual = mx.dequantize

    def summed(packed: mx.array, scales: mx.array, *more: Any, **how: Any) -> mx.array:
        if how.get("mode", "affine") == "affine":
            return usual(packed, scales, *more, **how)
        row = packed.sum(axis=-1, keepdims=True) + scales.sum(axis=-1, keepdims=True)
        return mx.repeat(row.astype(mx.bfloat16), scales.shape[-1] * how["group_size"], axis=-1)

    setattr(mx, "dequantize", summed)  # noqa: B010
    try:
        yield
    finally:
        setattr(mx, "dequantize", usual)  # noqa: B010


def _selected_share(name: str, part: GraphArray, inputs: list[GraphArray]) -> float:
    """Return the share of a stack of experts that one step reads; 1 for other arrays."""
    if name not in CHOOSES or len(part.shape) < 3:
        return 1.0
    return min(1.0, prod(inputs[-1].shape) / prod(part.shape[:-2]))


def _bytes_per_token(layer: Any) -> tuple[int, int]:
    """Return the bytes per token of a layer's cache and its maximum of tokens; for a recurrent state, bytes and 0."""
    held = _arrays(layer.state)
    if not hasattr(layer, "offset"):
        return sum(array.nbytes for array in held), 0
    window = getattr(layer, "max_size", None) or getattr(layer, "chunk_size", None) or ENDLESS_CACHE
    # The buffers have room for many tokens.
    return sum(array.nbytes // array.shape[2] for array in held if array.ndim == 4), int(window)


def _layers(cache: Iterable[Any]) -> list[Any]:
    return [part for layer in cache for part in (_layers(layer.caches) if hasattr(layer, "caches") else [layer])]


def _arrays(state: object) -> list[mx.array]:
    flat: list[tuple[str, object]] = list(tree_flatten(state))  # type: ignore[arg-type]
    return [leaf for _, leaf in flat if isinstance(leaf, mx.array)]


def _name(kind: mx.Dtype) -> str:
    return str(kind).rpartition(".")[2]
