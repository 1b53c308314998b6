"""What widget tests share: a theme, and a folder where pictures are kept for the eye."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.ui.look.theme import Theme


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    theme = Theme(qapp)
    theme.prefer(Qt.ColorScheme.Light)
    yield theme
    theme.resize(100)


def go_dark(theme: Theme) -> None:
    """What happens when the system turns dark while the program runs."""
    theme.prefer(Qt.ColorScheme.Dark)
    assert theme.dark
