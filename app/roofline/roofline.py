"""Roofline of a model on a machine, and the time of a token by bottleneck."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from app.engine.meter.speeds import rate
from app.engine.run_analysis import Cause
from app.engine.types import CacheMissReason, DecodeSpeed, Finish, PeakSpeeds, StepReads
from app.i18n import tr
from app.number_format import speed, two_percent

NEAR = 0.5
"""The share of the limit from which on most of a token's time is reading bytes."""
DRAFTED = tr("A run with draft tokens has no bandwidth limit: one pass can give several tokens.")
EXCEEDED = tr(
    "The run was faster than the measured bandwidth limit of {speed} tok/s: that measurement was disturbed. "
    "Measure it again with “Speed Limits” while other programs are idle."
)
LARGE = 0.4
"""The share of the bytes per token from which on a part is named as a cause."""


class Bound(StrEnum):
    MEMORY = "memory"
    """Reading bytes."""
    COMPUTE = "compute"
    """Arithmetic: quantized weights are slower to read than plain ones."""
    OVERHEAD = "overhead"
    """Constant time per layer and token: small operations, Python."""


MEANINGS = {
    Bound.MEMORY: tr("memory bandwidth is most of a token's time"),
    Bound.COMPUTE: tr("compute is most of a token's time"),
    Bound.OVERHEAD: tr("overhead (small operations, Python) is most of a token's time"),
}


@dataclass(frozen=True, slots=True)
class Roofline:
    """Bytes read per step, best speeds of the machine, and the measured speed."""

    reads: StepReads
    speeds: PeakSpeeds
    decoded: DecodeSpeed

    @property
    def tokens_per_s(self) -> float:
        return self.speeds.bytes_per_s / self.reads.bytes

    def of_run(self, context: float, speed: float = 1.0) -> Roofline:
        """Return the roofline for a run with this speed and context."""
        seen = replace(self.decoded, tokens_per_s=speed, grown_s=0.0)
        return replace(self, reads=self.reads.at(round(context)), decoded=seen)

    def reached(self, finish: Finish, mean: float | None) -> Roofline | None:
        """Return the roofline for a run's mean speed, at the middle of its reply; None if the run has no mean speed."""
        if mean is None or not has_ceiling(finish):
            return None
        return self.of_run((finish.prompt_known or 0) + finish.tokens / 2, mean)

    @property
    def is_exceeded(self) -> bool:
        """Whether the run was faster than the limit. If so, the limit was measured too low."""
        return self.share > 1

    @property
    def share(self) -> float:
        return self.decoded.tokens_per_s / self.tokens_per_s

    @property
    def prompt_tokens_per_s(self) -> float:
        return rate(self.speeds.products_per_s, self.reads.products) or 0.0

    @property
    def seconds(self) -> dict[Bound, float]:
        """Return the seconds of a token for reading, arithmetic (with attention over the context) and overhead."""
        token, best = 1 / self.decoded.tokens_per_s, max(self.speeds.plain_bytes_per_s, self.speeds.bytes_per_s)
        memory = min(token, self.reads.bytes / best)
        grown = max(0.0, self.decoded.grown_s - self.reads.kv / self.speeds.bytes_per_s)
        compute = 1 / self.tokens_per_s + grown - memory
        compute = min(max(0.0, compute), token - memory)
        return {Bound.MEMORY: memory, Bound.COMPUTE: compute, Bound.OVERHEAD: token - memory - compute}

    @property
    def bound(self) -> Bound:
        seconds = self.seconds
        return max(seconds, key=lambda each: seconds[each])

    @property
    def sentence(self) -> str:
        if self.is_exceeded:
            return EXCEEDED.format(speed=speed(self.tokens_per_s))
        text = tr("The run reached {share} of the memory-bandwidth limit of {speed} tok/s: {meaning}.")
        return text.format(share=two_percent(self.share), speed=speed(self.tokens_per_s), meaning=MEANINGS[self.bound])


def has_ceiling(finish: Finish) -> bool:
    """Return whether each forward pass generated one token: without draft tokens, and with a KV cache."""
    conditions = finish.conditions
    return finish.drafted is None and (conditions is None or conditions.hindrance is not CacheMissReason.BARE)


def cause(ceiling: Roofline, on_cpu: bool) -> Cause | None:
    """Return the part that lowers the model's limit or speed; None if there is nothing unusual."""
    reads = ceiling.reads
    if not on_cpu and ceiling.bound is Bound.OVERHEAD:
        text = tr("The model is small for this GPU: launching kernels and Python take {share} of a token's time.")
        overhead = ceiling.seconds[Bound.OVERHEAD] * ceiling.decoded.tokens_per_s
        return Cause("launches", text.format(share=two_percent(overhead)))
    if ceiling.share < NEAR:
        return None
    kv, readout = reads.kv / reads.bytes, reads.readout / reads.bytes
    if max(kv, readout) < LARGE:
        return None
    if kv >= readout:
        text = tr("{share} of the bytes read per token are the keys and values of {count} tokens.")
        return Cause("context", text.format(share=two_percent(kv), count=f"{reads.context:,}"))
    text = tr("{share} of the bytes read per token belong to the output layer (LM head).")
    return Cause("vocabulary", text.format(share=two_percent(readout)))
