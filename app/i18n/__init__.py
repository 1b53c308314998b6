"""Translation of interface texts: each text that a user reads is an argument of `tr`.

The source texts are English; `lupdate` reads them from the code. `app.i18n.translation` sets the translator before
importing modules that translate texts on import. Until then, and in tests, texts are English.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Self

Translate = Callable[[str, str, int], str | None]
"""Function of a text, a disambiguating comment, and a count or -1; None for an unknown text."""

LANGUAGES = {"en": "English", "ko": "한국어 (Korean)"}
"""Language codes and the languages' own names."""

_translate: Translate | None = None
_language = ""


def set_translator(translate: Translate | None, language: str = "") -> None:
    """Translate all texts by `translate` from now on, into `language`; None: don't translate."""
    global _translate, _language
    _translate, _language = translate, language


def current_language() -> str:
    """Return the code of the language into which texts are translated; empty: they aren't translated."""
    return _language


def tr(text: str, comment: str = "", n: int | None = None) -> str:
    """Return a text in the user's language.

    With a count `n`, `%n` becomes the number and `comment` is the English singular: `tr("%n runs", "%n run", n)`.
    Without a count, `comment` only distinguishes equal English texts: `tr("Open", "a verb")`.
    """
    said = _translate(text, comment, -1 if n is None else n) if _translate is not None else ""
    if n is None:
        return said or text
    return (said or (comment if n == 1 and comment else text)).replace("%n", f"{n:,}")


class WordedEnum(StrEnum):
    """An enumeration whose values have a translated name: `OPEN = "open", tr("Open")`."""

    words: str

    def __new__(cls, value: str, words: str = "") -> Self:
        made = str.__new__(cls, value)
        made._value_, made.words = value, words
        return made
