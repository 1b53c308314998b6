"""Parser of delimited text with quoted cells, such as CSV files of spreadsheets.

Python's csv reader creates all cells of a line at once, which could be millions.
"""

import re
from collections.abc import Iterator

from app.files.json_reader import UnfitError
from app.i18n import tr

SIGNS = (",", ";", "\t")


def delimiter_of(text: str) -> str:
    """Return the most frequent delimiter of the first line."""
    line = re.sub(r'"[^"]*"', "", text[: min(len(text), 1 << 16)].partition("\n")[0])
    return max(SIGNS, key=line.count)


def records(text: str, sign: str, most: int) -> Iterator[list[str]]:
    """Yield the cells of each row. An unclosed quote is text. Raise UnfitError for more than `most` cells."""
    cells = re.compile(rf'(?:"((?:[^"]++|"")*+)"|([^{sign}\r\n]*+))({sign}|\r\n|\r|\n|\Z)')
    row: list[str] = []
    at = 0
    while at < len(text):
        found = cells.match(text, at)
        assert found is not None
        quoted, plain, end = found.groups()
        row.append(plain if quoted is None else quoted.replace('""', '"'))
        if len(row) > most:
            raise UnfitError(tr("it has more than {count} columns").format(count=most))
        at = found.end()
        if end != sign:
            if any(row):
                yield row
            row = []
    if any(row):
        yield row
