"""Settings and results of a quantization, and its cost in quality and speed."""

import json
import math
import time
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path

from app import __version__
from app.engine.errors import printable_name
from app.i18n import tr
from app.library import cached
from app.number_format import speed, three_digits, two_percent, with_error

BITS = (8, 6, 5, 4, 3, 2)
USUAL_BITS = (8, 4)
"""Those of most published models; they are compared first."""
GROUPS = (128, 64, 32)
"""Group sizes of the affine mode, the largest first."""
RECIPES = ("mixed_2_6", "mixed_3_4", "mixed_3_6", "mixed_4_6")
"""mlx-lm's mixed-bit recipes: bits of most layers and of the sensitive layers."""


class QuantizationMode(StrEnum):
    """The format of a group of weights in mlx."""

    AFFINE = "affine"
    MXFP4 = "mxfp4"
    NVFP4 = "nvfp4"
    MXFP8 = "mxfp8"


FIXED = {QuantizationMode.MXFP4: (4, 32), QuantizationMode.NVFP4: (4, 16), QuantizationMode.MXFP8: (8, 32)}
"""Bits and group size of the other modes."""


@dataclass(frozen=True, slots=True)
class QuantizationSettings:
    """Settings of a quantization. `group` 0: the largest that divides the widths of all layers, or of most."""

    bits: int = 4
    group: int = 0
    mode: str = QuantizationMode.AFFINE
    recipe: str = ""

    @property
    def name(self) -> str:
        return self.recipe or (f"{self.bits}bit" if self.mode == QuantizationMode.AFFINE else self.mode)


@dataclass(frozen=True, slots=True)
class QuantizationOutcome:
    """Result of a quantization: predicted by mlx-lm, or counted in the new files."""

    choice: QuantizationSettings
    bytes: int
    """Bytes of weights and scales; `before`: of the original."""
    before: int
    bits_per_weight: float
    alone: tuple[str, ...]
    """Names of the layers that stay unquantized."""


def card(source: Path, name: str, made: QuantizationOutcome) -> str:
    """Return the model card: Markdown with the header that the Hub reads, in English."""
    origin, choice = cached.id_of(str(source)), made.choice
    base = f"base_model: {json.dumps(origin)}\n" if origin else ""
    how = f"recipe `{choice.recipe}`" if choice.recipe else f"{choice.bits} bits, mode `{choice.mode}`"
    what = f"{origin} (commit {source.name})" if origin else printable_name(source.name)
    title = printable_name(name)
    tools = f"Sluice {__version__} with mlx-lm {version('mlx-lm')} and mlx {version('mlx')}"
    return (
        f"---\nlibrary_name: mlx\npipeline_tag: text-generation\ntags:\n- mlx\n{base}---\n\n# {title}\n\n"
        f"Quantized from {what} by {tools} on {time.strftime('%Y-%m-%d')}: {how}, in groups of {choice.group}.\n\n"
        f"- {made.bits_per_weight:.3f} bits per weight, scales included\n- {made.bytes:,} bytes of weights\n"
        f"- layers left as they were: {', '.join(made.alone) or 'none'}\n\n"
        "The license is that of the model that it was made from.\n"
    )


NEAR = 0.05
"""Relative difference up to which speeds count as equal, since measurements vary."""


@dataclass(frozen=True, slots=True)
class QuantizationCost:
    """Quality and speed compared with the original: nats per token, shares, and tokens per second."""

    worse: float
    worse_error: float | None
    kl_mean: float
    kl_error: float | None
    same_first: float
    speed: float | None
    speed_before: float | None
    memory: int
    is_unpacked: bool = False
    """Whether the weights were dequantized to float32, in which the original is computed, too."""

    def sentence(self, smaller: float) -> str:
        """Return the cost as a sentence. `smaller`: size of the original's weights ÷ size of these."""
        error = self.worse_error
        change = tr("{nats} nats per token worse") if self.worse >= 0 else tr("{nats} nats per token better")
        about = with_error(abs(self.worse), error) if error is not None else f"{abs(self.worse):.2f}"
        text = tr(
            "{times} times smaller on disk. On a sample text: perplexity × {ratio} ({worse}), same top-1 token {same}."
        )
        text = text.format(
            times=f"{smaller:.1f}",
            ratio=three_digits(math.exp(self.worse)),
            worse=change.format(nats=about),
            same=two_percent(self.same_first),
        )
        return f"{text} {self._pace()}".rstrip()

    def _pace(self) -> str:
        if self.is_unpacked:
            return tr("Here, both are computed in float32: memory and speed are the same.")
        if not self.speed or not self.speed_before:
            return ""
        ratio = self.speed / self.speed_before
        text = tr("On this machine it is as fast: {now} tok/s instead of {before}.")
        if abs(ratio - 1) > NEAR:
            faster = tr("On this machine it is faster: {now} tok/s instead of {before}.")
            text = faster if ratio > 1 else tr("On this machine it is slower: {now} tok/s instead of {before}.")
        return text.format(now=speed(self.speed), before=speed(self.speed_before))
