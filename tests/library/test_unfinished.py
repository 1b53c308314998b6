"""The list of unfinished downloads outlives the program, and never names anything but checksums."""

from pathlib import Path

import pytest

from app.library.types import HubFile
from app.library.unfinished import FILE, Unfinished, load, save

ONE, TWO = HubFile("model.safetensors", 5, "a" * 64), HubFile("config.json", 3, "b" * 40)


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    kept = [Unfinished("a/b", (ONE, TWO), (ONE,)), Unfinished("c/d")]
    save(tmp_path / "data", kept)
    assert load(tmp_path / "data") == kept


def test_what_an_earlier_commit_brought_stays_ours_to_clean_up() -> None:
    record = Unfinished("a/b").planned((ONE,), [ONE]).planned((TWO,), [TWO])
    assert record.files == (TWO,)
    assert set(record.ours) == {ONE, TWO}


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[1]", '[{"model_id": "a/b"}]', '[{"model_id": "a", "files": [], "ours": [{"name": "", "size": 1, '
     '"checksum": "../../../evil"}]}]', pytest.param("[" * 100_000, id="deep"),
     '[{"files": [{"name": "", "size": Infinity}]}]'],
)  # fmt: skip
def test_a_broken_list_is_an_empty_one(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    assert load(tmp_path) == []
