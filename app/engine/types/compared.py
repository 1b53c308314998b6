"""How far two models are apart at each place of a text."""

from __future__ import annotations

from typing import NamedTuple


class Difference(NamedTuple):
    """At one token: the first model A and the second one B, both given all before it; in nats."""

    lowest: float
    highest: float
    """The divergence of A from B, Σ p_A ln(p_A ÷ p_B), lies between these; they are the same where all was kept."""
    back: float | None
    """That of B from A; None where only a part of A's distribution was kept, as the next."""
    between: float | None
    """Jensen–Shannon: of both from their mean."""
    same_first: bool
    """Both have the same favourite; a tie counts as the same."""
    same_ten: float
    """The share of A's first ten that is among B's."""
