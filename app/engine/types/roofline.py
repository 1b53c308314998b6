"""The roofline of a model on this computer: bytes read by a step, measured bandwidth."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from app.engine.types.ending import Conditions


@dataclass(frozen=True, slots=True)
class Matrix:
    """A weight matrix in memory; `bits` is None if it isn't quantized."""

    rows: int
    columns: int
    bytes: int
    precision: str
    """Dtype in mlx's name; for a quantized matrix, of its scales."""
    bits: int | None = None
    group_size: int = 0
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Reads:
    """Bytes that one decode step must read with a given context, and its multiplications."""

    context: int
    weights: int
    """One row of the embedding, and only the selected experts."""
    kv: int
    readout: int
    """Bytes of the output head."""
    products: int
    """Multiplications per prompt token; the output head counts only for the last one."""
    largest: Matrix
    growth: tuple[tuple[int, int], ...] = ()
    """Bytes that each context token adds to `kv`, and the maximum number of tokens kept."""

    @property
    def bytes(self) -> int:
        return self.weights + self.kv

    def at(self, context: int) -> Reads:
        """Return the same for another context length."""
        more = (size * (min(context, most) - min(self.context, most)) for size, most in self.growth)
        return replace(self, context=context, kv=self.kv + sum(more))


@dataclass(frozen=True, slots=True)
class Speeds:
    """Measured peak speeds of this computer for matrices of one shape and dtype."""

    bytes_per_s: float
    """Matrix-vector products."""
    plain_bytes_per_s: float
    """The same with almost no arithmetic: float32 products."""
    products_per_s: float
    """Multiplications per second in matrix-matrix products, as in prefill."""
    working_set: int
    """Bytes read in turn; smaller working sets stay in the processor's cache and are faster."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Speed of mlx-lm's own loop."""

    tokens_per_s: float
    """Median of the last tokens, with the context before them."""
    grown_s: float
    """Extra seconds per token compared with an empty context, from the faster tokens only."""
    prompt_tokens_per_s: float
    seconds: float = 0.0
    """Seconds measured."""
    conditions: Conditions = field(default_factory=Conditions)
    """Conditions during the measurement."""


class TimePart(StrEnum):
    """Part of a token's time."""

    MODEL = "model"
    DRAFT = "draft"
    PROCESSORS = "processors"
    FORM = "form"
    SAMPLER = "sampler"
    CANDIDATES = "candidates"
    TEXT = "text"
    """Detokenizing, stop strings and channels."""
    HANDING = "handing"
    """Emitting to the window."""
    JOURNAL = "journal"
    """Handing over to the session database, which writes on its own thread."""
    WAITING = "waiting"
    """Waiting for the window's thread while emitting."""
    REST = "python"
    """The rest: mlx-lm's loop and Sluice's."""


@dataclass(frozen=True, slots=True)
class Where:
    """Profile of a run, in seconds per token."""

    tokens: int
    parts: tuple[tuple[TimePart, float], ...]
    """Each part measured with its own synchronization; their sum is `observed`."""
    layers: tuple[float, ...]
    """Times in a forward pass: before the layers, each layer, after the layers."""
    unobserved: float
    """A token of the same run without profiling."""
    observed: float
    layered: float
    """A token of the same run with synchronization after each layer."""
    passes: float
    """A forward pass in that run."""
