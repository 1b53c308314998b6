"""The prompts that a first start offers: kept beside the bundled model, since they are what it can do."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.bridge.state import Mode

FILE = "first_prompts.json"


@dataclass(frozen=True, slots=True)
class FirstPrompt:
    """One prompt to try. `shows` says what is to be seen when it runs."""

    title: str
    prompt: str
    mode: Mode
    max_tokens: int
    temperature: float
    shows: str


def read(model: Path) -> tuple[FirstPrompt, ...]:
    """The prompts of the model in this folder; none where it brings none."""
    try:
        kept = json.loads((model / FILE).read_text("utf-8"))
        return tuple(_prompt(each) for each in kept)
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def _prompt(kept: dict[str, Any]) -> FirstPrompt:
    return FirstPrompt(
        title=str(kept["title"]),
        prompt=str(kept["prompt"]),
        mode=Mode(kept["mode"]),
        max_tokens=int(kept["max_tokens"]),
        temperature=float(kept["temperature"]),
        shows=str(kept["shows"]),
    )
