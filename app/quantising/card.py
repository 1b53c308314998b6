"""What a model that was quantised here says of itself to whoever gets it."""

from __future__ import annotations

import json
import time
from importlib.metadata import version
from pathlib import Path

from app import __version__
from app.engine.refusal import named
from app.library import cached
from app.quantising.layers import Outcome

LISTED = 40
"""So many layers are named; of the others it says how many they are."""


def card(source: Path, name: str, made: Outcome) -> str:
    """In Markdown, under the header that the hub reads; in English, as it goes with the model."""
    origin, choice = cached.id_of(str(source)), made.choice
    header = ["library_name: mlx", "pipeline_tag: text-generation", "tags:", "- mlx"]
    if origin:
        header.append(f"base_model: {json.dumps(origin)}")
    how = f"recipe `{choice.recipe}`" if choice.recipe else f"{choice.bits} bits, mode `{choice.mode}`"
    alone = [f"`{each}`" for each in made.alone[:LISTED]]
    if len(made.alone) > LISTED:
        alone.append(f"and {len(made.alone) - LISTED} more")
    what = f"{origin or named(source.name)}{f' (commit {source.name})' if origin else ''}"
    tools = f"Sluice {__version__} with mlx-lm {version('mlx-lm')} and mlx {version('mlx')}"
    lines = (
        *("---", *header, "---", "", f"# {named(name)}", ""),
        f"Quantised from {what} by {tools} on {time.strftime('%Y-%m-%d')}: {how}, in groups of {choice.group}.",
        "",
        f"- {made.bits_per_weight:.3f} bits per weight, scales included",
        f"- {made.bytes:,} bytes of weights",
        f"- layers left as they were: {', '.join(alone) or 'none'}",
        *("", "The licence is that of the model that it was made from.", ""),
    )
    return "\n".join(lines)
