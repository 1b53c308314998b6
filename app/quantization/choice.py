"""How a model is to be quantised, and what becomes of it."""

import json
import time
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path

from app import __version__
from app.engine.errors import named
from app.library import cached

BITS = (8, 6, 5, 4, 3, 2)
GROUPS = (128, 64, 32)
"""Of the mode that has a choice, the largest first."""
RECIPES = ("mixed_2_6", "mixed_3_4", "mixed_3_6", "mixed_4_6")
"""mlx-lm's own: the bits of most layers, and those of the layers that need more."""


class Mode(StrEnum):
    """How mlx writes down a group of weights."""

    AFFINE = "affine"
    MXFP4 = "mxfp4"
    NVFP4 = "nvfp4"
    MXFP8 = "mxfp8"


FIXED = {Mode.MXFP4: (4, 32), Mode.NVFP4: (4, 16), Mode.MXFP8: (8, 32)}
"""Bits and group of the modes that have none."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Without a `group`, it is the largest that divides every width of the model, else the one that divides most."""

    bits: int = 4
    group: int = 0
    mode: str = Mode.AFFINE
    recipe: str = ""

    @property
    def name(self) -> str:
        """The end of the new model's name."""
        return self.recipe or (f"{self.bits}bit" if self.mode == Mode.AFFINE else self.mode)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Foreseen by mlx-lm, or counted in the files that were made."""

    choice: Choice
    bytes: int
    """Of weights and their scales; `before` is what the original has."""
    before: int
    bits_per_weight: float
    alone: tuple[str, ...]
    """The layers that stay as they are."""


def card(source: Path, name: str, made: Outcome) -> str:
    """In Markdown, under the header that the hub reads; in English, as it goes with the model."""
    origin, choice = cached.id_of(str(source)), made.choice
    base = f"base_model: {json.dumps(origin)}\n" if origin else ""
    how = f"recipe `{choice.recipe}`" if choice.recipe else f"{choice.bits} bits, mode `{choice.mode}`"
    what = f"{origin} (commit {source.name})" if origin else named(source.name)
    tools = f"Sluice {__version__} with mlx-lm {version('mlx-lm')} and mlx {version('mlx')}"
    return (
        f"---\nlibrary_name: mlx\npipeline_tag: text-generation\ntags:\n- mlx\n{base}---\n\n# {named(name)}\n\n"
        f"Quantised from {what} by {tools} on {time.strftime('%Y-%m-%d')}: {how}, in groups of {choice.group}.\n\n"
        f"- {made.bits_per_weight:.3f} bits per weight, scales included\n- {made.bytes:,} bytes of weights\n"
        f"- layers left as they were: {', '.join(made.alone) or 'none'}\n\n"
        "The licence is that of the model that it was made from.\n"
    )
