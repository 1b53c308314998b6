"""How patient a download is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to wait, and how often to try without getting anywhere."""

    silence_s: float = 10.0
    """Without a byte for so long, a connection counts as cut."""
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0
    tries: int = 8
