"""How a model is to be quantised, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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
