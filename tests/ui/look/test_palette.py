import re
from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise, product

import pytest
from PySide6.QtGui import QColor

from app.ui.look.palette import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Color
from app.ui.look.theme import SHAPES, with_accent
from app.ui.tokens.chip_lines import LOOKS, SHADE
from app.ui.tokens.colors import DRAFT, LEVELS, NEUTRAL, PLAIN, USER, share_of
from app.ui.widgets.diff_view import GROUND_OPACITY
from app.ui.widgets.plots.overlay_plot import STROKES
from tests.ui.look.eyes import EYES, Eye, contrast, difference, lightness, seen_by

Table = Mapping[Color, str]
NAMES = {"light": LIGHT, "dark": DARK, "light contrast": LIGHT_CONTRAST, "dark contrast": DARK_CONTRAST}
TABLES = pytest.mark.parametrize("table", list(NAMES.values()), ids=list(NAMES))
ALL_EYES = pytest.mark.parametrize("eye", list(EYES))
GROUNDS = (Color.SURFACE, Color.RAISED)
"""Backgrounds of text and graphics; USER and CODE are backgrounds of text only."""

TEXTS = (
    Color.TEXT,
    Color.MUTED,
    Color.ACCENT,
    Color.MODEL,
    Color.END,
    Color.WARNING,
    Color.ERROR,
)
CODE_TEXTS = (Color.TEXT, Color.MUTED, Color.KEYWORD, Color.STRING, Color.NUMBER, Color.COMMENT)
GRAPHICS = (
    Color.OUTLINE,
    Color.PREFILL,
    Color.DECODE,
    Color.DRAFT_ACCEPTED,
    Color.DRAFT_REJECTED,
    Color.REUSED,
    Color.WEIGHTS,
    Color.KV,
    Color.OTHER,
    Color.CACHE,
)
STRONG = (Color.TOKEN, Color.LIKELY)
SCALES = pytest.mark.parametrize("strong", STRONG)
FREE = {Color.LINE, Color.HANDLE, *GROUNDS, Color.USER, Color.CODE, Color.ON_ACCENT, *STRONG}
"""Roles without a minimum contrast of their own."""


SYSTEM_ACCENTS = (
    *("#007aff", "#a550a7", "#f74f9e", "#ff5257", "#f7821b", "#ffc600", "#62ba46", "#8c8c8c"),
    *("#000000", "#ffffff", "#ffff00", "#00ff00", "#0000ff"),
)
"""Those of macOS, and extreme ones."""


def is_high(table: Table) -> bool:
    return table in (LIGHT_CONTRAST, DARK_CONTRAST)


def over(table: Table, role: Color, opacity: float, ground: str) -> str:
    """Blend a role over a background."""
    pairs = zip(_channels(table[role]), _channels(ground), strict=True)
    return "#" + "".join(f"{round(opacity * one + (1 - opacity) * other):02x}" for one, other in pairs)


def scale_of(table: Table, strong: Color) -> list[str]:
    return [over(table, strong, share_of(level), table[Color.SURFACE]) for level in range(LEVELS)]


def grounds_of_tokens(table: Table) -> Iterator[str]:
    for strong in STRONG:
        yield from scale_of(table, strong)
    for tone, role in ((PLAIN, Color.OUTLINE), (DRAFT, Color.DRAFT_ACCEPTED), (USER, Color.ACCENT)):
        yield over(table, role, NEUTRAL if tone == PLAIN else 2 * NEUTRAL, table[Color.SURFACE])


def written(table: Table) -> Iterator[tuple[Color, str]]:
    """Yield every role of text with each of its backgrounds."""
    for role, ground in product(TEXTS, (*GROUNDS, Color.USER)):
        yield role, table[ground]
    for role in CODE_TEXTS:
        yield role, table[Color.CODE]
    yield Color.ON_ACCENT, table[Color.ACCENT]
    for under in grounds_of_tokens(table):
        yield Color.TEXT, under
    for role in (Color.DRAFT_REJECTED, Color.DRAFT_ACCEPTED):
        yield Color.TEXT, over(table, role, GROUND_OPACITY, table[Color.SURFACE])
    for look in LOOKS.values():
        chip = over(table, look.ground, look.opacity, table[Color.SURFACE])
        yield look.text, chip
        yield look.text, over(table, Color.REUSED, SHADE, chip)
        yield look.text, over(table, look.ground, look.opacity, table[Color.RAISED])


