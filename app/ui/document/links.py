"""Addresses that a model wrote: which of them may be opened at all, and how they are shown before."""

from PySide6.QtCore import QUrl

OPENED_BY_CLICK = ("http", "https", "mailto")


def can_be_opened(address: str) -> bool:
    """Return whether an address can be opened; those of the page's own buttons can't."""
    return QUrl(address).scheme() in OPENED_BY_CLICK


def shown_address(url: QUrl) -> str:
    """As it is sent: nothing in it turns the direction of the text, has no ink, or looks like another letter."""
    return url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
