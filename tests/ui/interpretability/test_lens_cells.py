"""What a look found as lines of cells, in words and as CSV."""

import csv
import io

import pytest

from app.engine.types import LensResult
from app.ui.interpretability.lens_cells import csv_of, heat_map, ladder, proof, summarize
from tests.ui.interpretability.lens_positions import depth


def test_ladder_has_a_line_for_each_layer() -> None:
    grid = ladder(depth("dog", "fox"), 5)
    assert grid.heads == ("1.", "2.")
    assert [[cell.shown for cell in line] for line in grid.lines] == [
        ["dog  60 %", "cat  30 %"],
        ["fox  60 %", "cat  30 %"],
    ]
    assert [cell.is_sampled for cell in (*grid.lines[0], *grid.lines[1])] == [False, False, True, False]
    assert grid.lines[1][0].spoken == "Layer 1: “fox”, 60 %, sampled"
    assert {cell.place for line in grid.lines for cell in line} == {3}, "behind the token 7 stands the answer's fourth"


def test_heat_map_has_a_column_for_each_token() -> None:
    places = (depth("dog", "fox"), depth("ran", "sat", said="sat", position=8))
    grid = heat_map(places, 5)
    assert grid.heads == ("fox", "sat")
    assert [[cell.shown for cell in line] for line in grid.lines] == [["dog", "ran"], ["fox", "sat"]]
    assert grid.lines[0][1].spoken == "Layer 0, “sat”: “ran”, 60 %"
    assert [cell.place for cell in grid.lines[0]] == [3, 4]


@pytest.mark.parametrize(
    ("firsts", "words"),
    [
        (("a", "b", "fox"), "“fox” is the top token only after the last layer, 2."),
        (("a", "fox", "fox"), "“fox” is the top token from layer 1 to the last layer, 2."),
        (
            ("fox", "a", "fox"),
            "“fox” is the top token in layer 0 for the first time, and from layer 2 to the last layer, 2.",
        ),
        (("fox", "a", "b"), "“fox” was sampled, but is not the top token even after the last layer."),
    ],
)
def test_summarize_names_the_settling_layer(firsts: tuple[str, ...], words: str) -> None:
    one = depth(*firsts)
    assert summarize(one) == words
    assert proof(LensResult((one,), 0.0)).endswith("logits and the model's: 0.")
    assert proof(LensResult((one,), 2e-6)).endswith("logits and the model's: 2e-06.")


def test_csv_of_quotes_any_token() -> None:
    text = 'a "quoted", one\nand more'
    rows = list(csv.DictReader(io.StringIO(csv_of(LensResult((depth("dog", text, said=text),), 0.0), 5))))
    assert len(rows) == 4
    assert [row["text"] for row in rows] == ["dog", "cat", text, "cat"]
    assert {(row["place"], row["said"]) for row in rows} == {("3", text)}
    assert [(row["layer"], row["rank"]) for row in rows] == [("0", "1"), ("0", "2"), ("1", "1"), ("1", "2")]


def test_csv_of_escapes_formulas() -> None:
    (row, *_) = csv.DictReader(io.StringIO(csv_of(LensResult((depth("=1+1", said="@x"),), 0.0), 5), newline=""))
    assert (row["text"], row["said"], row["probability"]) == ("'=1+1", "'@x", "0.6")
