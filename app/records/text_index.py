"""Words of a text: how they are indexed, asked for and found again, and the title that the first of them make."""

import re
import unicodedata
from functools import cache

from app.records.attachments import split

TITLE_LENGTH = 60
TELLING = 8
"""A question of fewer characters, "hi" or "why?", is many a session's."""
EXCERPT_BEFORE = 40
EXCERPT_LENGTH = 160

_UNSPACED = (
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff])"
)
"""Scripts that are written without spaces, or as good as: each of their characters counts as a word."""


def spread(text: str) -> str:
    """The text as it is indexed. Another way to do it takes a migration that makes the index anew."""
    return _unspaced().sub(r" \1 ", text)


@cache
def _unspaced() -> re.Pattern[str]:
    """When there is something to index: it takes a while to compile, and the first paint would wait for it."""
    return re.compile(_UNSPACED)


def query(words: str) -> str:
    """What FTS5 is asked for: each word, also as a beginning. Empty where there is no word."""
    # For SQLite a text ends at its first zero.
    phrases = [spread(word).replace('"', " ") for word in words.replace("\0", " ").split()]
    return " ".join(f'"{phrase}" *' for phrase in phrases if any(letter.isalnum() for letter in phrase))


def title_of(question: str, answer: str = "") -> str:
    """The first words, on one line; with those of the answer where the question says too little to be known by.

    Of attached files it is their names, where nothing is asked of them.
    """
    files, said = split(question) if question.startswith("`") else ((), question)
    line = " ".join(said[: TITLE_LENGTH * 4].split()) or ", ".join(file.name for file in files)
    if len(line) < TELLING and (words := " ".join(answer[: TITLE_LENGTH * 4].split())):
        line = f"{line}: {words}" if line else words
    if len(line) <= TITLE_LENGTH:
        return line
    cut = line[: TITLE_LENGTH - 1]
    return f"{cut[: cut.rfind(' ')] if cut.rfind(' ') > TITLE_LENGTH // 2 else cut}…"


def excerpt(text: str, words: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The neighbourhood of the first found word on one line, and where in it words were found."""
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
    """Small letters without accents, place for place."""
    if text.isascii():
        return text.lower()
    plain = text.lower()
    if len(plain) != len(text):
        plain = "".join(letter.lower()[0] for letter in text)
    return plain.translate({ord(letter): _bare(letter) for letter in set(plain) if not letter.isascii()})


def _bare(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[0] if not _unspaced().match(letter) else letter
