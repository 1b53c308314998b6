"""The table of layers: where it opens, and how wide its columns are."""

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from app.engine.types import LensResult
from app.ui.interpretability.grid import LayerGrid
from app.ui.interpretability.lens_cells import heat_map
from app.ui.interpretability.panel import InterpretabilityPanel
from app.ui.interpretability.picture import MatrixPicture
from app.ui.look.theme import Theme
from app.ui.widgets import Announcer
from tests.ui.interpretability.lens_positions import depth


def test_grid_of_a_deep_model_scrolls_to_the_settling_layer(qtbot: QtBot, theme: Theme) -> None:
    grid = LayerGrid(theme)
    qtbot.addWidget(grid)
    one = depth(*["dog"] * 12, *["fox"] * 20)
    grid.resize(280, grid.minimumHeight())
    grid.show()
    grid.show_grid(heat_map((one,), 5), layer=one.stays_from)
    assert grid.current is not None and grid.current.layer == 12
    seen = [grid.viewport().rect().contains(grid.visualRect(grid.model().index(row, 0))) for row in range(32)]
    assert all(seen[11:14]), "with its neighbours"
    grid.show_grid(heat_map((one,), 5))
    assert grid.current.layer == 31, "it turns nowhere"


def test_overview_is_shown_for_deep_models_only(qtbot: QtBot, theme: Theme) -> None:
    panel = InterpretabilityPanel(theme)
    qtbot.addWidget(panel)
    panel.resize(300, 700)
    panel.show()
    overview = panel.findChild(MatrixPicture, "inside_overview")
    assert overview is not None
    panel.show_token(3, "fox")
    panel.show_found(LensResult((depth(*["dog"] * 4, "fox"),), 0.0), 5)
    assert not overview.isVisible(), "the table has all of it"
    panel.show_found(LensResult((depth(*["dog"] * 12, *["fox"] * 20),), 0.0), 5)
    assert overview.isVisible()
    overview._go(4, 1)
    assert panel.grid.current is not None and (panel.grid.current.layer, panel.grid.current.name) == (4, "cat")
    panel.grid.go_to(31, 0)
    assert overview._at == (31, 0), "it tells where the table is"


def test_range_of_one_token_needs_its_own_result(qtbot: QtBot, theme: Theme) -> None:
    panel = InterpretabilityPanel(theme)
    qtbot.addWidget(panel)
    panel.show()
    panel.show_token(3, " fox", 9, "the\n old ")
    stretch, cell = panel.findChild(QAbstractButton, "inside_kind_stretch"), panel.findChild(QLabel, "inside_cell")
    place, proof = panel.findChild(QLabel, "inside_place"), panel.findChild(QLabel, "inside_proof")
    assert stretch is not None and cell is not None and place is not None and proof is not None
    assert place.text() == "Token 4 of 9: “␣fox”, after “the old”"
    panel.show_found(LensResult((depth("dog", "fox"),), 2e-6), 5)
    assert panel.grid.isVisible() and proof.text().endswith("2e-06.")
    assert cell.text() == "Layer 1: “fox”, 60 %, sampled. Token 4, entropy 1.44 bits"
    panel.grid.go_to(0, 1)
    assert cell.text().startswith("Layer 0: “cat”, 30 %")
    stretch.click()
    assert not panel.grid.isVisible() and not cell.isVisible() and not proof.isVisible()
    panel.show_found(LensResult((depth("dog", "fox"),), 0.0), 5, True)
    assert panel.grid.isVisible(), "of the answer's last token it is one"


def test_found_result_is_announced(qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    said = list[str]()
    monkeypatch.setattr(Announcer, "say", lambda self, words, urgent=False: said.append(words))
    panel = InterpretabilityPanel(theme)
    qtbot.addWidget(panel)
    panel.show_token(3, "fox")
    panel.show_found(LensResult((depth("dog", "fox"),), 0.0), 5)
    assert [each for each in said if each] == ["“fox” is the top token only after the last layer, 1."]
