"""A server's key in what that server says: it gets the key with each request, and may quote it, whole or in pieces.

One place for it, at the border: nothing behind it (window, journal, files, logs) ever holds the key.
"""

import base64
import html
import json
import string
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import quote

SHORTEST = 8
"""A shorter one guards nothing, and is found in common words."""
PART = 12
"""So much of a key in a row is taken for it: without its ends it would be as good as whole."""
HELD = 3
"""So much of a part at the end of a piece, and the next one is waited for."""
MARK = "…"
LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class Redaction:
    """Finds a key as it is, and as links, JSON, pages, hexadecimal digits and base64 have it."""

    def __init__(self, key: str) -> None:
        forms = _forms(key.translate(LOWER), key) if len(key) >= SHORTEST else ()
        self._size = max(SHORTEST, min(PART, len(key) - SHORTEST // 2))
        self._parts = frozenset(
            form[at : at + self._size] for form in forms for at in range(len(form) - self._size + 1)
        )
        self._begins = frozenset(part[:HELD] for part in self._parts)

    @property
    def guards(self) -> bool:
        """Whether there is anything to be found."""
        return bool(self._parts)

    def places(self, text: str) -> list[tuple[int, int]]:
        """Where it stands, from and to; those that touch are one."""
        found: list[tuple[int, int]] = []
        if not self._parts:
            return found
        plain = text.translate(LOWER)
        for at in range(len(plain) - self._size + 1):
            if plain[at : at + HELD] in self._begins and plain[at : at + self._size] in self._parts:
                begin = found.pop()[0] if found and found[-1][1] >= at else at
                found.append((begin, at + self._size))
        return found

    def of(self, text: str) -> str:
        """The text without it."""
        for begin, end in reversed(self.places(text)):
            text = text[:begin] + MARK + text[end:]
        return text

    def pending(self, text: str) -> int:
        """How many characters at the end may be the beginning of it."""
        plain = text[-self._size + 1 :].translate(LOWER) if self._parts else ""
        for at in range(len(plain) - HELD + 1):
            rest = plain[at:]
            if rest[:HELD] in self._begins and any(part.startswith(rest) for part in self._parts):
                return len(rest)
        return 0


@lru_cache(maxsize=16)
def redaction(key: str) -> Redaction:
    """Made once for each key."""
    return Redaction(key)


def without(text: str, key: str) -> str:
    """What a server says, without the key that it was given."""
    return redaction(key).of(text)


def _forms(plain: str, key: str) -> tuple[str, ...]:
    """Each in small letters, as it is looked for."""
    escaped = json.dumps(plain)[1:-1]
    written = {
        plain,
        quote(plain, safe=""),
        escaped,
        escaped.replace("/", "\\/"),
        "".join(f"\\u{ord(each):04x}" for each in plain),
        html.escape(plain),
        key.encode().hex(),
        *_base64(key.encode()),
    }
    return tuple(each.translate(LOWER) for each in written)


def _base64(key: bytes) -> Iterator[str]:
    """It depends on what stands before it, such as the word Bearer: there are three ways."""
    for before in range(3):
        coded = base64.b64encode(bytes(before) + key).decode()
        inner = coded[-(-before * 8 // 6) : (before + len(key)) * 8 // 6]
        yield from (inner, inner.replace("+", "-").replace("/", "_"))
