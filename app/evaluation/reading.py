"""Reader of prompt sets in files and folders, within limits: the files are untrusted."""

import codecs
import hashlib
import importlib.util
import io
import json
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from app.engine.types import Failure, Message, Role
from app.evaluation.templates import MESSAGES, suggested, turns_of
from app.evaluation.types import EXPECTED, PROMPT, SYSTEM, Check, CheckKind, PromptSet
from app.files import json_reader, regular_files
from app.files.json_reader import InvalidJsonError, Json, JsonLimits
from app.files.json_values import clean
from app.i18n import tr
from app.records import session_file
from app.records.types import WholeSession

LARGEST_BYTES = 64_000_000
LARGEST_SET = 128_000_000
"""Bytes in memory."""
LARGEST_CELL = 1_000_000
"""Characters."""
MOST_ROWS = 100_000
MOST_COLUMNS = 200
LONGEST_NAME = 100
TABLES, LISTS, LINES = (".csv", ".tsv"), (".json", ".jsonl", ".ndjson"), (".txt", ".md")
PARQUET = ".parquet"
DATA_SUFFIXES = (*TABLES, *LISTS, PARQUET)
SUFFIXES = (*DATA_SUFFIXES, *LINES, session_file.SUFFIX)
PARQUET_ROWS = 64
"""The most rows that are decoded together."""
LARGEST_BATCH = 256_000_000
"""The most bytes of these rows, if each were as large as its whole row group."""
BOUNDS = JsonLimits(LARGEST_BYTES, most=4_000_000)
MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
PIECE = 1 << 16
FILE = "file"
MMLU_COLUMNS = ("question", "A", "B", "C", "D", "answer")
"""The columns of MMLU's CSV files, which have no header."""

Row = Mapping[str, str]


class _Cells:
    """The cells read so far; raises InvalidJsonError beyond the limits."""

    def __init__(self) -> None:
        self.columns: dict[str, int] = {}
        self.rows: list[tuple[str, ...]] = []
        self.notes: list[str] = []
        self._size = 0

    def add(self, row: Row) -> None:
        """Add a row; a new column is empty in the rows before."""
        number = f"{len(self.rows) + 1:,}"
        if len(self.rows) == MOST_ROWS:
            raise InvalidJsonError(tr("it has more than {count} rows").format(count=f"{MOST_ROWS:,}"))
        for name in row:
            self._name(name)
        cells = tuple(map(clean, map(row.get, self.columns, [""] * len(self.columns))))
        if any(len(cell) > LARGEST_CELL for cell in cells):
            raise InvalidJsonError(tr("row {row} has a text of more than a million characters").format(row=number))
        if MESSAGES in row and turns_of(row[MESSAGES]) is None:
            raise InvalidJsonError(tr("row {row} has no list of turns in its column “messages”").format(row=number))
        if any("\0" in cell for cell in cells):
            raise InvalidJsonError(tr("row {row} has a NUL byte").format(row=number))
        self._size += sys.getsizeof(cells) + sum(sys.getsizeof(cell) for cell in cells if cell)
        if self._size > LARGEST_SET:
            raise InvalidJsonError(tr("it is too large"))
        self.rows.append(cells)

    def whole(self, title: str) -> PromptSet:
        if not self.rows or not self.columns:
            raise InvalidJsonError(tr("it has no rows"))
        columns, empty = tuple(self.columns), [""] * len(self.columns)
        rows = [row + tuple(empty[len(row) :]) for row in self.rows]
        return PromptSet(title, columns, rows, suggested(columns), digest_of(columns, rows), tuple(self.notes))

    def _name(self, name: str) -> None:
        if name in self.columns:
            return
        if len(self.columns) == MOST_COLUMNS:
            raise InvalidJsonError(tr("it has more than {count} columns").format(count=MOST_COLUMNS))
        if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or not {*"{}"}.isdisjoint(name):
            words = tr("“{name}” can't be a column name: it is empty, too long, or has braces or invisible characters")
            raise InvalidJsonError(words.format(name="".join(filter(str.isprintable, name[:40]))))
        self.columns[name] = len(self.columns)


def open_set(path: Path, title: str = "") -> PromptSet | Failure:
    """Read a prompt set; return the reason if that fails. Slow: don't call it on the UI thread."""
    cells = _Cells()
    try:
        rows = _rows(path, cells.notes)
        if isinstance(rows, Failure):
            return rows
        for row in rows:
            cells.add(row)
        return cells.whole(title or clean(path.stem))
    except (OSError, ValueError) as error:
        what = tr("{file} can't be opened: {reason}.").format(file=path.name, reason=_reason(error))
        return Failure(what, tr("Change the file, or open another one."), kind="file")


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return tr("it is neither UTF-8 nor UTF-16 text")
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _rows(path: Path, notes: list[str]) -> Iterator[Row] | Failure:
    if path.is_dir():
        return _folder(path, notes)
    suffix = path.suffix.lower()
    if suffix == session_file.SUFFIX:
        return _session(path)
    if suffix in TABLES:
        return _table(_text(path), "\t" if suffix == ".tsv" else "")
    if suffix == ".json":
        return _list_rows(json_reader.read(io.BytesIO(_text(path).encode()), BOUNDS))
    if suffix in LISTS:
        return _list_rows(json_reader.parse(line) for line in io.StringIO(_text(path)) if line.strip())
    if suffix == PARQUET:
        return why_no_parquet() or _list_rows(_parquet(path))
    if suffix in LINES:
        return ({PROMPT: line.strip()} for line in io.StringIO(_text(path), newline=None) if line.strip())
    known = ", ".join(SUFFIXES)
    raise InvalidJsonError(tr("a prompt set is a folder of texts or one of these files: {known}").format(known=known))


