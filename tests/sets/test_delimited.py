"""What Python's own writer of such tables writes is read as it was."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.json_reader import UnfitError
from app.sets.delimited import SIGNS, delimiter_of, records

CELLS = st.text(st.sampled_from('ab",;\t\r\n é|'), max_size=8)


@given(rows=st.lists(st.lists(CELLS, min_size=1, max_size=4)), sign=st.sampled_from(SIGNS))
def test_what_is_written_is_read(rows: list[list[str]], sign: str) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=sign).writerows(rows)
    assert [_filled(each) for each in records(text.getvalue(), sign, 4)] == [_filled(row) for row in rows if any(row)]


def _filled(row: list[str]) -> list[str]:
    """An empty cell at the end of a file has no sign of its own."""
    return row + [""] * (4 - len(row))


def test_a_row_of_too_many_cells_is_left_at_once() -> None:
    with pytest.raises(UnfitError):
        next(records("," * 10_000_000, ",", 200))


@pytest.mark.parametrize(
    ("line", "sign"), [("a,b;c,d", ","), ('"a,b,c";d', ";"), ("a\tb\n1,2,3", "\t"), ("alone", ",")]
)
def test_the_first_line_tells_the_sign(line: str, sign: str) -> None:
    assert delimiter_of(line) == sign
