"""What the panel of controls shows, and hands out, as one value."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.engine.types import KV, Limits, Sampling


@dataclass(frozen=True, slots=True)
class ControlValues:
    """What the panel shows. `seed` None: a new one for each run."""

    mode: str = "chat"
    system: str = ""
    sampling: Sampling = field(default_factory=Sampling)
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    kv: KV = field(default_factory=KV)
    draft_tokens: int = 0
    interval: int = 1
