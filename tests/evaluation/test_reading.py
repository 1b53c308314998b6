"""Files and folders become tables of texts; hostile content is refused in a sentence, or stays text."""

import csv
import io
import json
import os
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.controls import Controls
from app.engine.types import Failure, Role
from app.evaluation import reading
from app.evaluation.reading import SIGNS, delimiter_of, open_set, records
from app.evaluation.templates import turns_of
from app.evaluation.types import PromptSet
from app.files.json_reader import InvalidJsonError
from app.records.session_file import session_text
from app.records.types import WholeSession, WholeTurn


def opened(folder: Path, name: str, content: str | bytes) -> PromptSet:
    found = open_set(written(folder, name, content))
    assert isinstance(found, PromptSet), found
    return found


def refused(folder: Path, name: str, content: str | bytes) -> str:
    found = open_set(written(folder, name, content))
    assert isinstance(found, Failure), found
    return found.what


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


QUOTED = 'prompt{0}expected\r\n"a{0} ""b""\r\nc"{0}2\r\n\r\nshort\r\n"open{0}4\r\n'


@pytest.mark.parametrize(("name", "sign"), [("a.csv", ","), ("a.csv", ";"), ("a.csv", "\t"), ("a.tsv", "\t")])
def test_csv_set_with_quoted_cells_and_short_rows_is_read(tmp_path: Path, name: str, sign: str) -> None:
    found = opened(tmp_path, name, QUOTED.format(sign))
    assert found.columns == ("prompt", "expected")
    assert list(found.rows) == [(f'a{sign} "b"\r\nc', "2"), ("short", ""), ('"open', "4")]
    assert (found.title, found.template.prompt, found.template.expected) == ("a", "{prompt}", "{expected}")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_csv_set_in_each_encoding_is_read(tmp_path: Path, encoding: str) -> None:
    assert list(opened(tmp_path, "a.csv", "prompt\nhé 🙂\n".encode(encoding)).rows) == [("hé 🙂",)]


def test_csv_set_with_a_formula_is_read_as_text(tmp_path: Path) -> None:
    assert opened(tmp_path, "a.csv", "prompt\n=cmd|'/C calc'!A0\n").rows[0] == ("=cmd|'/C calc'!A0",)


LISTED = [{"prompt": "a", "expected": 3, "choices": ["x", "y"]}, {"prompt": "b", "more": None}, "just text"]


@pytest.mark.parametrize(
    ("name", "content"), [("a.json", json.dumps(LISTED)), ("a.jsonl", "\n\n".join(map(json.dumps, LISTED)))]
)
def test_json_set_of_objects_and_texts_has_a_row_for_each(tmp_path: Path, name: str, content: str) -> None:
    found = opened(tmp_path, name, content)
    assert found.columns == ("prompt", "expected", "choices", "more")
    assert list(found.rows) == [("a", "3", '["x", "y"]', ""), ("b", "", "", ""), ("just text", "", "", "")]


def test_json_set_with_messages_asks_the_last_question(tmp_path: Path) -> None:
    roles = ("system", "user", "assistant", "user", "assistant")
    messages = [{"role": role, "content": f"{role} {at}"} for at, role in enumerate(roles)]
    found = opened(tmp_path, "a.jsonl", json.dumps({"id": 1, "messages": messages})).values(0)
    before = turns_of(found["messages"])
    assert before is not None
    assert [turn.text for turn in before] == ["user 1", "assistant 2"]
    assert (found["system"], found["prompt"], found["expected"]) == ("system 0", "user 3", "assistant 4")
    assert found["id"] == "1"


def test_text_set_has_a_prompt_for_each_line(tmp_path: Path) -> None:
    assert list(opened(tmp_path, "a.txt", "one\r\n\r\n  two\nthree").rows) == [("one",), ("two",), ("three",)]


def test_folder_set_has_its_text_files_sorted_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, content in (("b.txt", "B"), ("a.md", "A\nA"), ("c.png", "z"), (".d.txt", "hidden")):
        written(folder, name, content)
    found = open_set(folder)
    assert isinstance(found, PromptSet)
    assert (found.columns, list(found.rows)) == (("file", "prompt"), [("a.md", "A\nA"), ("b.txt", "B")])
    assert found.notes == ("2 files were skipped: they aren't text files.",)
    written(folder, "e.txt", b"\xff")
    assert "e.txt: it is neither UTF-8 nor UTF-16 text" in str(open_set(folder))


