"""Formulas become pictures, or stay text within a limited time."""

import sys

import pytest

from app.ui.document import latex
from app.ui.document.latex import INK, LatexFormula, render


@pytest.mark.parametrize("source", [r"\frac{-b \pm \sqrt{b^2-4ac}}{2a}", r"\begin{pmatrix}1 & 0\\0 & 1\end{pmatrix}"])
def test_render_returns_paths_with_a_baseline(source: str) -> None:
    picture = render(LatexFormula(source, display=True))
    assert picture is not None
    assert picture.svg.startswith("<svg")
    assert INK in picture.svg and "<use" not in picture.svg
    assert 1 < picture.width < 10
    assert 0 < picture.descent < picture.ascent < 3


@pytest.mark.parametrize(
    "source",
    [
        r"\frac{1}{",
        r"\nosuchcommand x",
        r"\text{면적} = a",  # the font has no Hangul
        r"\newcommand{\a}{b} \a",
        r"\hspace{5000em} x",
        r"\rule{1em}{900em}",
        "x" * (latex.LONGEST + 1),
        "x^{" * (latex.DEEPEST + 1) + "}" * (latex.DEEPEST + 1),
        r"\text{<image href=x>}",
    ],
)
def test_render_of_an_unsupported_formula_returns_none(source: str) -> None:
    assert render(LatexFormula(source)) is None


def test_render_after_too_many_calls_returns_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latex, "MOST_CALLS", 100)
    assert render(LatexFormula("x")) is None
    assert sys.getprofile() is None
