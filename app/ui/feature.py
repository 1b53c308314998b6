"""What the shell asks of every feature: its actions, what it had at the last start, what it keeps, how it leaves."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from app.actions import Intent
from app.files.settings import Settings


class Feature(QObject):
    """One room of the window. The shell makes all of them in one list, and asks each of them in turn."""

    changed = Signal()
    """Something that the user made or set is to be kept at once: a crash must not take it."""

    ahead: ClassVar[tuple[str, ...]] = ()
    """The modules that it imports when they are first wanted: while nothing else goes on, that is done ahead."""

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
        """The window closes. Ask whatever still runs to stop, and wait for nothing.

        The shell cancels the tasks, and waits for what they write with `Tasks.kept`.
        """

    def discard(self) -> None:
        """After `close`, when the engine has stopped or does not answer: delete temporary files that it used."""