def test_session_set_has_each_question_with_the_turns_before_it(tmp_path: Path) -> None:
    said = [
        (Role.USER, "I am Mira.", False),
        (Role.ASSISTANT, "Hi!", False),
        (Role.USER, "Old?", True),
        (Role.USER, "Who?", False),
    ]
    turns = tuple(WholeTurn(role, text, "", (), hidden) for role, text, hidden in said)
    whole = WholeSession("t", False, False, 1.0, 1.0, replace(Controls(), system="Short."), "", turns)
    found = opened(tmp_path, "a.sluice", session_text(whole))
    assert [(row[0], row[2], row[3]) for row in found.rows] == [("Short.", "I am Mira.", "Hi!"), ("Short.", "Who?", "")]
    assert found.rows[0][1] == ""
    assert json.loads(found.rows[1][1]) == [
        {"role": "user", "text": "I am Mira."},
        {"role": "assistant", "text": "Hi!"},
    ]
    assert open_set(written(tmp_path, "b.sluice", "{}")) == Failure(
        "b.sluice can't be opened: it is not a sluice session.", "Export it again, or open another file.", kind="file"
    )


def test_set_digest_of_the_same_content_is_the_same(tmp_path: Path) -> None:
    one, same = opened(tmp_path, "a.csv", "prompt,b\n1,2\n"), opened(tmp_path, "b.jsonl", '{"prompt": 1, "b": 2}')
    assert one.digest == same.digest != opened(tmp_path, "c.csv", "prompt,b\n12,\n").digest


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.csv", "a,b\n1,2,3\n", "row 1 has more cells than the header"),
        ("a.csv", "a,a\n1,2\n", "two columns have the same name"),
        ("a.csv", "a{b\n1\n", "can't be a column name"),
        ("a.csv", "a,,c\n1,2,3\n", "can't be a column name"),
        ("a.csv", "a\nx\0y\n", "NUL"),
        ("a.csv", "", "it has no rows"),
        ("a.json", "[{}]", "it has no rows"),
        ("a.csv", "," * 1_000_000, "more than 200 columns"),
        ("a.csv", 'a\n"' + "x" * 1_000_001 + '"', "row 1 has a text of more than a million characters"),
        pytest.param("a.csv", "a\n" + "x\n" * 100_001, "more than 100,000 rows", marks=pytest.mark.slow),
        ("a.csv", b"a\nh\xe9", "neither UTF-8 nor UTF-16"),
        ("a.csv", "a\nx".encode("utf-16-le"), "NUL"),
        ("a.json", '{"a": [1]}', "isn't a list of rows"),
        ("a.json", "[3]", "row 1 is neither an object nor a text"),
        ("a.json", "[" * 100_000, "nested too deeply"),
        pytest.param(
            "a.json", "[" + ",".join(["1"] * 4_000_001) + "]", "it has too many values", marks=pytest.mark.slow
        ),
        ("a.json", "[{" + ",".join(f'"{at}":1' for at in range(201)) + "}]", "more than 200 columns"),
        ("a.jsonl", '{"a": ' + "9" * 5_000 + "}", "a number is too long"),
        ("a.jsonl", '{"a": "x\\u0000"}', "row 1 has a NUL"),
        ("a.jsonl", '{"prompt": "x"}\n{"prompt": "x", "messages": 5}', "row 2 has no list of turns"),
        ("a.exe", "x", "a folder of texts or one of these files: .csv"),
    ],
)
def test_open_set_of_an_invalid_file_is_refused_with_the_reason(
    tmp_path: Path, name: str, content: str | bytes, why: str
) -> None:
    assert why in refused(tmp_path, name, content)


def test_json_set_with_an_unpaired_surrogate_has_a_replacement_character(tmp_path: Path) -> None:
    assert opened(tmp_path, "a.jsonl", '{"a": "\\ud800 x"}').rows[0] == ("� x",)


def test_open_set_of_a_pipe_or_a_link_loop_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "loop.csv").symlink_to(tmp_path / "loop.csv")
    assert "it is not a regular file" in str(open_set(tmp_path / "pipe.csv"))
    assert isinstance(open_set(tmp_path / "loop.csv"), Failure)
    assert isinstance(open_set(tmp_path / "absent.csv"), Failure)