@TABLES
def test_scroll_bar_handle_has_little_contrast(table: Table) -> None:
    for ground in GROUNDS:
        at_rest, under_pointer = (contrast(table[role], table[ground]) for role in (Color.HANDLE, Color.OUTLINE))
        assert 1.7 <= at_rest <= under_pointer


@TABLES
def test_palette_has_every_role(table: Table) -> None:
    assert set(table) == set(Color)
    assert all(re.fullmatch("#[0-9a-f]{6}", color) for color in table.values())
    assert set(TEXTS) | set(GRAPHICS) | set(CODE_TEXTS) | FREE == set(Color), "a role without a check of its contrast"


@TABLES
def test_text_has_contrast(table: Table) -> None:
    least = 7 if is_high(table) else 4.5
    weak = [(role, on, round(contrast(table[role], on), 2)) for role, on in written(table)]
    assert [each for each in weak if each[2] < least] == []


@TABLES
@pytest.mark.parametrize("accent", SYSTEM_ACCENTS)
def test_text_has_contrast_with_any_accent_color(table: Table, accent: str) -> None:
    least = 7 if is_high(table) else 4.5
    theirs = with_accent(table, QColor(accent), table in (DARK, DARK_CONTRAST), least)
    weak = [(role, on, round(contrast(theirs[role], on), 2)) for role, on in written(theirs)]
    assert [each for each in weak if each[2] < least] == []


@pytest.mark.parametrize(("accent", "adapted"), [("#006be0", "#006be0"), ("#ffc600", "#8a6b00")])
def test_with_accent_keeps_a_readable_accent_color(accent: str, adapted: str) -> None:
    assert with_accent(LIGHT, QColor(accent), False, 4.5)[Color.ACCENT] == adapted


@TABLES
def test_arrows_of_the_style_sheet_have_contrast(table: Table) -> None:
    drawn = {re.findall("#[0-9a-f]{6}", file.read_text())[0] for file in SHAPES.glob("*.svg")}
    weak = [(color, on) for color, on in product(drawn, GROUNDS) if contrast(color, table[on]) < 3]
    assert drawn
    assert weak == []


@TABLES
def test_graphics_have_contrast(table: Table) -> None:
    drawn = [(role, table[role]) for role in (*GRAPHICS, Color.END, Color.ACCENT, Color.WARNING, Color.ERROR)]
    drawn += [(Color.LINE, table[Color.LINE])] * is_high(table)
    weak = [(role, on, round(contrast(color, table[on]), 2)) for (role, color), on in product(drawn, GROUNDS)]
    assert [each for each in weak if each[2] < 3] == []


@TABLES
@SCALES
def test_token_scale_has_contrast_at_both_ends(table: Table, strong: Color) -> None:
    levels = scale_of(table, strong)
    away = [contrast(table[Color.SURFACE], each) for each in levels]
    assert all(later > earlier * 1.03 for earlier, later in pairwise(away))
    assert away[0] > 1.05, "a token's borders are seen at any value"
    # With 7:1 for the text on it there is nothing left of the 21:1 that there are.
    assert away[-1] >= (2.9 if is_high(table) else 3)


@TABLES
@SCALES
@ALL_EYES
def test_token_scale_is_monotonic_for_every_eye(table: Table, strong: Color, eye: Eye) -> None:
    levels = [seen_by(eye, each) for each in scale_of(table, strong)]
    steps = [lightness(later) - lightness(earlier) for earlier, later in pairwise(levels)]
    assert all(step < 0 for step in steps) or all(step > 0 for step in steps)
    assert min(difference(*pair) for pair in pairwise(levels)) > 1.5, "neighbours are told apart, side by side"
    assert difference(levels[0], levels[-1]) > 20


@TABLES
@ALL_EYES
def test_neighboring_colors_differ_for_every_eye(table: Table, eye: Eye) -> None:
    gauge = (Color.WEIGHTS, Color.KV, Color.OTHER)
    for one, other in pairwise(gauge):
        assert difference(seen_by(eye, table[one]), seen_by(eye, table[other])) > 8, (one, other)


def test_strokes_differ_without_colors() -> None:
    assert all(one[1] != other[1] for one, other in combinations(STROKES[:5], 2)), "each has a pattern of its own"
    assert STROKES[5][0] is Color.TEXT


def _channels(color: str) -> tuple[int, ...]:
    return tuple(int(color[at : at + 2], 16) for at in (1, 3, 5))
