"""The preset that a model brings along: what its generation_config.json says about sampling."""

from __future__ import annotations

from app.engine.ranges import RANGES
from app.engine.types import Argument, Sampling
from app.presets.preset import MODELS_OWN, Preset

_GENERATION = {
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "min_p": "min_p",
    "repetition_penalty": "repetition_penalty",
}
"""What transformers calls them in a generation_config.json, and what they are here."""


def of_model(generation: tuple[tuple[str, Argument], ...]) -> Preset | None:
    """What a model's generation_config.json says about sampling; None where it says nothing of use."""
    said = dict(generation)
    greedy = said.get("do_sample") is False
    if not greedy and not any(name in said for name in _GENERATION) and said.get("do_sample") is not True:
        return None
    values: dict[str, float | int] = {"temperature": 1.0}
    for theirs, ours in _GENERATION.items():
        value = said.get(theirs)
        if isinstance(value, int | float) and RANGES[ours].allows(value):
            values[ours] = value if RANGES[ours].whole else float(value)
    if greedy:
        values["temperature"] = 0.0
    return Preset(MODELS_OWN, Sampling(**values))  # type: ignore[arg-type]
