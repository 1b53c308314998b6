"""The base class of the window's features, and the interface through which they access the unsent text."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from app.actions import Intent
from app.files.settings import Settings


class Feature(QObject):
    """A part of the window with its actions and settings. The shell creates all of them."""

    changed = Signal()
    """The settings have to be saved at once, in case of a crash."""

    ahead: ClassVar[tuple[str, ...]] = ()
    """Modules imported when first needed, or earlier when the program is idle."""

    _actions: Mapping[str, QAction] = MappingProxyType({})

    def actions(self) -> dict[str, Intent]:
        """Return the handlers of the feature's actions, by action name."""
        return {}

    def set_actions(self, actions: Mapping[str, QAction]) -> None:
        """Receive the actions of all features."""
        self._actions = actions
        self.connect_actions()

    def connect_actions(self) -> None:
        """Connect the actions, once all are in `_actions`."""

    def restore(self, settings: Settings) -> None:
        """Restore the state from the settings."""

    def updated_settings(self, settings: Settings) -> Settings:
        """Return the settings with the values that this feature saves."""
        return settings

    def forget_all(self) -> None:
        """Forget everything about sessions and runs, which were deleted for good."""

    def close(self) -> None:
        """Ask running work to stop, without waiting, since the window closes.

        The shell cancels the tasks, and waits for their writes with `Tasks.complete`.
        """

    def discard(self) -> None:
        """Delete temporary files of the engine, after it has stopped or doesn't answer."""


class TypedText(Protocol):
    """The text of the next prompt, or of an earlier turn that is being edited."""

    @property
    def unsent(self) -> str:
        """All unsent text, including the edit of an earlier turn."""

    @property
    def page_is_touched(self) -> bool:
        """Whether the Raw page has unsent text."""

    def text(self) -> str: ...

    def set_text(self, text: str) -> None: ...

    def end_editing(self) -> None:
        """Stop editing; the edited text will be a turn of its own."""

    def forget(self) -> None:
        """Delete the unsent text of both modes."""

    def setFocus(self) -> None: ...
