"""Syntax highlighting of single lines of code in any language: comments, strings, numbers and common keywords."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

from app.ui.look import Color, Theme

LONGEST = 1_000
"""Only this many characters of a line are highlighted; longer lines occur in minified files."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KEYWORDS = _words(
    """
    abstract and as assert async await begin bool boolean break byte case catch char class const continue def default
    defer del delete do done double elif else elsif end enum esac except export extends extern false False fi final
    finally float fn for foreach from func function global go goto guard if impl implements import in include instanceof
    int interface is lambda let local long loop match mod module mut namespace new nil None nonlocal not null nullptr
    object of or override package pass private protected protocol pub public raise range ref require return self Self
    short signed sizeof static string struct super switch template then this throw throws trait true True try type
    typedef typeof undef union unless unsafe unsigned until use using val var virtual void volatile when where while
    with yield
    SELECT FROM WHERE INSERT INTO UPDATE DELETE CREATE TABLE JOIN LEFT RIGHT INNER OUTER ON GROUP BY ORDER HAVING LIMIT
    VALUES SET AND OR NOT NULL AS DISTINCT UNION
    """
)
_HASH_COMMENTS = _words("python py bash sh shell zsh ruby rb perl yaml yml toml ini r make makefile dockerfile")
_DASH_COMMENTS = _words("sql lua haskell hs ada")
_UNCOLOURED = _words("text txt plain plaintext markdown md output console log diff")

_TEMPLATES = _words("jinja jinja2 j2")

_WORDS = (
    r"""(?P<string>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'|`[^`]*`)"""
    r"""|(?P<number>\b0[xob][\da-fA-F_]+\b|\b\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?\b)"""
    r"""|(?P<word>[A-Za-z_]\w*)"""
)
_COMMENTS = {
    "hash": re.compile(r"(?P<comment>#.*)|" + _WORDS),
    "dash": re.compile(r"(?P<comment>--.*)|" + _WORDS),
    "template": re.compile(r"(?P<comment>\{#.*?(?:#\}|$))|" + _WORDS),
    "slash": re.compile(r"(?P<comment>//.*|/\*.*?(?:\*/|$))|" + _WORDS),
}
_ROLES = {"comment": Color.COMMENT, "string": Color.STRING, "number": Color.NUMBER}


@dataclass(frozen=True, slots=True)
class ColoredSpan:
    """A highlighted range of a line: characters `start` to `end`, and their color."""

    start: int
    end: int
    color: Color


def colors(line: str, language: str) -> Iterator[ColoredSpan]:
    """Yield the highlighted ranges of a line. Lines are independent, so each is highlighted when it is complete."""
    language = language.lower()
    if language in _UNCOLOURED:
        return
    for found in _COMMENTS[_comment_style(language)].finditer(line[:LONGEST]):
        kind = found.lastgroup or ""
        if kind != "word":
            yield ColoredSpan(found.start(), found.end(), _ROLES[kind])
        elif found[0] in _KEYWORDS:
            yield ColoredSpan(found.start(), found.end(), Color.KEYWORD)


def _comment_style(language: str) -> str:
    if language in _HASH_COMMENTS:
        return "hash"
    if language in _TEMPLATES:
        return "template"
    return "dash" if language in _DASH_COMMENTS else "slash"


class CodeHighlighter(QSyntaxHighlighter):
    """A syntax highlighter for a document that contains only code."""

    def __init__(self, theme: Theme, document: QTextDocument, language: str) -> None:
        super().__init__(document)
        self._theme = theme
        self._language = language
        self._formats: dict[Color, QTextCharFormat] = {}
        theme.changed.connect(self._on_theme_changed)

    def _on_theme_changed(self) -> None:
        self._formats.clear()
        self.rehighlight()

    def _format(self, color: Color) -> QTextCharFormat:
        if color not in self._formats:
            self._formats[color] = QTextCharFormat()
            self._formats[color].setForeground(self._theme.color(color))
        return self._formats[color]

    def highlightBlock(self, text: str) -> None:
        for span in colors(text, self._language):
            self.setFormat(span.start, span.end - span.start, self._format(span.color))
