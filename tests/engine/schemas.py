"""Forms to try, and texts that a grammar lets through."""

import random
from pathlib import Path
from typing import Any

import pytest
from llguidance import LLMatcher, LLTokenizer

from app.engine.types import FormatKind, OutputFormat

SUITE = Path(__file__).parents[3] / "shared" / "realdata" / "json-schema"
WITH_SUITE = pytest.mark.skipif(not SUITE.is_dir(), reason="the real data is not here: ../shared/realdata is absent")
FOX: dict[str, Any] = {
    "type": "object",
    "properties": {
        "animal": {"type": "string", "maxLength": 4},
        "legs": {"type": "integer", "minimum": 0, "maximum": 8},
        "colour": {"enum": ["red", "green"]},
        "tags": {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2},
    },
    "required": ["animal", "legs"],
    "additionalProperties": False,
}


def form(kind: FormatKind, text: str = "") -> OutputFormat:
    return OutputFormat().put(kind, text)


def walked(grammar: str, seed: int, longest: int = 400) -> str | None:
    """A text that the grammar lets through, by chance; None where it became too long."""
    tokenizer, chance = LLTokenizer("byte"), random.Random(seed)
    matcher, written = LLMatcher(tokenizer, grammar, log_level=0), bytearray()
    while not matcher.is_stopped() and len(written) < longest:
        allowed = [byte for byte, given in enumerate(matcher.compute_logit_bias()[:256]) if given]
        if matcher.is_accepting() and (not allowed or chance.random() < 0.3):
            return written.decode("utf-8", "replace")
        written.append(chance.choice([byte for byte in allowed if byte < 128] or allowed))
        matcher.consume_token(written[-1])
    return written.decode("utf-8", "replace") if matcher.is_accepting() else None
