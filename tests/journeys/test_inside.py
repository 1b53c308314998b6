import csv
import io
import json
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QTableView,
    QTabWidget,
    QWidget,
)

from app.engine.types import LensResult
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.interpretability.cell_map import CellMap
from app.ui.interpretability.picture import MatrixPicture
from app.ui.tokens.chips import TokenChips
from tests.journeys.journey import Journey
from tests.ui.cells import cells
from tests.ui.file_dialogs import answer

pytestmark = pytest.mark.slow

PLACE = 5


def grid_of(demo: Journey) -> QTableView:
    return demo.find(QTableView, "inside_grid")


def look_at(demo: Journey, position: int, kind: str) -> None:
    """Pick a token of the answer and have one kind of view computed."""
    demo.find(Transcript, "transcript").token_picked.emit(1, position)
    demo.until(demo.find(QAbstractButton, "inside_look").isEnabled)
    demo.press(f"inside_kind_{kind}")
    demo.press("inside_look")


def copied_csv(demo: Journey) -> list[dict[str, str]]:
    demo.press("inside_csv")
    return list(csv.DictReader(io.StringIO(QApplication.clipboard().text(), newline="")))


def look(demo: Journey) -> LensResult:
    found: list[object] = []
    demo.window.playground.inspected.connect(found.append)
    demo.press("inside_look")
    demo.until(lambda: bool(found) and demo.state.phase is Phase.READY)
    demo.window.playground.inspected.disconnect(found.append)
    (inside,) = found
    assert isinstance(inside, LensResult)
    return inside


def test_logit_lens_of_a_picked_token_is_shown_and_forked(demo: Journey) -> None:
    demo.cold()
    demo.limit(16)
    run = demo.send("Count 1 to 9")
    demo.act("toggle_inside")
    page, button = demo.find(QWidget, "inside"), demo.find(QAbstractButton, "inside_look")
    demo.find(Transcript, "transcript").token_picked.emit(1, PLACE)
    assert page.isVisible(), "the page that tells of the token stays"
    demo.until(button.isEnabled)
    assert run.prompt is not None

    depth = look(demo).positions[0]
    assert (depth.position, depth.said) == (len(run.prompt.ids) + PLACE - 1, run.ids[PLACE])
    shown = cells(grid_of(demo))
    assert len(shown) == len(depth.guesses) and len(shown[0]) == len(depth.real.top)
    said = demo.find(QLabel, "inside_said")
    assert "is the top token" in said.text() and "largest difference" in demo.find(QLabel, "inside_proof").text()
    assert f"Token {PLACE + 1} of" in demo.find(QLabel, "inside_place").text()
    assert grid_of(demo).currentIndex().row() == depth.stays_from, "where it turns, not where it ends"

    copied = copied_csv(demo)
    assert [int(each["id"]) for each in copied] == [each.id for guess in depth.guesses for each in guess.top]

    grid, model = grid_of(demo), grid_of(demo).model()
    row, column = next(
        (row, column)
        for row, guess in enumerate(depth.guesses)
        for column, each in enumerate(guess.top)
        if each.id != depth.said and each.text.strip()
    )
    chosen = depth.guesses[row].top[column]
    grid.setCurrentIndex(model.index(row, column))
    assert chosen.text.strip() in demo.find(QAbstractButton, "inside_fork").text()
    QTest.keyClick(grid, Qt.Key.Key_Return)
    forked = demo.last()
    assert forked.prompt is not None
    assert forked.prompt.ids == (*run.prompt.ids, *run.ids[:PLACE], chosen.id)
    demo.until(lambda: not grid.isVisible())


