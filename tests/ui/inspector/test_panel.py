from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QTableView
from pytestqt.qtbot import QtBot

from app.engine.meter.trace import Origin, TokenRange
from app.engine.types import Alternative, ConstraintStats
from app.ui.inspector.panel import EMPTY, INSERTED, InspectorPanel
from app.ui.inspector.rows import BEFORE, REST
from app.ui.inspector.subject import FormatState
from app.ui.look.theme import Theme
from app.ui.widgets.plain_text import keep_byte_order_mark
from tests.ui.cells import cells
from tests.ui.desk import named
from tests.ui.inspector.choices import choice, subject, token

OWN_WORDS = "\ufeff otherwise"


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> InspectorPanel:
    made = InspectorPanel(theme)
    qtbot.addWidget(made)
    made.resize(340, 640)
    made.show()
    return made


def words(panel: InspectorPanel, name: str) -> str:
    label = named(panel, QLabel, name)
    return label.text() if label.isVisible() else ""


def button(panel: InspectorPanel, name: str) -> QAbstractButton:
    return named(panel, QAbstractButton, name)


def table(panel: InspectorPanel) -> QTableView:
    return named(panel, QTableView, "candidates")


def test_panel_without_a_token_explains_the_tab(panel: InspectorPanel, qtbot: QtBot) -> None:
    assert words(panel, "inspector_words") == EMPTY
    assert not table(panel).isVisible()
    with qtbot.waitSignal(panel.recording_wanted, check_params_cb=bool):
        button(panel, "inspector_record").click()
    with qtbot.waitSignal(panel.tokens_wanted):
        button(panel, "inspector_tokens").click()
    panel.set_availability(is_recording=True, is_token_view=True)
    assert not button(panel, "inspector_record").isVisible()
    assert not button(panel, "inspector_tokens").isVisible()


def test_panel_shows_all_figures_of_a_token(panel: InspectorPanel) -> None:
    panel.show_subject(subject(choice(1)))
    assert words(panel, "inspector_position") == "Token 17 of 212"
    assert words(panel, "inspector_text") == "␣b"
    assert words(panel, "inspector_probability") == "30 %"
    assert named(panel, QLabel, "inspector_entropy").accessibleName() == "Entropy: 1.38 bits"
    assert words(panel, "distribution_said") == BEFORE
    assert cells(table(panel))[1] == ["● b", "30 %", "−1.204", "4.00", "101"]
    assert cells(table(panel))[3] == [f"  {REST}", "20 %", "", "", ""]


def test_cells_have_accessible_texts(panel: InspectorPanel) -> None:
    panel.show_subject(subject(choice(1)))
    spoken = cells(table(panel), Qt.ItemDataRole.AccessibleTextRole)
    assert spoken[1][0] == "Token: b, sampled"
    assert spoken[0][1] == "Probability: 40 %"
    assert all(all(row) for row in spoken)
    reader = QAccessible.queryAccessibleInterface(table(panel))
    assert reader.role() is QAccessible.Role.Table
    heard = [reader.child(number).text(QAccessible.Text.Name) for number in range(reader.childCount())]
    assert {cell for row in spoken for cell in row} <= set(heard)


def test_caption_names_distribution_settings_and_half_precision(panel: InspectorPanel) -> None:
    panel.show_subject(replace(subject(choice(1)), precision="bfloat16"))
    assert words(panel, "distribution_said").startswith(f"{BEFORE} Computed in bfloat16: ")
    button(panel, "distribution_after").click()
    assert words(panel, "distribution_said").startswith("After top-k 2 and temperature 1")
    assert "Computed in bfloat16: " in words(panel, "distribution_said")
    assert [row[2] for row in cells(table(panel))] == ["", "", "top-k", "top-k"]
    panel.show_subject(replace(subject(choice(0)), sampling=None, precision="float32"))
    assert not button(panel, "distribution_after").isEnabled()
    assert words(panel, "distribution_said") == BEFORE


