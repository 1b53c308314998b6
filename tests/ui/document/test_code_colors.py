"""Syntax highlighting of lines."""

import pytest

from app.ui.document.code_colors import LONGEST, colors
from app.ui.look.palette import Color


@pytest.mark.parametrize(
    ("language", "line", "expected"),
    [
        (
            "python",
            'return f"a # b" * 0x2A  # why',
            [
                ("return", Color.KEYWORD),
                ('"a # b"', Color.STRING),
                ("0x2A", Color.NUMBER),
                ("# why", Color.COMMENT),
            ],
        ),
        ("js", "let a = 1.5e3 // one", [("let", Color.KEYWORD), ("1.5e3", Color.NUMBER), ("// one", Color.COMMENT)]),
        ("SQL", "SELECT 'x' -- y", [("SELECT", Color.KEYWORD), ("'x'", Color.STRING), ("-- y", Color.COMMENT)]),
        ("c", "#include /* a */ x9", [("include", Color.KEYWORD), ("/* a */", Color.COMMENT)]),
        ("", 'say("open', [('"open', Color.STRING)]),
        ("jinja", "{# why #}{% if x %}", [("{# why #}", Color.COMMENT), ("if", Color.KEYWORD)]),
        ("text", "return 1", []),
    ],
)
def test_colors_of_a_line_match_its_language(language: str, line: str, expected: list[tuple[str, Color]]) -> None:
    assert [(line[part.start : part.end], part.color) for part in colors(line, language)] == expected


def test_colors_of_a_long_line_end_at_the_limit() -> None:
    assert max(part.end for part in colors("var a=1;" * 10_000, "js")) <= LONGEST