def test_open_set_above_the_size_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST_SET", 20_000)
    assert len(opened(tmp_path, "a.csv", "a\n" + "x\n" * 100).rows) == 100
    assert "it is too large" in refused(tmp_path, "a.csv", "a\n" + "x\n" * 1_000)


PIECES = st.sampled_from([*'",;\t\r\n{}[]:\\ a1é', "\0", "\ufeff", '"prompt"', '"messages"', "null", "\\ud800", "="])


@given(name=st.sampled_from(reading.SUFFIXES), content=st.one_of(st.binary(), st.lists(PIECES).map("".join)))
def test_open_set_of_any_content_returns_a_set_or_a_failure(
    tmp_path_factory: pytest.TempPathFactory, name: str, content: bytes | str
) -> None:
    found = open_set(written(tmp_path_factory.getbasetemp(), f"any{name}", content))
    assert isinstance(found, Failure) or {len(row) for row in found.rows} == {len(found.columns)}


CELLS = st.text(st.sampled_from('ab",;\t\r\n é|'), max_size=8)


@pytest.mark.slow
@given(rows=st.lists(st.lists(CELLS, min_size=1, max_size=4)), sign=st.sampled_from(SIGNS))
def test_csv_records_of_written_rows_are_the_same_rows(rows: list[list[str]], sign: str) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=sign).writerows(rows)
    assert [_filled(each) for each in records(text.getvalue(), sign, 4)] == [_filled(row) for row in rows if any(row)]


def _filled(row: list[str]) -> list[str]:
    """An empty cell at the end of a file has no sign of its own."""
    return row + [""] * (4 - len(row))


def test_csv_records_with_too_many_cells_raise() -> None:
    with pytest.raises(InvalidJsonError):
        next(records("," * 10_000_000, ",", 200))


@pytest.mark.parametrize(
    ("line", "sign"), [("a,b;c,d", ","), ('"a,b,c";d', ";"), ("a\tb\n1,2,3", "\t"), ("alone", ",")]
)
def test_delimiter_of_a_first_line_is_its_most_frequent_unquoted_one(line: str, sign: str) -> None:
    assert delimiter_of(line) == sign


def test_parquet_without_pyarrow_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    found = open_set(tmp_path / "rows.parquet")
    assert isinstance(found, Failure)
    assert "pyarrow" in found.what and f"uv pip install --python {sys.executable} pyarrow" in found.todo


def test_parquet_has_lists_numbers_and_dates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed; Parquet is optional")
    from pyarrow import parquet

    file = tmp_path / "rows.parquet"
    rows = [{"q": "é", "c": {"text": ["a", "b"]}, "n": at, "d": date(2026, 1, 2), "x": b"\0"} for at in range(200)]
    parquet.write_table(pyarrow.Table.from_pylist(rows), file)
    found = open_set(file)
    assert isinstance(found, PromptSet) and len(found.rows) == 200
    assert found.values(199) == {"q": "é", "c": '{"text": ["a", "b"]}', "n": "199", "d": "2026-01-02", "x": ""}
    decode, batches = parquet.ParquetFile.iter_batches, list[int]()

    def count(table: object, size: int) -> object:
        batches.append(size)
        return decode(table, size)

    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", count)
    monkeypatch.setattr(
        "app.evaluation.reading.LARGEST_BATCH", 3 * parquet.read_metadata(file).row_group(0).total_byte_size
    )
    assert open_set(file) == found and batches == [3], "each row may have the largest value"
    file.write_bytes(file.read_bytes()[:-50])
    broken = open_set(file)
    assert isinstance(broken, Failure) and "valid Parquet" in broken.what


def test_parquet_too_large_after_decompression_is_refused_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed; Parquet is optional")
    from pyarrow import parquet

    parquet.write_table(
        pyarrow.table({"q": ["a" * 1_000] * 200}), file := tmp_path / "rows.parquet", use_dictionary=False
    )
    monkeypatch.setattr("app.evaluation.reading.LARGEST_SET", 100_000)
    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", None)
    found = open_set(file)
    assert isinstance(found, Failure) and "it is too large" in found.what
