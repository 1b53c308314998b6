"""Windows: names, title and size; windows that are made at first use."""

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import Qt
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
    *,
    is_dialog: bool = True,
) -> None:
    """Create a window; its accessible name is its title or `spoken`. The main window can't be above a dialog."""
    if not is_dialog:
        window.setWindowFlags(Qt.WindowType.Window)
    named(window, name, spoken or title)
    window.setWindowTitle(title)
    window.setMinimumSize(*smallest_px)
    open_at(theme, window, *first_px)


Window = TypeVar("Window", bound=QWidget)


class LazyWindow(Generic[Window]):
    """A window created by `make`, which imports its modules: at startup that would delay the first paint."""

    def __init__(self, make: Callable[[], Window]) -> None:
        self._make = make
        self.made: Window | None = None

    @property
    def window(self) -> Window:
        """The window; created at the first access."""
        if self.made is None:
            self.made = self._make()
        return self.made

    @property
    def seen(self) -> Window | None:
        """The window if it is visible, else None."""
        return self.made if self.made is not None and self.made.isVisible() else None

    def bring_up(self) -> None:
        bring_up(self.window)

    def close(self) -> None:
        if self.made is not None:
            self.made.close()


def bring_up(window: QWidget) -> None:
    """Show a window in front with the focus; a minimized one is restored."""
    keep_position(window)
    if window.windowType() is Qt.WindowType.Window:
        window.create()  # the handle, which Qt binds to the window of the parent; winId() makes all its widgets native
        window.windowHandle().setTransientParent(None)  # type: ignore[arg-type]
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()


def keep_position(window: QWidget) -> None:
    """Show a closed window again where it was; on X11, Qt places it lower by the height of its title bar."""
    if window.windowHandle() is not None and not window.isVisible():
        window.move(window.pos())
