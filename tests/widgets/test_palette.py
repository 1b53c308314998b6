"""The table of colours is readable in light and dark."""

from __future__ import annotations

import re
from itertools import product

import pytest

from app.widgets.palette import CODE_TEXTS, DARK, GRAPHICS, GROUNDS, LIGHT, TEXTS, Colour, contrast

TABLES = pytest.mark.parametrize("table", [LIGHT, DARK], ids=["light", "dark"])
# What stands on TOKEN is tested with all the grounds of tokens.
FREE = {Colour.LINE, *GROUNDS, Colour.USER, Colour.CODE, Colour.ON_ACCENT, Colour.TOKEN}


def test_contrast_is_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#123456", "#123456") == 1


@TABLES
def test_every_role_has_a_colour(table: dict[Colour, str]) -> None:
    assert set(table) == set(Colour)
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in table.values())
    assert set(TEXTS) | set(GRAPHICS) | set(CODE_TEXTS) | FREE == set(Colour), "a role whose contrast nobody checks"


@TABLES
def test_text_is_readable(table: dict[Colour, str]) -> None:
    pairs = [*product(TEXTS, (*GROUNDS, Colour.USER)), *product(CODE_TEXTS, [Colour.CODE])]
    pairs.append((Colour.ON_ACCENT, Colour.ACCENT))
    weak = [(one, on, contrast(table[one], table[on])) for one, on in pairs if contrast(table[one], table[on]) < 4.5]
    assert weak == []


@TABLES
def test_graphics_are_seen(table: dict[Colour, str]) -> None:
    pairs = product(GRAPHICS, GROUNDS)
    weak = [(one, on, contrast(table[one], table[on])) for one, on in pairs if contrast(table[one], table[on]) < 3]
    assert weak == []