def test_attention_of_the_heads_is_shown_under_the_text(demo: Journey) -> None:
    demo.cold()
    demo.limit(24)
    run = demo.send("My name is Tolin. What is my name?")
    assert run.prompt is not None
    position = next(at for at in range(len(demo.trace)) if demo.trace.token(at).text == " T")
    demo.act("toggle_inside")
    look_at(demo, position, "attention")
    table, text = demo.find(QTableView, "inside_heads"), demo.find(TokenChips, "inside_text")
    demo.until(table.isVisible)
    demo.until(lambda: demo.state.phase is Phase.READY)
    assert text.prompt is not None and text.prompt.ids == (*run.prompt.ids, *run.ids[:position])
    rows = cells(table)
    assert rows[0][0] == "mean" and len(rows) == 16
    (at,) = (number for number, row in enumerate(rows) if row[0] == "L2 H3")
    assert rows[at][1].startswith("“␣T” 9") and "(induction)" in rows[at][1]
    table.setCurrentIndex(table.model().index(at, 0))
    weight = demo.find(QLabel, "inside_weight")
    assert "' T'" in weight.text() and "of the head's attention" in weight.text(), (
        "the strongest, before any is pointed at"
    )
    first = next(number for number, (_, told) in enumerate(text.prompt.texts()) if told == " T")
    text.reveal(first)
    assert "of the head's attention" in weight.text()
    assert float(text.describe(first).split("%")[0].split()[-1]) > 90
    copied = copied_csv(demo)
    assert [each["position"] for each in copied] == list(map(str, range(len(text.prompt.ids))))
    assert copied[first]["head"] == "L2 H3" and float(copied[first]["weight"]) > 0.9
    picture = demo.find(MatrixPicture, "inside_matrix")

    def named_by(head: str) -> bool:
        return head in weight.text() and demo.state.phase is Phase.READY

    for name, head in (("inside_layer_matrix", "Layer 2, mean"), ("inside_head_matrix", "L2 H3:")):
        demo.press(name)
        demo.until(partial(named_by, head))
        assert picture.isVisible() and not text.isVisible()
    demo.press("inside_csv")
    rows = list(csv.reader(io.StringIO(QApplication.clipboard().text(), newline="")))
    assert len(rows) == len(rows[1]) - 1 == len(text.prompt.ids) + 1
    assert rows[-1][2:] == [each["weight"] for each in copied]
    demo.press("inside_picture")
    assert QApplication.clipboard().pixmap().width() >= 1_024
    looks = demo.window.playground.inspection_results
    demo.until(lambda: looks.of(run.id)[-1].get("head") == 3)
    seen = looks.of(run.id)[-1]
    assert (seen["look"], seen["layer"], seen["head"], seen["size"]) == ("matrix", 2, 3, len(copied))
    strongest = seen["strongest"]
    assert isinstance(strongest, list) and strongest[-1][0][0] == first
    demo.press("inside_head_matrix")
    assert text.isVisible() and not picture.isVisible(), "and back to the text"
    table.setCurrentIndex(table.model().index(0, 0))
    assert "in the mean of all heads" in weight.text()
    assert text.isVisible() and not demo.find(QAbstractButton, "inside_head_matrix").isEnabled()
    demo.find(Transcript, "transcript").token_picked.emit(1, 0)
    assert not table.isVisible()