def _text(path: Path) -> str:
    """Decode the bytes in pieces, so that other threads can run in between."""
    content = regular_files.read(path, LARGEST_BYTES)
    mark, encoding = next((each for each in MARKS if content.startswith(each[0])), (b"", "utf-8"))
    decoder = codecs.getincrementaldecoder(encoding)()
    starts = range(len(mark), len(content), PIECE)
    text = "".join(decoder.decode(content[at : at + PIECE], at + PIECE >= len(content)) for at in starts)
    if "\0" in text:
        raise InvalidJsonError(tr("it isn't text: it has NUL bytes"))
    return text


def _table(text: str, delimiter: str) -> Iterator[Row]:
    """Pad short rows; refuse rows longer than the header, which may contain an unquoted delimiter."""
    sign = delimiter or delimiter_of(text)
    found = records(text, sign, MOST_COLUMNS)
    first = next(found, [])
    letters, cells = MMLU_COLUMNS[1:-1], [cell.strip() for cell in first]
    is_header = {*letters} <= {*cells}
    if len(cells) == len(MMLU_COLUMNS) and cells[-1] in letters and not is_header:
        found, first = chain([first], found), list(MMLU_COLUMNS)
    names = [name.strip() for name in first]
    while names and not names[-1]:
        names.pop()
    if len({*names}) < len(names):
        raise InvalidJsonError(tr("two columns have the same name"))
    for number, record in enumerate(found, 1):
        if any(record[len(names) :]):
            words = tr("row {row} has more cells than the header (a text with “{sign}” in it needs quotation marks)")
            raise InvalidJsonError(words.format(row=f"{number:,}", sign=sign))
        yield dict.fromkeys(names, "") | dict(zip(names, record, strict=False))


def why_no_parquet() -> Failure | None:
    """Return how to install pyarrow, which reads Parquet; None if it is installed."""
    if importlib.util.find_spec("pyarrow") is not None:
        return None
    what = tr("A Parquet file needs the Python package pyarrow.")
    if hasattr(sys, "_MEIPASS"):  # nothing can be installed into the bundle
        return Failure(what, tr("Use a JSONL or CSV version of the file."), kind="parquet")
    pip = [sys.executable, "-m", "pip", "install"]
    if importlib.util.find_spec("pip") is None:
        pip = ["uv", "pip", "install", "--python", sys.executable]
    command = shlex.join([*pip, "pyarrow"])
    return Failure(what, tr("Install it: {command}").format(command=command), kind="parquet")


def _parquet(path: Path) -> Iterator[Json]:
    import pyarrow
    from pyarrow import parquet

    with regular_files.open_regular(path, LARGEST_BYTES) as file:
        try:
            table = parquet.ParquetFile(file)
            found = table.metadata
            if found.num_rows > MOST_ROWS:
                raise InvalidJsonError(tr("it has more than {count} rows").format(count=f"{MOST_ROWS:,}"))
            sizes = [found.row_group(at).total_byte_size for at in range(found.num_row_groups)]
            if sum(sizes) > LARGEST_SET:
                raise InvalidJsonError(tr("it is too large"))
            fitting = LARGEST_BATCH // max([1, *sizes])
            for batch in table.iter_batches(max(1, min(PARQUET_ROWS, fitting))):
                yield from batch.to_pylist()
        except (pyarrow.ArrowException, OverflowError) as error:  # dates may be outside Python's range
            raise InvalidJsonError(tr("it isn't a valid Parquet file")) from error


def _list_rows(items: Json) -> Iterator[Row]:
    if isinstance(items, str | Mapping) or not isinstance(items, Iterable):
        raise InvalidJsonError(tr("it isn't a list of rows"))
    for number, item in enumerate(items, 1):
        item = {PROMPT: item} if isinstance(item, str) else item
        if not isinstance(item, dict):
            raise InvalidJsonError(tr("row {row} is neither an object nor a text").format(row=f"{number:,}"))
        if len(item) > MOST_COLUMNS:
            raise InvalidJsonError(tr("it has more than {count} columns").format(count=MOST_COLUMNS))
        row = {name.strip(): _cell(value) for name, value in item.items()}
        yield _conversation(row) if MESSAGES in row and PROMPT not in row else row


def _cell(value: Json) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool | int | float | list | dict):
        return json.dumps(value, ensure_ascii=False, default=_plain_value)
    return _plain_value(value)


