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
class StepReads:
    """Bytes that one decode step must read with a given context, and its number of multiplications."""

    context: int
    weights: int
    """Bytes of the weights, with only one row of the embedding and the selected experts."""
    kv: int
    readout: int
    """Bytes of the output head."""
    products: int
    """Multiplications per prompt token; the output head counts only for the last one."""
    largest: Matrix
    growth: tuple[tuple[int, int], ...] = ()
    """For each kind of layer: bytes that a context token adds to `kv`, and the maximum number of tokens in its cache.
    """

    @property
    def bytes(self) -> int:
        return self.weights + self.kv

    def at(self, context: int) -> StepReads:
        more = (size * (min(context, most) - min(self.context, most)) for size, most in self.growth)
        return replace(self, context=context, kv=self.kv + sum(more))


@dataclass(frozen=True, slots=True)
class PeakSpeeds:
    """Measured peak speeds of this computer for matrices of one shape and dtype."""

    bytes_per_s: float
    """Bytes per second of matrix-vector products."""
    plain_bytes_per_s: float
    """Bytes per second of float32 matrix-vector products, which need no dequantization."""
    products_per_s: float
    """Multiplications per second in matrix-matrix products, as in prefill."""
    working_set: int
    """Bytes read in turn. Smaller working sets stay in the processor's cache and are faster."""


@dataclass(frozen=True, slots=True)
class ValueRange:
    """A measured or predicted value: its lower quartile, median and upper quartile."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True, slots=True)
class StepTimes:
    """Seconds of the decode steps of a run after a context, from one round of a measurement."""

    plain: float
    """A step without drafts."""
    lookup: tuple[float, ...]
    """A step by its number of draft tokens, which cost nothing to propose; up to its first token."""
    drafted: tuple[float, ...] = ()
    """The same with a draft model; empty without one."""
    accepted: float = 0.0
    """Each accepted draft token, after the first token of its step."""


@dataclass(frozen=True, slots=True)
class DecodeSpeed:
    """Measured speed of mlx-lm's own loop."""

    tokens_per_s: float
    """Median of the last tokens, after the context."""
    grown_s: float
    """Additional seconds per token compared with an empty context, from the faster tokens only."""
    prompt_tokens_per_s: float
    seconds: float = 0.0
    """Duration of the measurement in seconds."""
    conditions: Conditions = field(default_factory=Conditions)
    """Conditions during the measurement."""


class TimePart(StrEnum):
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
class RunProfile:
    """Profile of a run, in seconds per token."""

    tokens: int
    parts: tuple[tuple[TimePart, float], ...]
    """Seconds of each part, measured with synchronization after each; their sum is `observed`."""
    layers: tuple[float, ...]
    """Seconds in a forward pass: before the layers, each layer, after the layers."""
    unobserved: float
    """Seconds per token in the same run without profiling."""
    observed: float
    layered: float
    """Seconds per token in the same run with synchronization after each layer."""
    passes: float
    """Seconds of a forward pass in that run."""
