"""Logit-lens results: their cells, sentences and CSV, the table, and the panel."""

import csv
import io
import math
import zlib
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from app.engine.echo.engine import EchoEngine
from app.engine.types import Alternative, Capabilities, LayerPrediction, LensPosition, LensResult, LoadRequest, Model
from app.files.settings import Layout, Settings
from app.ui.interpretability.grid import LayerGrid
from app.ui.interpretability.lens_cells import csv_of, heat_map, ladder, proof, summarize
from app.ui.interpretability.lens_page import headline
from app.ui.interpretability.panel import InterpretabilityPanel
from app.ui.interpretability.picture import MatrixPicture
from app.ui.look.theme import Theme
from app.ui.widgets import Announcer
from tests.ui.desk import Desk, named

TEXT_ONLY = "A server exchanges text, not token ids."


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> InterpretabilityPanel:
    made = InterpretabilityPanel(theme)
    qtbot.addWidget(made)
    made.show()
    return made


def guess(*pairs: tuple[int, str, float]) -> LayerPrediction:
    return LayerPrediction(
        tuple(Alternative(each, text, math.log(share), 0.0) for each, text, share in pairs), 1.0, math.log(0.5)
    )


def depth(*firsts: str, said: str = "fox", position: int = 7) -> LensPosition:
    """Make a result with the top token of each layer; the second one is always “cat”."""
    guesses = tuple(guess((_id(first), first, 0.6), (1001, "cat", 0.3)) for first in firsts)
    return LensPosition(position, _id(said), said, guesses, guesses[-1])


def _id(text: str) -> int:
    return zlib.crc32(text.encode()) % 1000


def test_ladder_has_a_line_for_each_layer() -> None:
    grid = ladder(depth("dog", "fox"), 5)
    assert grid.heads == ("1.", "2.")
    assert [[cell.shown for cell in line] for line in grid.lines] == [
        ["dog  60 %", "cat  30 %"],
        ["fox  60 %", "cat  30 %"],
    ]
    assert [cell.is_sampled for cell in (*grid.lines[0], *grid.lines[1])] == [False, False, True, False]
    assert grid.lines[1][0].spoken == "Layer 1: “fox”, 60 %, sampled"
    assert {cell.position for line in grid.lines for cell in line} == {3}


def test_heat_map_has_a_column_for_each_token() -> None:
    depths = (depth("dog", "fox"), depth("ran", "sat", said="sat", position=8))
    grid = heat_map(depths, 5)
    assert grid.heads == ("fox", "sat")
    assert [[cell.shown for cell in line] for line in grid.lines] == [["dog", "ran"], ["fox", "sat"]]
    assert grid.lines[0][1].spoken == "Layer 0, “sat”: “ran”, 60 %"
    assert [cell.position for cell in grid.lines[0]] == [3, 4]


@pytest.mark.parametrize(
    ("firsts", "words"),
    [
        (
            (("fox", "fox"), ("a", "fox"), ("a", "fox"), ("fox", "fox")),
            "Half of the 4 sampled tokens are the top token for good by layer 0 (last layer: 1).",
        ),
        (
            (("fox", "fox"), ("a", "fox"), ("a", "b")),
            "2 of the 3 sampled tokens are the top token after the last layer, 1; half of these for good by layer 0.",
        ),
        (
            (("a", "fox"), ("a", "b")),
            "1 of the 2 sampled tokens is the top token after the last layer, 1, from layer 1 on.",
        ),
        ((("a", "b"), ("a", "b")), "None of the 2 sampled tokens is the top token after the last layer, 1."),
    ],
)
def test_headline_counts_the_tokens_that_are_the_top_token_in_the_end(
    firsts: tuple[tuple[str, ...], ...], words: str
) -> None:
    assert headline(LensResult(tuple(depth(*each) for each in firsts), 0.0)) == words


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


def test_grid_of_a_deep_model_scrolls_to_the_settling_layer(qtbot: QtBot, theme: Theme) -> None:
    grid = LayerGrid(theme)
    qtbot.addWidget(grid)
    one = depth(*["dog"] * 12, *["fox"] * 20)
    grid.resize(280, grid.minimumHeight())
    grid.show()
    grid.show_grid(heat_map((one,), 5), layer=one.stays_from)
    assert grid.current is not None and grid.current.layer == 12
    seen = [grid.viewport().rect().contains(grid.visualRect(grid.model().index(row, 0))) for row in range(32)]
    assert all(seen[11:14])
    grid.show_grid(heat_map((one,), 5))
    assert grid.current.layer == 31


def test_overview_is_shown_for_deep_models_only(panel: InterpretabilityPanel) -> None:
    panel.resize(300, 700)
    overview = named(panel, MatrixPicture, "inside_overview")
    panel.show_token(3, "fox")
    panel.show_found(LensResult((depth(*["dog"] * 4, "fox"),), 0.0), 5)
    assert not overview.isVisible()
    panel.show_found(LensResult((depth(*["dog"] * 12, *["fox"] * 20),), 0.0), 5)
    assert overview.isVisible()
    overview._go(4, 1)
    assert panel.grid.current is not None and (panel.grid.current.layer, panel.grid.current.name) == (4, "cat")
    panel.grid.go_to(31, 0)
    assert overview._at == (31, 0)


def test_range_of_one_token_needs_its_own_result(panel: InterpretabilityPanel) -> None:
    panel.show_token(3, " fox", 9, "the\n old ")
    cell, proof = named(panel, QLabel, "inside_cell"), named(panel, QLabel, "inside_proof")
    assert named(panel, QLabel, "inside_place").text() == "Token 4 of 9: “␣fox”, after “the old”"
    panel.show_found(LensResult((depth("dog", "fox"),), 2e-6), 5)
    assert panel.grid.isVisible() and proof.text().endswith("2e-06.")
    assert cell.text() == "Layer 1: “fox”, 60 %, sampled. Token 4, entropy 1.44 bits"
    panel.grid.go_to(0, 1)
    assert cell.text().startswith("Layer 0: “cat”, 30 %")
    named(panel, QAbstractButton, "inside_kind_stretch").click()
    assert not panel.grid.isVisible() and not cell.isVisible() and not proof.isVisible()
    panel.show_found(LensResult((depth("dog", "fox"), depth("dog", "fox", position=9)), 0.0), 5)
    assert not panel.grid.isVisible(), "the next token is missing"
    panel.show_found(LensResult((depth("dog", "fox"), depth("dog", "fox", position=8)), 0.0), 5)
    assert panel.grid.isVisible()


def test_found_result_is_announced(panel: InterpretabilityPanel, monkeypatch: pytest.MonkeyPatch) -> None:
    said = list[str]()
    monkeypatch.setattr(Announcer, "say", lambda self, words, urgent=False: said.append(words))
    panel.show_token(3, "fox")
    panel.show_found(LensResult((depth("dog", "fox"),), 0.0), 5)
    assert [each for each in said if each] == ["“fox” is the top token only after the last layer, 1."]


@pytest.mark.slow
def test_model_without_token_ids_disables_look_with_a_reason(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    made = EchoEngine._model

    def elsewhere(engine: EchoEngine, request: LoadRequest) -> Model:
        return replace(made(engine, request), can=Capabilities(ids=False, refusals=(("ids", TEXT_ONLY),)))

    monkeypatch.setattr(EchoEngine, "_model", elsewhere)
    window = desk.ready(Settings(layout=Layout(side_tab="inside")))
    desk.send(window, "Hello")
    look = named(window, QAbstractButton, "inside_look")
    assert (look.isEnabled(), look.toolTip()) == (False, TEXT_ONLY)
