"""What the shell asks of every feature: its actions, what it had at the last start, what it keeps, how it leaves."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from app.actions import Intent
from app.settings import Settings
from app.unkept import FILES


class Feature(QObject):
    """One room of the window. The shell makes all of them in one list, and asks each of them in turn."""

    changed = Signal()
    """Something that the user made or set is to be kept at once: a crash must not take it."""

    ahead: ClassVar[tuple[str, ...]] = ()
    """The modules that it imports when they are first wanted: while nothing else goes on, that is done ahead."""

    lost: ClassVar[str] = FILES
    """What could not be kept, as the next start says it, if `wait` says so."""

    _actions: Mapping[str, QAction] = MappingProxyType({})

    def actions(self) -> dict[str, Intent]:
        """What it does, by the names in the table of actions."""
        return {}

    def join(self, actions: Mapping[str, QAction]) -> None:
        """The actions of all features are made."""
        self._actions = actions
        self.joined()

    def joined(self) -> None:
        """Whoever switches or greys actions has all of them now, in `_actions`."""

    def restore(self, settings: Settings) -> None:
        """Everything as it was left."""

    def kept(self, settings: Settings) -> Settings:
        """The settings with what it has to keep for the next start."""
        return settings

    @Slot()
    def forget_all(self) -> None:
        """Every session and run is deleted for good: nothing of them can be brought back."""

    def close(self) -> None:
        """The window goes: what still goes on is let go, and nothing is waited for. The shell calls its tasks off."""

    def wait(self, until: float) -> bool:
        """After `close`: whether everything that it was writing is written by this moment (see `app.leaving`)."""
        return True
