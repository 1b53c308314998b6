"""JSON and texts from servers, checked for size, depth and characters."""

import json
import unicodedata
from typing import TypeGuard

from app.engine.errors import UNSEEN
from app.files import json_reader
from app.files.json_reader import JsonLimits

BRACKETS_LIMIT = 1 << 18
"""Maximum number of brackets: each list or object takes sixty times its size in memory."""
LARGEST_BYTES = 1 << 30
"""Callers have lower limits."""
NAME_LIMIT = 400
SHORTEST_KEY = 8
"""Minimum length of a key that is masked: a shorter one occurs in common words."""
MASK = "…"


def value_of(content: bytes | str, brackets: int = BRACKETS_LIMIT) -> object:
    """Parse JSON; None if it is invalid or beyond the limits."""
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    if text.count("[") + text.count("{") > brackets:
        return None
    try:
        return json_reader.parse(text, JsonLimits(LARGEST_BYTES))
    except ValueError:
        return None


def text_of(value: object) -> str:
    """Return a value as text."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value)
    except (ValueError, RecursionError):
        return ""


def redact(text: str, key: str) -> str:
    """Mask the server's key, which some servers quote in errors. Encoded or split keys aren't found."""
    return text.replace(key, MASK) if len(key) >= SHORTEST_KEY else text


def replace_invisible(value: str) -> str:
    """Return text for a sentence: invisible and control characters are replaced."""
    return "".join(" " if each in "\n\t" else "\ufffd" if _is_unseen(each) else each for each in value)


def is_name(value: object) -> TypeGuard[str]:
    """Return whether this is a valid model name, which is displayed and sent back."""
    return isinstance(value, str) and 0 < len(value) <= NAME_LIMIT and not any(map(_is_unseen, value))


def _is_unseen(character: str) -> bool:
    return unicodedata.category(character) in UNSEEN
