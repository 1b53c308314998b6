"""Finds LaTeX formulas in Markdown, and replaces each by a character that Markdown leaves alone."""

import re
from typing import NamedTuple

from app.ui.document.latex import LatexFormula

FIRST_MARK, LAST_MARK = "\ue000", "\uf8ff"
"""Private characters, which stand for the formulas of a block."""
MARKED = re.compile(f"[{FIRST_MARK}-{LAST_MARK}]")
_DOLLARS = r"(?:[^$`\\\n]|\\.)"
_LINES = r"|\n(?![ \t]*\n)"
# Escaped characters come last, so that an escaped backslash or dollar sign begins no formula. The rules for single
# dollar signs are Pandoc's, and no letter or digit may touch them from outside, as in US$5 or $HOME/$USER.
_FORMULA = re.compile(
    rf"\$\$(?P<dollars>(?:[^$`\\\n]|\\.{_LINES})+)\$\$"
    rf"|\\\[(?P<brackets>(?:[^`\\\n]|\\[^\[\]]{_LINES})+)\\\]"
    rf"|\\\((?P<parentheses>(?:[^`\\\n]|\\[^()]{_LINES})+)\\\)"
    rf"|(?<![A-Za-z0-9$])\$(?=\S)(?P<dollar>{_DOLLARS}+)(?<!\s)\$(?![A-Za-z0-9$])"
    r"|\\.",
    re.DOTALL,
)
_QUOTE_MARK = re.compile(r"\n[ \t]*>[ \t]?")


class FoundFormula(NamedTuple):
    """A formula and its source with the delimiters."""

    formula: LatexFormula
    source: str


def extract_formulas(markdown: str, most: int) -> tuple[str, list[FoundFormula]]:
    """Return Markdown with a mark for each of the first formulas, and these formulas by the numbers of their marks."""
    found: list[FoundFormula] = []

    def mark(match: re.Match[str]) -> str:
        kind = match.lastgroup
        if kind is None or not match[kind].strip() or len(found) >= most:
            return match[0]
        line = markdown[markdown.rfind("\n", 0, match.start()) + 1 : match.start()]
        latex = _QUOTE_MARK.sub("\n", match[kind]) if line.lstrip().startswith(">") else match[kind]
        found.append(FoundFormula(LatexFormula(latex.strip(), kind in ("dollars", "brackets")), match[0]))
        return chr(ord(FIRST_MARK) + len(found) - 1)

    if MARKED.search(markdown) or "&#" in markdown:  # Markdown could contain a mark, or make one of a number
        return markdown, found
    return _FORMULA.sub(mark, markdown), found
