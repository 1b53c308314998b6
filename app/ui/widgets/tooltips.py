"""A tooltip with somebody else's words in it: Qt takes for markup whatever looks like it, and it is none."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt


def as_tip(text: str) -> str:
    """The words as they are, whatever they look like."""
    if not Qt.mightBeRichText(text):
        return text
    return f'<span style="white-space:pre-wrap">{escape(text)}</span>'
