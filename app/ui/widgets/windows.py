"""Creates windows with names, title, initial and minimum size."""

from PySide6.QtWidgets import QWidget

from app.ui.look import Theme, open_at
from app.ui.widgets.naming import named


def begin_window(
    theme: Theme,
    window: QWidget,
    name: str,
    title: str,
    first_px: tuple[int, int],
    smallest_px: tuple[int, int] = (0, 0),
    spoken: str = "",
) -> None:
    """Create a window; its accessible name is its title or `spoken`."""
    named(window, name, spoken or title)
    window.setWindowTitle(title)
    window.setMinimumSize(*smallest_px)
    open_at(theme, window, *first_px)
