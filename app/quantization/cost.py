"""The cost of a quantization, as numbers and as a sentence."""

from dataclasses import dataclass

from app.i18n import tr
from app.number_format import speed, with_error
from app.perplexity.figures import LN_2

NEAR = 0.05
"""Relative difference up to which speeds count as equal, since measurements vary."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Quality and speed compared with the original: nats per token, shares, and tokens per second."""

    worse: float
    worse_error: float | None
    kl_mean: float
    kl_error: float | None
    same_first: float
    speed: float | None
    speed_before: float | None
    memory: int

    def sentence(self, smaller: float) -> str:
        """Return the cost as a sentence. `smaller`: size of the original's weights ÷ size of these."""
        bits, error = self.worse / LN_2, self.worse_error
        told = tr("{bits} bits per token worse") if bits >= 0 else tr("{bits} bits per token better")
        about = with_error(abs(bits), error / LN_2) if error is not None else f"{abs(bits):.2f}"
        text = tr("{times} times smaller, {worse}, same top-1 token {same}.")
        text = text.format(times=f"{smaller:.1f}", worse=told.format(bits=about), same=f"{self.same_first:.1%}")
        return f"{text} {self._pace()}".rstrip()

    def _pace(self) -> str:
        if not self.speed or not self.speed_before:
            return ""
        ratio = self.speed / self.speed_before
        text = tr("On this machine it is as fast: {now} tokens/s instead of {before}.")
        if abs(ratio - 1) > NEAR:
            faster = tr("On this machine it is faster: {now} tokens/s instead of {before}.")
            text = faster if ratio > 1 else tr("On this machine it is slower: {now} tokens/s instead of {before}.")
        return text.format(now=speed(self.speed), before=speed(self.speed_before))
