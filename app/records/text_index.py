"""Full-text search: indexing, queries, excerpts, and automatic titles."""

import re
import unicodedata
from functools import cache

from app.records.attachments import split

TITLE_LENGTH = 60
DISTINCT_LENGTH = 8
"""Characters of a distinct title: a shorter question is "hi" or "why?"."""
EXCERPT_BEFORE = 40
EXCERPT_LENGTH = 160

_UNSPACED = (
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff])"
)
"""Characters of scripts without spaces between words; each is indexed as a word."""


def separate_characters(text: str) -> str:
    """Return the text for the index. A change of this function needs a migration that rebuilds the index."""
    return _unspaced().sub(r" \1 ", text)


@cache
def _unspaced() -> re.Pattern[str]:
    """Return the compiled pattern. Compiling it on import would delay the first paint."""
    return re.compile(_UNSPACED)


def query(words: str) -> str:
    """Return an FTS5 query for all words as prefixes; empty without words."""
    # In SQLite, a text ends at its first NUL character.
    phrases = [separate_characters(word).replace('"', " ") for word in words.replace("\0", " ").split()]
    return " ".join(f'"{phrase}" *' for phrase in phrases if any(letter.isalnum() for letter in phrase))


def title_of(question: str, answer: str = "") -> str:
    """Return the first words as a one-line title; a short question is followed by words of the answer.

    Attached files without a question give their names.
    """
    files, text = split(question) if question.startswith("`") else ((), question)
    line = " ".join(text[: TITLE_LENGTH * 4].split()) or ", ".join(file.name for file in files)
    if len(line) < DISTINCT_LENGTH and (words := " ".join(answer[: TITLE_LENGTH * 4].split())):
        line = f"{line}: {words}" if line else words
    if len(line) <= TITLE_LENGTH:
        return line
    cut = line[: TITLE_LENGTH - 1]
    return f"{cut[: cut.rfind(' ')] if cut.rfind(' ') > TITLE_LENGTH // 2 else cut}…"


def excerpt(text: str, words: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the text around the first match as one line, and the matches in it."""
    pattern = re.compile("|".join(re.escape(fold(word)) for word in words.split()))
    folded = fold(text)
    first = pattern.search(folded)
    start = max(0, first.start() - EXCERPT_BEFORE) if first else 0
    end = start + EXCERPT_LENGTH
    marks = tuple(
        (found.start() - start, min(found.end(), end) - start)
        for found in pattern.finditer(folded, start, end)
        if found.end() > found.start()
    )
    return re.sub(r"\s", " ", text[start:end]), marks


def fold(text: str) -> str:
    """Return lowercase text without accents, of the same length."""
    if text.isascii():
        return text.lower()
    plain = text.lower()
    if len(plain) != len(text):
        plain = "".join(letter.lower()[0] for letter in text)
    return plain.translate({ord(letter): _bare(letter) for letter in set(plain) if not letter.isascii()})


def _bare(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[0] if not _unspaced().match(letter) else letter
