"""What widget tests share: a system that turns dark."""

from PySide6.QtCore import Qt

from app.ui.look.theme import Theme


def go_dark(theme: Theme) -> None:
    """What happens when the system turns dark while the program runs."""
    theme.prefer(Qt.ColorScheme.Dark)
    assert theme.dark
