"""What the user may hold the engine to; none of it changes what a model says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tuning:
    """0 leaves a value to the engine, which measures the device."""

    memory_limit: int = 0
    """Bytes that models and their caches should stay under."""
    prefill_chunk: int = 0
    """How many prompt tokens to process at a time."""