def test_influential_words_are_ranked_and_a_shorter_prompt_is_tried(demo: Journey) -> None:
    demo.cold()
    demo.limit(24)
    run = demo.send("My name is Tolin. I live in a small house. What is my name?")
    assert run.prompt is not None
    demo.act("toggle_inside")
    look_at(demo, 3, "words")
    table, text = demo.find(QTableView, "inside_parts"), demo.find(TokenChips, "inside_prompt")
    demo.until(table.isVisible)
    demo.until(lambda: demo.state.phase is Phase.READY)
    model = table.model()
    assert model.index(0, 1).data() == "My name is Tolin."
    assert float(model.index(0, 0).data()) > 10
    of = demo.find(QComboBox, "inside_of")
    assert [of.itemText(row) for row in range(2)] == ["The whole answer", "“␣T”"] and of.count() == 7
    of.setCurrentIndex(2)
    assert " rather than “" in of.currentText() and float(model.index(0, 0).data()) < 10
    assert "Sum of the single effects" in demo.find(QLabel, "inside_sums").text()
    copied = copied_csv(demo)
    assert len(copied) == model.rowCount() and copied[1]["text"] == "My name is Tolin."
    demo.until(lambda: bool(demo.window.playground.inspection_results.of(run.id)))
    (seen,) = demo.window.playground.inspection_results.of(run.id)
    assert seen["look"] == "words" and seen["position"] == len(run.prompt.ids) + 3
    parts = seen["parts"]
    assert isinstance(parts, list) and [each["text"] for each in parts[:1]] == ["My name is Tolin."]
    said = demo.find(QLabel, "inside_spare")
    assert said.text().startswith("Without ") and "the answer stays the same" in said.text()

    turns = demo.state.turns
    demo.press("inside_try")
    demo.until(lambda: said.text().startswith("Same answer. Time to first token: "))
    assert demo.state.turns == turns, "beside the conversation"

    demo.find(Transcript, "transcript").token_picked.emit(1, 3)
    at = [word for _, word in run.prompt.texts()].index(" live")
    text.reveal(at)
    QTest.keyClick(text, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert text.selection == range(at, at + 2)
    demo.until(demo.find(QAbstractButton, "inside_look").isEnabled)
    demo.press("inside_look")
    demo.until(lambda: model.rowCount() == 1)
    assert model.index(0, 1).data() == "live in"
    demo.until(lambda: demo.state.phase is Phase.READY)
    again = demo.send("What is my name?")
    assert again.finish.reused >= len(run.prompt.ids) - 1, "the conversation's cache is still there"


def test_hidden_states_are_included_in_the_token_export(demo: Journey, tmp_path: Path) -> None:
    demo.cold()
    demo.limit(16)
    run = demo.send("Count 1 to 9")
    demo.act("toggle_inside")
    look_at(demo, PLACE, "states")
    table = demo.find(QTableView, "inside_states")
    demo.until(lambda: table.isVisible() and demo.state.phase is Phase.READY)
    assert table.model().rowCount() == 3
    assert "cosine" in demo.find(QLabel, "inside_cosine").text()
    copied = copied_csv(demo)
    assert [each["layer"] for each in copied] == ["0", "1", "2"]
    demo.until(lambda: bool(demo.window.playground.inspection_results.of(run.id)))
    (look,) = demo.window.playground.inspection_results.of(run.id)
    assert look["look"] == "states" and look["position"] == len(run.prompt.ids) + PLACE if run.prompt else False
    demo.press("more_about_run")
    demo.press("export_last_tokens")
    path = tmp_path / "tokens.json"
    answer(demo.window, path)
    demo.until(path.exists)
    assert json.loads(path.read_text("utf-8"))["inside"] == [look]


def test_window_computes_all_views_of_a_sample_and_exports_them(demo: Journey, tmp_path: Path) -> None:
    demo.cold()
    demo.limit(24)
    demo.act("inside_window")
    demo.press("inside_empty_sample")
    headline, start = demo.find(QLabel, "inside_lens_headline"), demo.find(QAbstractButton, "inside_start")
    demo.until(lambda: bool(headline.text()) and start.text() == "Compute All Views" and not start.isEnabled())
    assert headline.text().startswith("Half of the ") and headline.text().endswith("(last layer: 2).")
    tabs, pattern = demo.find(QTabWidget, "inside_tabs"), demo.find(QLabel, "inside_pattern")
    assert pattern.text() == "Layer 1, head 3: Previous token"
    saved = dict[str, str]()
    for tab, name in enumerate(("lens", "attention", "states", "words")):
        tabs.setCurrentIndex(tab)
        for suffix in (".png", ".csv", ".json"):
            path = tmp_path / f"{name}{suffix}"
            demo.press("inside_export")
            answer(demo.window, path)
            demo.until(path.exists)
            saved[path.name] = path.read_bytes().decode("utf-8", "replace")
        assert len(saved[f"{name}.csv"].splitlines()) > 3 and saved[f"{name}.png"][1:4] == "PNG"
    assert len(json.loads(saved["lens.json"])["places"]) == len(demo.runs[0].ids)
    heads = json.loads(saved["attention.json"])
    assert heads["matrix"]["head"] == 3 and len(heads["heads"]) == 15
    assert json.loads(saved["states.json"])["states"] and json.loads(saved["words.json"])["parts"]

    asked = list[object]()
    demo.window.playground.inspected.connect(asked.append)
    demo.act("toggle_inside")
    demo.find(Transcript, "transcript").token_picked.emit(1, PLACE)
    demo.press("inside_kind_stretch")
    assert grid_of(demo).isVisible() and not asked, "the tab shows the same lens"
    demo.find(CellMap, "inside_lens_map")._go(0, PLACE + 1)
    demo.until(lambda: f"Token {PLACE + 2} of" in demo.find(QLabel, "inside_place").text())