def _plain_value(value: object) -> str:
    """Return a text for a value that only Parquet has, such as a date; empty for bytes, such as a picture."""
    return "" if isinstance(value, bytes) else str(value)


def _conversation(row: Row) -> Row:
    """Convert a conversation to a row: its last question is the prompt."""
    turns = list(turns_of(row[MESSAGES]) or ())
    answer = turns.pop().text if turns and turns[-1].role is Role.ASSISTANT else ""
    if not turns or turns[-1].role is not Role.USER:
        return row
    prompt = turns.pop().text
    system = turns.pop(0).text if turns and turns[0].role is Role.SYSTEM else ""
    return {SYSTEM: system, MESSAGES: turns_json(turns), PROMPT: prompt, EXPECTED: answer} | {
        name: value for name, value in row.items() if name != MESSAGES
    }


def turns_json(turns: Sequence[Message]) -> str:
    data: list[dict[str, Any]] = [{"role": turn.role.value, "text": turn.text} for turn in turns]
    return json.dumps(data, ensure_ascii=False) if data else ""


def _folder(path: Path, notes: list[str]) -> Iterator[Row]:
    """Yield each text file of a folder, sorted by name; skip other files and folders."""
    found = list(islice(path.iterdir(), 2 * MOST_ROWS))
    files = sorted(each for each in found if each.suffix.lower() in LINES and not each.name.startswith("."))
    for file in files:
        try:
            yield {FILE: clean(file.name), PROMPT: _text(file)}
        except (OSError, UnicodeError) as error:
            raise InvalidJsonError(f"{file.name}: {_reason(error)}") from None
    if left := len(found) - len(files):
        notes.append(
            tr("%n files were skipped: they aren't text files.", "%n file was skipped: it isn't a text file.", left)
        )


def _session(path: Path) -> Iterator[Row] | Failure:
    with regular_files.open_regular(path, LARGEST_BYTES) as file:
        session = session_file.read_session(file, path.name)
    return session if isinstance(session, Failure) else _questions(session)


def _questions(session: WholeSession) -> Iterator[Row]:
    """Yield each question of a session's main branch, with the earlier turns and its answer."""
    turns = [Message(turn.role, turn.text) for turn in session.turns if not turn.hidden]
    for at, turn in enumerate(turns):
        if turn.role is Role.USER:
            answered = at + 1 < len(turns) and turns[at + 1].role is Role.ASSISTANT
            expected = turns[at + 1].text if answered else ""
            row = {SYSTEM: session.settings.system, MESSAGES: turns_json(turns[:at]), PROMPT: turn.text}
            yield row | {EXPECTED: expected}


def digest_of(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    found = hashlib.sha256()
    for row in (columns, *rows):
        found.update(json.dumps(row, ensure_ascii=False).encode())
    return found.hexdigest()


class IncludedPromptSet(NamedTuple):
    """An included prompt set. `file`: the file name without the suffix."""

    file: str
    title: str
    description: str
    check: Check


SHIPPED = (
    IncludedPromptSet("sums", tr("Sums"), tr("Add two numbers up to 20"), Check(CheckKind.NUMBER)),
    IncludedPromptSet("counting", tr("Counting"), tr("Count from one number to another"), Check(CheckKind.EQUAL)),
    IncludedPromptSet("copying", tr("Copying"), tr("Repeat the given words"), Check(CheckKind.EQUAL)),
    IncludedPromptSet(
        "names", tr("Names from earlier turns"), tr("Recall a name from an earlier turn"), Check(CheckKind.CONTAINS)
    ),
)


def shipped_set(one: IncludedPromptSet, resources: Path) -> tuple[PromptSet, Check] | Failure:
    """Read an included prompt set, with its check. `resources`: the program's resources folder."""
    found = open_set(resources / "sets" / f"{one.file}.jsonl", one.title)
    return found if isinstance(found, Failure) else (found, one.check)


SIGNS = (",", ";", "\t")


def delimiter_of(text: str) -> str:
    """Return the most frequent delimiter of the first line."""
    line = re.sub(r'"[^"]*"', "", text[: min(len(text), 1 << 16)].partition("\n")[0])
    return max(SIGNS, key=line.count)


def records(text: str, sign: str, most: int) -> Iterator[list[str]]:
    """Yield the cells of each row. An unclosed quote is text. Raise InvalidJsonError for more than `most` cells."""
    cells = re.compile(rf'(?:"((?:[^"]++|"")*+)"|([^{sign}\r\n]*+))({sign}|\r\n|\r|\n|\Z)')
    row: list[str] = []
    at = 0
    while at < len(text):
        found = cells.match(text, at)
        assert found is not None
        quoted, plain, end = found.groups()
        row.append(plain if quoted is None else quoted.replace('""', '"'))
        if len(row) > most:
            raise InvalidJsonError(tr("it has more than {count} columns").format(count=most))
        at = found.end()
        if end != sign:
            if any(row):
                yield row
            row = []
    if any(row):
        yield row
