"""Syntax highlighting of lines."""

import pytest

from app.ui.document.code_colours import LONGEST, colours
from app.ui.look.palette import Colour


def _coloured(line: str, language: str) -> list[tuple[str, Colour]]:
    return [(line[part.start : part.end], part.colour) for part in colours(line, language)]


@pytest.mark.parametrize(
    ("language", "line", "expected"),
    [
        (
            "python",
            'return f"a # b" * 0x2A  # why',
            [
                ("return", Colour.KEYWORD),
                ('"a # b"', Colour.STRING),
                ("0x2A", Colour.NUMBER),
                ("# why", Colour.COMMENT),
            ],
        ),
        ("js", "let a = 1.5e3 // one", [("let", Colour.KEYWORD), ("1.5e3", Colour.NUMBER), ("// one", Colour.COMMENT)]),
        ("SQL", "SELECT 'x' -- y", [("SELECT", Colour.KEYWORD), ("'x'", Colour.STRING), ("-- y", Colour.COMMENT)]),
        ("c", "#include /* a */ x9", [("include", Colour.KEYWORD), ("/* a */", Colour.COMMENT)]),
        ("", 'say("open', [('"open', Colour.STRING)]),
        ("jinja", "{# why #}{% if x %}", [("{# why #}", Colour.COMMENT), ("if", Colour.KEYWORD)]),
        ("text", "return 1", []),
    ],
)
def test_colours_of_a_line_match_its_language(language: str, line: str, expected: list[tuple[str, Colour]]) -> None:
    assert _coloured(line, language) == expected


def test_colours_of_a_long_line_end_at_the_limit() -> None:
    assert max(part.end for part in colours("var a=1;" * 10_000, "js")) <= LONGEST
