"""Links written by a model: which may be opened, and how their addresses are displayed."""

from PySide6.QtCore import QUrl

OPENED_BY_CLICK = ("http", "https", "mailto")


def can_be_opened(address: str) -> bool:
    """Return whether the browser or mail program may open an address. Internal links of the page can't be opened."""
    return QUrl(address).scheme() in OPENED_BY_CLICK


def shown_address(url: QUrl) -> str:
    """Return the percent-encoded address, so that it contains no invisible, bidirectional or look-alike characters."""
    return url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
