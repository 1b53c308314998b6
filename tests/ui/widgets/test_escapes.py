"""Stop strings survive being shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.widgets.escapes import read_lines, written_lines


@pytest.mark.parametrize(
    ("text", "strings"),
    [
        ("", ()),
        ("a\n\nb", ("a", "b")),
        ("\\n\\n\nEND", ("\n\n", "END")),
        ("\\\\n", ("\\n",)),
        ("a\\", ("a\\",)),
        (" \\t", (" \t",)),
    ],
)
def test_read(text: str, strings: tuple[str, ...]) -> None:
    assert read_lines(text) == strings


@given(st.lists(st.text(alphabet="a\\ntr \n\t\r한", min_size=1)))
def test_what_is_written_is_read_back(strings: list[str]) -> None:
    assert read_lines(written_lines(tuple(strings))) == tuple(strings)
