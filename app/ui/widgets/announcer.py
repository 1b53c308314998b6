"""Says to a screen reader what the eye would notice by itself; where none is listening, nothing is made."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


class Announcer:
    """Speaks for one widget."""

    def __init__(self, speaker: QWidget) -> None:
        self._speaker = speaker

    @property
    def heard(self) -> bool:
        """Whether anybody is listening."""
        return bool(QAccessible.isActive())

    def say(self, words: str, urgent: bool = False) -> None:
        """Have this said after what is being said; what is `urgent` comes at once."""
        if words and self.heard:
            event = QAccessibleAnnouncementEvent(self._speaker, words)
            politeness = QAccessible.AnnouncementPoliteness
            event.setPoliteness(politeness.Assertive if urgent else politeness.Polite)
            QAccessible.updateAccessibility(event)