def test_parts_of_a_character_are_listed_with_it(panel: InspectorPanel) -> None:
    group = tuple(token(16 + number, text="" if number < 2 else "한") for number in range(3))
    panel.show_subject(replace(subject(), token=group[1], group=group))
    assert words(panel, "inspector_group") == "Part 2 of 3 of “한” (tokens 17 to 19): ids 101 · [101] · 101"
    assert words(panel, "inspector_text") == "…"
    seen = choice()
    own = replace(seen, chosen=seen.chosen._replace(text="⟨95⟩"))
    for text in ("", "한"):
        panel.show_subject(replace(subject(), token=token(17, own, text), group=group))
        assert words(panel, "inspector_text") == "⟨95⟩"


def test_eos_token_has_its_name(panel: InspectorPanel) -> None:
    panel.show_subject(replace(subject(), token=token(text=""), end_text="<|im_end|>"))
    assert words(panel, "inspector_text") == "<|im_end|>"
    panel.show_subject(replace(subject(), token=token(text="", observed=choice(texts="e     "))))
    assert words(panel, "inspector_text") == "e"
    panel.show_subject(replace(subject(), token=token(text="")))
    assert words(panel, "inspector_text") == "…"


def test_panel_without_alternatives_says_how_to_record_them(panel: InspectorPanel) -> None:
    panel.show_subject(subject())
    assert "No alternatives were recorded" in words(panel, "inspector_words")
    assert button(panel, "inspector_record").isVisible()
    assert not table(panel).isVisible()
    assert button(panel, "inspector_replay").isVisible() and button(panel, "inspector_replay").isEnabled()
    assert "–" not in {label.text() for label in panel.findChildren(QLabel) if label.isVisible()}
    assert words(panel, "inspector_gap")
    panel.set_availability(is_recording=True)
    assert "from the next answer on" in words(panel, "inspector_words")
    panel.show_subject(replace(subject(), token=token(origin=Origin.USER)))
    assert words(panel, "inspector_words") == INSERTED
    panel.show_subject(subject(choice()))
    assert words(panel, "inspector_words") == ""


def test_panel_of_a_refusing_model_says_why_and_offers_nothing(panel: InspectorPanel) -> None:
    panel.show_subject(replace(subject(), unavailable="The server did not send them."))
    assert "The server did not send them." in words(panel, "inspector_words")
    assert not button(panel, "inspector_replay").isVisible()
    assert button(panel, "inspector_record").isVisible()
    panel.set_availability(no_recording="This server sends no alternatives.")
    assert words(panel, "inspector_words").endswith("This server sends no alternatives.")
    assert "next answer" not in words(panel, "inspector_words")
    assert not button(panel, "inspector_record").isVisible()
    panel.show_subject(None)
    assert words(panel, "inspector_words").endswith("This server sends no alternatives.")


def test_step_buttons_end_with_the_answer(panel: InspectorPanel) -> None:
    panel.show_subject(subject(position=0))
    assert not button(panel, "inspector_previous").isEnabled()
    panel.show_subject(replace(subject(position=211), growing=True))
    assert not button(panel, "inspector_next").isEnabled()
    assert words(panel, "inspector_position") == "Token 212 of 212…"


def test_fork_by_button_enter_and_double_click_emits_the_token(panel: InspectorPanel, qtbot: QtBot) -> None:
    panel.show_subject(subject(choice(1)))
    go = button(panel, "fork_candidate")
    assert not go.isEnabled()
    table(panel).selectRow(0)
    assert go.text() == "Fork here with “a”"
    taken: list[tuple[int, int, int]] = []
    panel.fork_wanted.connect(lambda *what: taken.append(what))
    go.click()
    QTest.keyClick(table(panel), Qt.Key.Key_Down)
    QTest.keyClick(table(panel), Qt.Key.Key_Return)
    table(panel).doubleClicked.emit(table(panel).model().index(2, 1))
    assert taken == [(3, 16, 100), (3, 16, 101), (3, 16, 102)]
    table(panel).selectRow(3)
    QTest.keyClick(table(panel), Qt.Key.Key_Return)
    table(panel).doubleClicked.emit(QModelIndex())
    assert len(taken) == 3
    assert not go.isEnabled()


