"""A window beside the main one: imported and made when it is first wanted, and kept from then on."""

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

Window = TypeVar("Window", bound=QWidget)


class LazyWindow(Generic[Window]):
    """`make` imports what the window is made of: at the start that would keep the first paint waiting."""

    def __init__(self, make: Callable[[], Window]) -> None:
        self._make = make
        self.made: Window | None = None

    @property
    def window(self) -> Window:
        """Made now, unless it was before."""
        if self.made is None:
            self.made = self._make()
        return self.made

    @property
    def seen(self) -> Window | None:
        """The window, if it is on the screen."""
        return self.made if self.made is not None and self.made.isVisible() else None

    def bring_up(self) -> None:
        bring_up(self.window)

    def close(self) -> None:
        if self.made is not None:
            self.made.close()


def bring_up(window: QWidget) -> None:
    """In front of the others, with the keyboard, also out of the dock."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
