"""The window of experiments: the form gives what stands in it, results say what was measured."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QStyle,
    QStyleOptionComboBox,
    QTableView,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.engine.catalogue import setting_name
from app.engine.types import Drafted, Rejected
from app.experiments.figures import table
from app.experiments.questions import sampling
from app.experiments.types import DETAILS_LEAD, Conclusion, Detail, Outcome
from app.records.word_diff import word_diff
from app.ui.experiments.axes_part import AxesPart
from app.ui.experiments.cells import Titles
from app.ui.experiments.figures import middle
from app.ui.experiments.form import PROMPT_LINES
from app.ui.experiments.values import Choice, Offer, Setup
from app.ui.experiments.view import ExperimentView
from app.ui.look.theme import Theme
from tests.experiments.builders import at_speeds, even, outcome, result
from tests.ui.conftest import go_dark
from tests.ui.desk import named

OFFERS = (
    Offer("plain", "Plain?", "Is it plain?"),
    Offer("grid", "A grid", "Which?", axes=2, settings=(("sampling.top_k", "top k"), ("sampling.top_p", "top p"))),
    Offer("heat", "Heat", "How?", axes=3, settings=(("sampling.temperature", "temperature"),)),
    Offer("full", "Everything", "What?", stops=True, drafts=True, others=True),
)
SETUP = Setup("plain", "Say something", 64, 0.5, 3)


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> Iterator[ExperimentView]:
    made = ExperimentView(theme, OFFERS)
    qtbot.addWidget(made)
    made.form.show_setup(SETUP)
    made.show()
    yield made
    made.leave()


def cells(view: ExperimentView, name: str = "experiment_figures") -> list[list[str]]:
    model = named(view, QTableView, name).model()
    return [
        [str(model.index(row, column).data()) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def show(view: ExperimentView, made: Outcome) -> None:
    view.results.show_outcome(made, table(made))


def turn(view: ExperimentView, page: int) -> None:
    named(view, QTabWidget, "experiment_tabs").setCurrentIndex(page)


def test_the_form_gives_back_what_it_was_given(view: ExperimentView) -> None:
    assert view.form.setup() == SETUP
    grid = replace(SETUP, name="grid", axes=(("sampling.top_p", "0.5, 1"), ("sampling.top_k", "1")))
    view.form.show_setup(grid)
    assert view.form.setup() == grid
    named(view, QLineEdit, "experiment_values_1").setText("4, 5")
    assert view.form.setup().axes[1] == ("sampling.top_k", "4, 5")


def test_only_what_the_experiment_asks_for_is_to_be_seen(view: ExperimentView) -> None:
    names = ("experiment_stops", "experiment_draft", "experiment_other", "experiment_axis_0")
    for name, seen in (("plain", ""), ("grid", "3"), ("full", "012")):
        view.form.show_setup(replace(SETUP, name=name))
        shown = "".join(str(at) for at, each in enumerate(names) if named(view, QWidget, each).isVisible())
        assert shown == seen, name


def test_a_model_that_does_not_suit_is_not_offered(view: ExperimentView) -> None:
    view.form.show_setup(replace(SETUP, name="full"))
    assert view.form.setup().draft == view.form.setup().other == ""
    view.form.show_models((Choice("bad", "/bad", "Its vocabulary differs."), Choice("good", "/good")), ())
    assert (view.form.setup().draft, view.form.setup().other) == ("/good", "")
    assert "No other model" in named(view, QLabel, "experiment_other_words").text()
    view.form.show_models((Choice("bad", "/bad", "Its vocabulary differs."),), (Choice("b", "/b"),))
    assert "Its vocabulary differs." in named(view, QLabel, "experiment_draft_words").text()


def test_figures_come_with_their_spread_and_are_copied(view: ExperimentView) -> None:
    made = at_speeds(["bare", "cached"], [[10.0, 12.0, 11.0], [40.0, 40.0, 40.0]])
    show(view, made)
    rows = cells(view)
    assert rows[0][:3] == ["A  bare", "3", "11.0 (10.0–12.0)"] and rows[1][:3] == ["B  cached", "3", "40.0"]
    grid = named(view, QTableView, "experiment_figures")
    selection = grid.selectionModel()
    for column in (0, 2):
        selection.select(grid.model().index(1, column), QItemSelectionModel.SelectionFlag.Select)
    QTest.keyClick(grid, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Variant\tMean speed (tok/s)\nB  cached\t40.0\n"
    spoken = grid.model().index(1, 2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "B  cached, Mean speed (tok/s): 40.0"


def test_a_space_is_to_be_seen(view: ExperimentView) -> None:
    steps = Detail("Steps", ("Token", "Text"), ((1, " "), (2, "a b"), (3, "\n")))
    made = outcome(["a"], [result(0, 1, even(40, 20))])
    view.results.show_conclusion(Conclusion("Done.", (steps,)), "", made)
    turn(view, 3)
    model = named(view, QTableView, "experiment_detail").model()
    assert [model.index(row, 1).data() for row in range(3)] == ["␣", "a b", "⏎"]


def test_the_curve_of_an_arm_is_that_of_its_middle_run() -> None:
    made = at_speeds(["bare"], [[10.0, 30.0, 20.0]])
    assert middle(made.of(0)).round == 3


def test_the_answer_stands_above_and_says_where_it_rests_on_less(view: ExperimentView, theme: Theme) -> None:
    made = replace(at_speeds(["a", "b"], [[10.0], [20.0]]), warm_ups=(result(0, 0, even(8, 5.0)),), stopped=True)
    show(view, made)
    tabs = named(view, QTabWidget, "experiment_tabs")
    assert not tabs.isTabVisible(3)
    detail = Detail("Gain", ("At", "Times", "Same"), ((100, 2.0, True), (200, None, False)))
    view.results.show_conclusion(Conclusion("Twice as fast.", (detail,)), "Stopped: 1 of 3 rounds done.", made)
    go_dark(theme)
    conclusion = named(view, QLabel, "experiment_conclusion")
    assert conclusion.isVisible() and conclusion.accessibleName() == "Conclusion: Twice as fast."
    assert "1 of 3" in named(view, QLabel, "experiment_caution").text()
    assert "a 5.00 tok/s" in named(view, QLabel, "experiment_warm_ups").text()
    assert tabs.isTabVisible(3)
    turn(view, 3)
    assert cells(view, "experiment_detail") == [["100", "2.00", "yes"], ["200", "", "no"]]
    assert not named(view, QPlainTextEdit, "experiment_detail_text").isVisibleTo(view)
    view.results.clear(None)
    assert not conclusion.isVisible() and named(view, QLabel, "experiment_empty").isVisible()


@pytest.mark.parametrize("extent", ["1.8 to 2.5", "2.3 times, 2 rounds; 7 can"])
@pytest.mark.parametrize("joined", ["; ", ". "])
def test_the_answer_is_what_strikes_the_eye_and_the_rest_of_it_stands_below(
    view: ExperimentView, joined: str, extent: str
) -> None:
    made = at_speeds(["a", "b"], [[10.0], [20.0]])
    show(view, made)
    sentence = f"Twice as fast ({extent}){joined}the same tokens. Others had 5 % of the processors."
    view.results.show_conclusion(Conclusion(sentence), "", made)
    conclusion, further = named(view, QLabel, "experiment_conclusion"), named(view, QLabel, "experiment_further")
    assert conclusion.text() == f"Twice as fast ({extent})."
    assert further.text() == "The same tokens. Others had 5 % of the processors."
    assert conclusion.font().bold() and not further.font().bold()
    assert conclusion.accessibleName() == f"Conclusion: {sentence}"
    view.results.show_conclusion(Conclusion("Twice as fast."), "", made)
    assert not further.isVisible()


def test_what_no_number_answers_is_answered_by_the_details(view: ExperimentView) -> None:
    made = at_speeds(["a", "b"], [[10.0], [20.0]])
    conclusion = Conclusion("The same.", (Detail("Tokens", ("Variant",), (("a",),)),))
    tabs = named(view, QTabWidget, "experiment_tabs")
    for lead, page in (("", "Figures"), (DETAILS_LEAD, "Details")):
        view.results.clear()
        told = replace(made, plan=replace(made.plan, lead=lead))
        show(view, told)
        view.results.show_conclusion(conclusion, "", told)
        assert tabs.tabText(tabs.currentIndex()) == page
    view.results.clear()
    show(view, told)
    turn(view, 2)
    view.results.show_conclusion(conclusion, "", told)
    assert tabs.currentIndex() == 2, "what somebody reads isn't taken away"


def test_two_texts_are_told_apart_for_somebody_who_looks(qtbot: QtBot, view: ExperimentView) -> None:
    runs = [result(arm, 1, even(2, 9.0), texts=texts) for arm, texts in enumerate((("one ", "two"), ("one ", "three")))]
    show(view, outcome(["a", "b"], runs))
    with qtbot.waitSignal(view.results.pair_picked) as picked:
        turn(view, 2)
    assert picked.args == ["one two", "one three"]
    view.results.show_diff(("one two", "one three"), word_diff("one two", "one three"))
    assert named(view, QPlainTextEdit, "experiment_diff").toPlainText() == "one twothree"
    assert "1 only in the first" in named(view, QLabel, "experiment_diff_told").text().replace("words in both, ", "")


def test_a_chosen_text_stays_when_others_come(view: ExperimentView) -> None:
    runs = [result(arm, 1, even(2, 9.0), texts=(f"text {arm}", "")) for arm in range(3)]
    show(view, outcome(["a", "b", "c"], runs[:2]))
    turn(view, 2)
    box = named(view, QComboBox, "experiment_run_0")
    box.setCurrentIndex(1)
    box.activated.emit(1)
    show(view, outcome(["a", "b", "c"], runs))
    assert named(view, QPlainTextEdit, "experiment_text_0").toPlainText() == "text 1"


def test_a_grid_has_its_texts_in_cells(view: ExperimentView) -> None:
    runs = [
        result(arm, at, even(3, 9.0), texts=(f"cell {arm} ", "round ", str(at))) for arm in range(4) for at in (1, 2)
    ]
    made = outcome(["a", "b", "c", "d"], runs)
    tabs = named(view, QTabWidget, "experiment_tabs")
    view.results.clear(Titles(("top k 1", "top k 5"), ("top p 0.5", "top p 1")))
    assert tabs.tabText(tabs.currentIndex()) == "Texts by setting"
    view.results.show_outcome(made, table(made, sampling.DISTINCT))
    found = cells(view, "experiment_cells")
    assert found[1][0].endswith("cell 2 round 1") and "distinct bigrams 1.00" in found[1][0]
    seeds = named(view, QComboBox, "experiment_seed")
    seeds.setCurrentIndex(1)
    grid = named(view, QTableView, "experiment_cells")
    grid.setCurrentIndex(grid.model().index(1, 1))
    assert named(view, QPlainTextEdit, "experiment_cell_text").toPlainText() == "cell 3 round 2"
    assert str(grid.model().index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole)).startswith("top k 1, top p 1: 3 tok")


def test_results_pages_are_filled_before_they_are_shown(view: ExperimentView) -> None:
    runs = [result(arm, 1, even(2, 9.0), texts=(f"text {arm}", "")) for arm in range(2)]
    found = outcome(["a", "b"], runs)
    view.results.clear(Titles(("one",), ("two", "three")))
    show(view, found)
    assert cells(view, "experiment_cells")[0][1].endswith("text 1")
    view.results.show_conclusion(Conclusion("So.", (Detail("Rows", ("Variant",), (("a",),)),)), "", found)
    turn(view, 1)
    assert len(cells(view)) == 2
    turn(view, 3)
    assert cells(view, "experiment_detail") == [["a"]]
    turn(view, 2)
    assert named(view, QPlainTextEdit, "experiment_text_1").toPlainText() == "text 1"


def test_the_tab_key_comes_by_a_page_before_the_buttons_below_it(view: ExperimentView) -> None:
    show(view, outcome(["a"], [result(0, 1, even(2, 9.0))]))
    turn(view, 2)
    way, now = ["experiment_tabs"], named(view, QTabWidget, "experiment_tabs").nextInFocusChain()
    while now is not None and now.objectName() != "experiment_command":
        way.append(now.objectName())
        now = now.nextInFocusChain()
    assert [name for name in way if name.startswith("experiment_run_")] == ["experiment_run_0", "experiment_run_1"]


def test_a_long_text_of_a_detail_is_read_below(view: ExperimentView) -> None:
    made = at_speeds(["a"], [[10.0]])
    text = "two lines\nof a long text " * 4
    view.results.show_conclusion(Conclusion("So.", (Detail("Prompts", ("Variant", "Text"), (("a", text),)),)), "", made)
    turn(view, 3)
    grid, pane = named(view, QTableView, "experiment_detail"), named(view, QPlainTextEdit, "experiment_detail_text")
    assert pane.isVisible()
    grid.setCurrentIndex(grid.model().index(0, 1))
    assert pane.toPlainText() == text
    assert "\n" not in cells(view, "experiment_detail")[0][1]


def test_what_is_varied_can_t_be_set_below(view: ExperimentView) -> None:
    offer = replace(SETUP, name="heat", axes=(("sampling.temperature", "0, 1"),))
    view.form.show_setup(offer)
    assert not named(view, QWidget, "experiment_temperature").isEnabled()
    view.form.show_setup(SETUP)
    assert named(view, QWidget, "experiment_temperature").isEnabled()


def test_numbers_are_explained(view: ExperimentView) -> None:
    show(view, at_speeds(["a"], [[10.0]]))
    head = named(view, QTableView, "experiment_figures").model()
    for column in range(2, head.columnCount() - 1):
        tip = head.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        assert len(str(tip)) > len(str(head.headerData(column, Qt.Orientation.Horizontal))) + 5


def test_drafts_are_shown_in_the_text_on_request_and_told_apart_without_colour(
    view: ExperimentView, theme: Theme
) -> None:
    drafted = Drafted(3, 1, 2, (Rejected(1, (7,), ("vain ",)),))
    plain = result(0, 1, even(2, 9.0), texts=("one ", "two"))
    run = result(1, 1, even(2, 9.0), texts=("one ", "two"), from_draft=(True, False), drafted=drafted)
    show(view, outcome(["off", "1 a step"], [plain, plain]))
    turn(view, 2)
    box, pane = named(view, QCheckBox, "experiment_drafts"), named(view, QPlainTextEdit, "experiment_text_1")
    assert not box.isVisible()
    show(view, outcome(["off", "1 a step"], [plain, run]))
    assert box.isVisible() and pane.toPlainText() == "one two"
    box.setChecked(True)
    assert pane.toPlainText() == "one vain two"
    go_dark(theme)
    looks = []
    for at in (1, 6, 11):
        cursor = pane.textCursor()
        cursor.setPosition(at)
        looks.append((cursor.charFormat().fontUnderline(), cursor.charFormat().fontStrikeOut()))
    assert looks == [(True, False), (False, True), (False, False)]
    assert "1 proposed in vain" in pane.accessibleDescription()
    box.setChecked(False)
    assert pane.toPlainText() == "one two"


def test_the_name_of_a_curve_says_what_the_table_says(view: ExperimentView) -> None:
    made = at_speeds(["a"], [(20, 40)])
    view.results.show_outcome(made, table(made))
    assert named(view, QWidget, "experiment_overlay").accessibleDescription().startswith("A, a: mean 30")


def test_many_arms_are_dots_of_the_number_that_answers(view: ExperimentView) -> None:
    few, many = at_speeds(["a", "b"], [(20, 40)] * 2), at_speeds(list("abcde"), [(20, 40)] * 5)
    show(view, few)
    drawn, dots = named(view, QComboBox, "experiment_drawn"), named(view, QWidget, "experiment_dots")
    assert drawn.currentData() == "" and not dots.isVisible(), "two curves can be told apart"
    show(view, many)
    assert drawn.currentData() == "speed_mean" and dots.isVisible()
    assert "b, 30.0" in dots.accessibleDescription()
    led = replace(few, plan=replace(few.plan, lead="tokens"))
    show(view, led)
    assert drawn.currentText() == "Tokens" and dots.accessibleDescription().startswith("Tokens: a, ")
    drawn.setCurrentIndex(drawn.findData("first_token"))
    drawn.activated.emit(drawn.currentIndex())
    show(view, led)
    assert dots.accessibleDescription().startswith("First token: "), "what somebody chose stays"
    before = dots.grab().toImage()
    show(view, many)
    assert dots.grab().toImage() != before


def test_the_prompt_shows_as_many_lines_of_larger_text(view: ExperimentView, theme: Theme) -> None:
    prompt = named(view, QPlainTextEdit, "experiment_prompt")
    theme.resize(200)
    assert prompt.height() > PROMPT_LINES * prompt.fontMetrics().lineSpacing()


def test_tables_give_larger_text_its_room(view: ExperimentView, theme: Theme) -> None:
    view.results.clear(Titles(("top k 1", "top k 5"), ("top p 0.5", "top p 1")))
    show(view, at_speeds(["a", "b", "c", "d"], [[10.0]] * 4))
    turn(view, 1)
    turn(view, 0)
    figures, texts = named(view, QTableView, "experiment_figures"), named(view, QTableView, "experiment_cells")
    before = texts.rowHeight(0)
    theme.resize(200)
    for place in range(figures.model().columnCount()):
        lines = str(figures.model().headerData(place, Qt.Orientation.Horizontal)).split("\n")
        if not figures.isColumnHidden(place):
            assert figures.columnWidth(place) > max(map(figures.fontMetrics().horizontalAdvance, lines))
    assert figures.rowHeight(0) > figures.fontMetrics().lineSpacing()
    assert texts.rowHeight(0) == 2 * before


NAMES = ("sampling.temperature", "sampling.repetition_penalty", "kv.quantized_start")


@pytest.mark.parametrize("chosen", NAMES)
def test_no_name_of_a_setting_is_cut_in_large_text(qtbot: QtBot, theme: Theme, chosen: str) -> None:
    """“temperat…” stood there, beside values that had more room than they took."""
    theme.resize(200)
    part = AxesPart(theme)
    qtbot.addWidget(part)
    part.offer([(name, setting_name(name)) for name in NAMES], 1, 1)
    part.resize(400, 200)
    part.show()
    box, values = named(part, QComboBox, "experiment_axis_0"), named(part, QLineEdit, "experiment_values_0")
    box.setCurrentIndex(NAMES.index(chosen))
    box.activated.emit(box.currentIndex())
    qtbot.waitUntil(lambda: _room(box) >= box.fontMetrics().horizontalAdvance(box.currentText()))
    assert values.geometry().right() < part.width() and values.width() > 60


def _room(box: QComboBox) -> int:
    option, field = QStyleOptionComboBox(), QStyle.SubControl.SC_ComboBoxEditField
    box.initStyleOption(option)
    return box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, box).width()