def test_fork_text_is_emitted_and_cleared_once_the_run_begins(panel: InspectorPanel, qtbot: QtBot) -> None:
    panel.show_subject(subject())
    text = named(panel, QLineEdit, "fork_text")
    assert not button(panel, "fork_with_text").isEnabled()
    text.setText(keep_byte_order_mark(OWN_WORDS))
    taken: list[tuple[int, int, str]] = []
    panel.text_fork_wanted.connect(lambda *what: taken.append(what))
    QTest.keyClick(text, Qt.Key.Key_Return)
    panel.set_availability()
    panel.set_availability(no_fork="Wait.")
    assert text.text() == OWN_WORDS
    panel.set_availability()
    button(panel, "fork_with_text").click()
    assert taken == [(3, 16, OWN_WORDS)] * 2
    panel.set_availability(no_fork="Wait.")
    assert text.text() == ""


def test_fork_during_a_run_is_disabled_with_a_reason(panel: InspectorPanel) -> None:
    panel.show_subject(subject(choice(1)))
    table(panel).selectRow(0)
    panel.set_availability(no_fork="Wait until the answer is complete.")
    taken: list[object] = []
    panel.fork_wanted.connect(lambda *what: taken.append(what))
    QTest.keyClick(table(panel), Qt.Key.Key_Return)
    assert taken == []
    assert not button(panel, "fork_candidate").isEnabled()
    assert button(panel, "fork_candidate").toolTip() == "Wait until the answer is complete."
    assert words(panel, "fork_reason") == "Wait until the answer is complete."


def test_current_row_stays_while_another_token_is_pointed_at(panel: InspectorPanel) -> None:
    panel.show_subject(subject(choice(1)))
    table(panel).selectRow(2)
    panel.show_subject(subject(choice(0), position=40))
    assert not button(panel, "fork_candidate").isEnabled()
    panel.show_subject(subject(choice(1)))
    assert button(panel, "fork_candidate").text() == "Fork here with “c”"
    assert [index.row() for index in table(panel).selectionModel().selectedRows()] == [2]


def test_describe_latencies_shows_latencies(panel: InspectorPanel) -> None:
    panel.show_stretch(TokenRange(16, 42, 0.0041, 0.0087))
    assert words(panel, "inspector_stretch") == "Tokens 17 to 43: mean 4.1 ms, p95 8.7 ms between tokens."
    panel.show_stretch(TokenRange(0, 0, None, None))
    assert words(panel, "inspector_stretch") == "Token 1: inter-token latencies unknown."
    panel.show_stretch(TokenRange(16, 42, 0.0041, 0.0087, drafted=True))
    assert words(panel, "inspector_stretch").endswith("p95 8.7 ms between speculative steps.")
    panel.show_stretch(None)
    assert words(panel, "inspector_stretch") == ""


def test_head_shows_the_rejected_draft(panel: InspectorPanel) -> None:
    panel.show_subject(replace(subject(choice()), token=replace(token(observed=choice()), rejected=" fox ran")))
    assert words(panel, "inspector_rejected") == "Proposed as draft tokens and rejected: “␣fox␣ran”"
    panel.show_subject(subject(choice()))
    assert not words(panel, "inspector_rejected")


def test_invalid_alternative_says_what_was_expected_below_the_tree(panel: InspectorPanel) -> None:
    seen = replace(choice(1), formed=ConstraintStats(0.75, False, (Alternative(7, "x", -0.5, 9.0),)))
    tree = "  answer: 1 key\n▸   <b>legs</b>: required"
    panel.show_subject(replace(subject(seen), output_format=FormatState("a number for “legs”", tree)))
    assert words(panel, "form_expected") == "Expected here: a number for “legs”."
    assert words(panel, "form_tree") == tree
    spoken = cells(table(panel), Qt.ItemDataRole.AccessibleTextRole)
    assert spoken[0][0] == "Token: x, ruled out by the output format, which expected a number for “legs”"
    panel.show_subject(replace(subject(seen), output_format=FormatState()))
    assert words(panel, "form_expected") == words(panel, "form_tree") == ""
    assert cells(table(panel), Qt.ItemDataRole.AccessibleTextRole)[0][0] == "Token: x, ruled out by the output format"
    panel.show_subject(subject(seen))
    assert not named(panel, QLabel, "form_expected").isVisible()
