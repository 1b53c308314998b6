"""Object names, accessible names and tooltips of widgets, and announcements for screen readers."""

from html import escape
from typing import TypeVar

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFont, Qt
from PySide6.QtWidgets import QWidget

Named = TypeVar("Named", bound=QWidget)


def named(
    widget: Named, name: str, spoken: str = "", tip: str = "", *, description: str = "", font: QFont | None = None
) -> Named:
    """Set the names of a widget: `spoken` is its accessible name, `description` its accessible description."""
    if name:
        widget.setObjectName(name)
    if spoken:
        widget.setAccessibleName(spoken)
    if tip:
        widget.setToolTip(tip)
    if description:
        widget.setAccessibleDescription(description)
    if font is not None:
        widget.setFont(font)
    return widget


def as_caption(text: str) -> str:
    """Escape a text for a button or an action, where & would mark a mnemonic."""
    return text.replace("&", "&&")


def as_tip(text: str) -> str:
    """Return a tooltip that Qt doesn't interpret as markup."""
    if not Qt.mightBeRichText(text):
        return text
    return f'<span style="white-space:pre-wrap">{escape(text)}</span>'


class Announcer:
    """Announces texts on behalf of one widget."""

    def __init__(self, speaker: QWidget) -> None:
        self._speaker = speaker

    @property
    def is_active(self) -> bool:
        return bool(QAccessible.isActive())

    def say(self, words: str, urgent: bool = False) -> None:
        """Announce a text after the current announcement; an `urgent` one interrupts it."""
        if words and self.is_active:
            event = QAccessibleAnnouncementEvent(self._speaker, words)
            politeness = QAccessible.AnnouncementPoliteness
            event.setPoliteness(politeness.Assertive if urgent else politeness.Polite)
            QAccessible.updateAccessibility(event)
