"""Translation of interface texts: every text that a user reads goes through `tr`, in every layer.

The source texts are English; `lupdate` reads them from the code. `app.i18n.translation` sets the translator before
modules are imported that make texts on import. Until then, and in tests, texts stay English.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Self

Translate = Callable[[str, str, int], str | None]
"""A text, what tells it from its like, a count or -1; gives nothing for a text that it doesn't know."""

LANGUAGES = {"en": "English", "ko": "한국어"}
"""By code, each called what its speakers call it."""

_translate: Translate | None = None
_language = ""


def set_translator(translate: Translate | None, language: str = "") -> None:
    """Say everything this way from now on, which is in this language; as it is written, if None."""
    global _translate, _language
    _translate, _language = translate, language


def current_language() -> str:
    """Return the code of the language that texts are translated into; empty: they are said as they are written."""
    return _language


def tr(text: str, comment: str = "", n: int | None = None) -> str:
    """Return this text in the user's language.

    With a count, `%n` in it becomes the number and `comment` is the English singular: `tr("%n runs", "%n run", n)`.
    Without, `comment` only distinguishes equal English texts: `tr("Open", "a verb")`.
    """
    said = _translate(text, comment, -1 if n is None else n) if _translate is not None else ""
    if n is None:
        return said or text
    return (said or (comment if n == 1 and comment else text)).replace("%n", f"{n:,}")


class WordedEnum(StrEnum):
    """Each of its values with what it is called in the user's language: `OPEN = "open", tr("Open")`."""

    words: str

    def __new__(cls, value: str, words: str = "") -> Self:
        made = str.__new__(cls, value)
        made._value_, made.words = value, words
        return made
