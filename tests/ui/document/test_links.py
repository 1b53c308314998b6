"""Links written by a model."""

import pytest
from PySide6.QtCore import QUrl

from app.ui.document.markdown_writer import can_be_opened, shown_address


@pytest.mark.parametrize(
    ("address", "may"),
    [
        ("https://example.org/a", True),
        ("mailto:a@example.org", True),
        ("javascript:alert(1)", False),
        ("file:///etc/passwd", False),
        ("branch:1/1", False),
        ("", False),
    ],
)
def test_can_be_opened_is_true_for_web_and_mail(address: str, may: bool) -> None:
    assert can_be_opened(address) is may


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        ("https://example.org/\u202egnp.exe", "https://example.org/%E2%80%AEgnp.exe"),
        ("https://ex\u0430mple.org/", "https://xn--exmple-4nf.org/"),
    ],
)
def test_shown_address_is_encoded(address: str, shown: str) -> None:
    assert shown_address(QUrl(address)) == shown
