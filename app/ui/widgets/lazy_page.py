"""A page that is made when it is first wanted: a window opens with what can be seen of it, and that at once."""

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.ui.widgets.rows import in_column
from app.ui.widgets.tab_order import come_after

Page = TypeVar("Page", bound=QWidget)


class LazyPage(QWidget, Generic[Page]):
    """Where the page will stand. It is made there: moved as a whole, it would be dressed once more for each move."""

    def __init__(self, make: Callable[[QWidget], Page]) -> None:
        super().__init__()
        self._make = make
        self._waiting: list[Callable[[Page], object]] = []
        self._place = in_column(on=self)
        self.made: Page | None = None

    @property
    def page(self) -> Page:
        """Made now, unless it was before."""
        return self.make()

    def make(self) -> Page:
        """Now, unless it was before."""
        if self.made is None:
            self.made = self._make(self)
            self._place.addWidget(self.made)
            come_after(self, self.made)
            for take in self._waiting:
                take(self.made)
            self._waiting.clear()
            self.made.show()
        return self.made

    def then(self, take: Callable[[Page], object]) -> None:
        """`take` gets the page as soon as there is one; where there is one, at once."""
        if self.made is not None:
            take(self.made)
        else:
            self._waiting.append(take)

    def if_made(self, tell: Callable[[Page], object]) -> None:
        """What a page that is not there yet gets when it is made."""
        if self.made is not None:
            tell(self.made)

    def showEvent(self, event: QShowEvent) -> None:
        """Before it is painted, so nobody sees it empty."""
        self.make()
        super().showEvent(event)
