"""What a quantisation would make of a model: how large it becomes, and which layers it leaves alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Mode(StrEnum):
    """How mlx writes down a group of weights."""

    AFFINE = "affine"
    MXFP4 = "mxfp4"
    NVFP4 = "nvfp4"
    MXFP8 = "mxfp8"


BITS = (8, 6, 5, 4, 3, 2)
GROUPS = (128, 64, 32)
"""Of the mode that has a choice, the largest first."""
FIXED = {Mode.MXFP4: (4, 32), Mode.NVFP4: (4, 16), Mode.MXFP8: (8, 32)}
"""Bits and group of the modes that have none."""
RECIPES = ("mixed_2_6", "mixed_3_4", "mixed_3_6", "mixed_4_6")
"""mlx-lm's own: the bits of most layers, and those of the layers that need more."""

Way = tuple[int, int, Mode]
"""Bits, group and mode of one layer."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What the user has chosen. Without a `group`: the largest one that leaves the fewest weights alone."""

    bits: int = 4
    group: int = 0
    mode: Mode = Mode.AFFINE
    recipe: str = ""

    @property
    def name(self) -> str:
        """The end of the new model's name."""
        return self.recipe or (f"{self.bits}bit" if self.mode is Mode.AFFINE else self.mode.value)


@dataclass(frozen=True, slots=True)
class Layer:
    """One that has a table of weights."""

    name: str
    weights: int
    width: int
    bytes: int
    takes: bool
    """Whether mlx can quantise layers of its kind."""
    kept: bool
    """The model wants it to stay as it is. No recipe asks for that, nor for the model's own way."""
    own: Way | None
    recipes: Mapping[str, int]
    """Its bits, by recipe."""

    def is_alone(self, choice: Choice) -> bool:
        return not self.takes or self.width % choice.group != 0 or (self.kept and not choice.recipe)

    def bytes_with(self, choice: Choice) -> int:
        """With the scales; those of affine groups are two, each as wide as a weight was."""
        bits, group, mode = choice.bits, choice.group, choice.mode
        if choice.recipe:
            bits = self.recipes[choice.recipe]
        elif self.own is not None:
            bits, group, mode = self.own
        scales = 2 * self.bytes // self.weights if mode is Mode.AFFINE else 1
        return self.weights * bits // 8 + self.weights // group * scales


@dataclass(frozen=True, slots=True)
class Outcome:
    """A choice without gaps, and what becomes of it: foreseen, or counted in the files that were made."""

    choice: Choice
    bytes: int
    bits_per_weight: float
    alone: tuple[str, ...]
    """Names of the layers that stay as they are."""


@dataclass(frozen=True, slots=True)
class Layers:
    """Of one model, with the bytes and the number of all its weights and the recipes that know its layers."""

    layers: tuple[Layer, ...]
    bytes: int
    weights: int
    recipes: tuple[str, ...] = ()

    def foresee(self, choice: Choice) -> Outcome:
        """What mlx-lm will make of it."""
        bits, group = FIXED.get(choice.mode, (choice.bits, choice.group or self.group()))
        whole = Choice(bits, group, choice.mode, choice.recipe)
        alone = tuple(sorted(layer.name for layer in self.layers if layer.is_alone(whole)))
        saved = sum(layer.bytes - layer.bytes_with(whole) for layer in self.layers if not layer.is_alone(whole))
        size = self.bytes - saved
        return Outcome(whole, size, size * 8 / self.weights, alone)

    def group(self) -> int:
        """The largest one that divides every width; where there is none, the one that divides the most."""

        def divided(group: int) -> int:
            return sum(layer.weights for layer in self.layers if not layer.is_alone(Choice(group=group)))

        return max(GROUPS, key=divided)


def read(said: Mapping[str, Any]) -> Layers:
    """From what the child says."""
    layers = (Layer(**each | {"own": _way(each["own"])}) for each in said["layers"])
    return Layers(tuple(layers), said["bytes"], said["weights"], tuple(said["recipes"]))


def _way(said: Mapping[str, Any] | None) -> Way | None:
    return (said["bits"], said["group_size"], Mode(said.get("mode", Mode.AFFINE))) if said else None
