"""The scheme is followed live, and roles turn into colours."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.widgets.palette import DARK, LIGHT, Colour
from app.widgets.sheet import sheet
from app.widgets.theme import Size, Theme


def test_switches_live(qtbot: QtBot, qapp: QApplication, theme: Theme) -> None:
    assert theme.hex(Colour.TEXT) == LIGHT[Colour.TEXT]
    with qtbot.waitSignal(theme.changed):
        theme.prefer(Qt.ColorScheme.Dark)
    assert theme.dark
    assert theme.colour(Colour.TEXT).name() == DARK[Colour.TEXT]
    assert qapp.palette().color(QPalette.ColorRole.Base).name() == DARK[Colour.SURFACE]


def test_same_scheme_says_nothing(qtbot: QtBot, theme: Theme) -> None:
    with qtbot.assertNotEmitted(theme.changed):
        theme.prefer(Qt.ColorScheme.Light)


def test_follows_the_system(qtbot: QtBot, theme: Theme) -> None:
    """The last of a preference is that the system decides again."""
    theme.prefer(Qt.ColorScheme.Dark)
    theme.prefer(Qt.ColorScheme.Unknown)
    assert not theme.dark, "the offscreen platform is light"


def test_opacity(theme: Theme) -> None:
    assert theme.colour(Colour.PREFILL, 0.5).alpha() == 128


def test_fonts_are_of_the_scale(theme: Theme) -> None:
    assert [theme.font(size).pixelSize() for size in Size] == [11, 13, 15, 20]
    assert theme.font(Size.LARGE).isFeatureSet(QFont.Tag("tnum"))


def test_sheet_is_filled_in() -> None:
    for table in (LIGHT, DARK):
        filled = sheet(table)
        assert table[Colour.ACCENT] in filled
        assert not re.search(r"\{[a-z_]+\}", filled)
