"""Which parts of Markdown are formulas."""

import pytest

from app.ui.document.formula_source import extract_formulas

ROOM = 100


@pytest.mark.parametrize(
    ("markdown", "found"),
    [
        ("The area $a^2$는 $b$.", [("a^2", False), ("b", False)]),
        (r"Either \(x_1\) or \[\frac{1}{2}\]", [("x_1", False), (r"\frac{1}{2}", True)]),
        ("$$\na = b \\\\\n  + c\n$$ and $d$", [("a = b \\\\\n  + c", True), ("d", False)]),
        ("> $$\n> x\n> + y\n> $$", [("x\n+ y", True)]),
        (r"$\$5$ and $|x|$", [(r"\$5", False), ("|x|", False)]),
        ("It costs $5 and $6, or $5-$6, US$5 or A$6, $HOME/$USER, $ 5$, $5 $.", []),
        (r"\$5$ and \\(x) and \\[y], `$a` and `b$`", []),
        ("An open $a, an open $$b, an open \\(c and an open \\[d", []),
        ("$$a\n\nb$$ and $a\nb$ and $$ $$", []),
    ],
)
def test_extract_formulas_finds_what_delimiters_enclose(markdown: str, found: list[tuple[str, bool]]) -> None:
    marked, formulas = extract_formulas(markdown, ROOM)
    assert [tuple(each.formula) for each in formulas] == found
    for number, each in enumerate(formulas):
        marked = marked.replace(chr(0xE000 + number), each.source)
    assert marked == markdown


def test_extract_formulas_over_the_most_leaves_text() -> None:
    marked, formulas = extract_formulas("$a$ $b$ $c$", 2)
    assert marked == "\ue000 \ue001 $c$"
    assert len(formulas) == 2


def test_extract_formulas_with_private_characters_finds_none() -> None:
    for markdown in ("\ue000 $a$", "&#xe000; $a$"):
        assert extract_formulas(markdown, ROOM) == (markdown, [])
