"""Announcements for screen readers. Nothing is computed while no screen reader is active."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


class Announcer:
    """Announces texts on behalf of one widget."""

    def __init__(self, speaker: QWidget) -> None:
        self._speaker = speaker

    @property
    def heard(self) -> bool:
        """Whether a screen reader is active."""
        return bool(QAccessible.isActive())

    def say(self, words: str, urgent: bool = False) -> None:
        """Announce a text after the current announcement; an `urgent` one interrupts it."""
        if words and self.heard:
            event = QAccessibleAnnouncementEvent(self._speaker, words)
            politeness = QAccessible.AnnouncementPoliteness
            event.setPoliteness(politeness.Assertive if urgent else politeness.Polite)
            QAccessible.updateAccessibility(event)
