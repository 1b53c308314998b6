"""What a token costs at the least: the bytes that a step reads, and how fast this machine was measured to read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from app.engine.types.ending import Conditions


@dataclass(frozen=True, slots=True)
class Matrix:
    """A model's matrix as it stands in memory; `bits` None: it is not quantised."""

    rows: int
    columns: int
    bytes: int
    precision: str
    """As mlx calls it; of a quantised one, that of its scales."""
    bits: int | None = None
    group_size: int = 0
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Reads:
    """What one decoding step must read with so many tokens before it, in bytes, and what it must multiply."""

    context: int
    weights: int
    """Of the embedding one row, of experts the chosen ones."""
    kv: int
    readout: int
    """That part of the weights which tells the tokens of the vocabulary apart."""
    products: int
    """Multiplications of a prompt's token with the weights, of which the readout is only for the last one."""
    largest: Matrix
    growth: tuple[tuple[int, int], ...] = ()
    """What each token of the context adds to `kv`, and how many of them are kept."""

    @property
    def bytes(self) -> int:
        return self.weights + self.kv

    def at(self, context: int) -> Reads:
        """With another context."""
        more = (size * (min(context, most) - min(self.context, most)) for size, most in self.growth)
        return replace(self, context=context, kv=self.kv + sum(more))


@dataclass(frozen=True, slots=True)
class Speeds:
    """What this machine does at its best with matrices of one shape and precision, as it was measured."""

    bytes_per_s: float
    """Of products of a matrix with a vector."""
    plain_bytes_per_s: float
    """Of the same without arithmetic to speak of: products in single precision."""
    products_per_s: float
    """Multiplications a second of a matrix with many vectors, as when a prompt is read."""
    working_set: int
    """Bytes that were read in turn: what is small stays in the processor's cache, and is faster for that."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """mlx-lm's own loop, without anything of ours."""

    tokens_per_s: float
    """The median of the last tokens, with the context before them."""
    grown_s: float
    """How much longer a token takes than with next to nothing before it; of the quicker ones, which nobody held up."""
    prompt_tokens_per_s: float
    seconds: float = 0.0
    """How long it was watched."""
    conditions: Conditions = field(default_factory=Conditions)
    """What there was beside it."""


class TimePart(StrEnum):
    """What a token's time goes into."""

    MODEL = "model"
    DRAFT = "draft"
    PROCESSORS = "processors"
    FORM = "form"
    SAMPLER = "sampler"
    CANDIDATES = "candidates"
    TEXT = "text"
    """From ids to characters, stop strings and voices among them."""
    HANDING = "handing"
    """To the window."""
    JOURNAL = "journal"
    """Handing it to the journal, which writes on a thread of its own."""
    WAITING = "waiting"
    """For the window, while something is handed to it: the thread stood still."""
    REST = "python"
    """All else: mlx-lm's loop and ours."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where the time of a run's tokens went, in seconds for each of them."""

    tokens: int
    parts: tuple[tuple[TimePart, float], ...]
    """Each waited for by itself; together they are `observed`."""
    layers: tuple[float, ...]
    """Of a pass of the model: what leads to the layers, each of them, what follows."""
    unobserved: float
    """A token of the same run as it is."""
    observed: float
    layered: float
    """A token of the same run with each layer waited for."""
    passes: float
    """A pass of the model there, by a clock of its own."""
