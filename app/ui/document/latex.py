"""Renders LaTeX formulas to SVG with ziamath, in pure Python. It takes milliseconds, so it belongs on a thread."""

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import NamedTuple
from xml.etree import ElementTree

LONGEST = 2_000
"""Maximum length of a formula in characters."""
DEEPEST = 20
"""Maximum nesting of groups, environments and `\\left`."""
MOST_CALLS = 500_000
"""Function calls and returns after which rendering a formula is given up. ziamath renders each row twice, so that the
number doubles with each level of groups."""
WIDEST_EM, TALLEST_EM = 90.0, 40.0
INK = "#010203"
"""The SVG's color of the text, to be replaced."""
_EM_UNITS = 24.0
"""Size of the font in units of the SVG. ziamath scales the smallest script sizes by it."""
_MARGIN_UNITS = 1.0
"""Margin for antialiasing."""
_MACROS = re.compile(r"\\(newcommand|renewcommand|def|gdef|edef|let|require|input|include\w*|href|verb)\b")
"""Macros can grow exponentially; the others have no place in a formula."""
_LEVELS = re.compile(r"\\[\\{}]|([{]|\\left\b|\\begin\b)|([}]|\\right\b|\\end\b)")
_DRAWN_TAGS = frozenset({"svg", "g", "path", "rect", "ellipse"})
_NEEDS_NO_GLYPH = ("Cc", "Cf", "Mn", "Zs")
"""Unicode categories of characters that the font needn't have."""


class LatexFormula(NamedTuple):
    """The LaTeX between the delimiters of a formula; `display`: on a line of its own."""

    latex: str
    display: bool = False


@dataclass(frozen=True, slots=True)
class FormulaPicture:
    """A rendered formula as SVG. The lengths are in em; the ascent and the descent are those of the baseline."""

    svg: str
    width: float
    ascent: float
    descent: float


def render_all(formulas: Iterable[LatexFormula]) -> dict[LatexFormula, FormulaPicture | None]:
    return {formula: render(formula) for formula in formulas}


def render(formula: LatexFormula) -> FormulaPicture | None:
    """Render a formula; None if it is invalid, unsupported or over a limit."""
    if len(formula.latex) > LONGEST or _MACROS.search(formula.latex) or _depth(formula.latex) > DEEPEST:
        return None
    try:
        import ziamath.tex  # noqa: F401 (takes 0.3 s, so it is imported outside of the limit)

        with _call_limit(MOST_CALLS):
            return _render(formula)
    except Exception:  # for invalid LaTeX the libraries raise KeyError, RecursionError and others
        return None


def _render(formula: LatexFormula) -> FormulaPicture | None:
    from ziamath.config import config
    from ziamath.tex import tex2mml
    from ziamath.zmath import Math, loadedfonts

    config.svg2 = False  # Qt doesn't support <symbol>
    mathml = tex2mml(formula.latex.strip(), inline=not formula.display)
    if "\\" in mathml:  # latex2mathml returns unknown commands as text
        return None
    root = ElementTree.fromstring(mathml)
    if not all(map(loadedfonts["default"].glyphindex, _needed_glyphs(root))):  # it has no Hangul, for instance
        return None
    _flatten(root)
    root.set("mathcolor", INK)
    drawn = Math(root, size=_EM_UNITS, margin=_MARGIN_UNITS)
    svg, box = drawn.svgxml(), drawn.node.bbox
    width, ascent, descent = (
        (units + margin * _MARGIN_UNITS) / _EM_UNITS
        for units, margin in ((box.xmax - box.xmin, 2), (box.ymax, 1), (-box.ymin, 1))
    )
    fits = 0 < width <= WIDEST_EM and 0 < ascent + descent <= TALLEST_EM
    if not fits or any(element.tag not in _DRAWN_TAGS for element in svg.iter()):
        return None
    return FormulaPicture(ElementTree.tostring(svg, encoding="unicode"), width, ascent, descent)


def _flatten(element: ElementTree.Element) -> None:
    """Remove rows that only contain a row, or are all of the formula: each would double the time."""
    for child in element:
        _flatten(child)
    while len(element) == 1 and _is_row(element) and _is_row(element[0]) and not element[0].attrib:
        (row,) = element
        if any(each.get("linebreak") for each in row):  # ziamath aligns the lines of the whole formula by its row
            break
        element[:] = row[:]


def _is_row(element: ElementTree.Element) -> bool:
    return element.tag.rpartition("}")[2] in ("mrow", "math")


def _needed_glyphs(mathml: ElementTree.Element) -> set[str]:
    characters = set("".join(mathml.itertext()))
    return {each for each in characters if unicodedata.category(each) not in _NEEDS_NO_GLYPH}


def _depth(latex: str) -> int:
    deepest = depth = 0
    for found in _LEVELS.finditer(latex):
        depth += bool(found[1]) - bool(found[2])
        deepest = max(deepest, depth)
    return deepest


@contextmanager
def _call_limit(most: int) -> Iterator[None]:
    """Raise TimeoutError in this thread at the first function call or return after this number of them."""
    count = 0

    def check(_frame: FrameType, _event: str, _argument: object) -> None:
        nonlocal count
        count += 1
        if count > most:
            raise TimeoutError

    sys.setprofile(check)
    try:
        yield
    finally:
        sys.setprofile(None)
