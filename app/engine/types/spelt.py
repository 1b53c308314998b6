"""How tokens become text, one after another."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spelt:
    """One token of a text. The texts of all of them, joined, are the text."""

    id: int
    piece: bytes
    """Its own; empty where the tokenizer does not tell, since a token's text depends on its neighbours there."""
    text: str
    """The characters that became whole with it."""
