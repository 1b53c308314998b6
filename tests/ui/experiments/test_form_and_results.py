"""Form and results of the window of experiments."""

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
from app.engine.types import DraftStats, RejectedTokens
from app.experiments.metrics import table
from app.experiments.pace import middle
from app.experiments.texts import DISTINCT
from app.experiments.types import DETAILS_LEAD, Conclusion, Detail, ExperimentOutcome
from app.records.comparison import word_diff
from app.ui.experiments.form import AxesPart, ExperimentForm
from app.ui.experiments.results import Results
from app.ui.experiments.setup import ExperimentKind, ExperimentSetup, GridTitles, ModelChoice
from app.ui.look.theme import Theme
from app.ui.widgets import in_row
from tests.experiments.builders import at_speeds, even, outcome, result
from tests.ui.cells import cells
from tests.ui.conftest import go_dark
from tests.ui.desk import named

OFFERS = (
    ExperimentKind("plain", "Plain?", "Is it plain?"),
    ExperimentKind(
        "grid", "A grid", "Which?", axes=2, settings=(("sampling.top_k", "top k"), ("sampling.top_p", "top p"))
    ),
    ExperimentKind("heat", "Heat", "How?", axes=3, settings=(("sampling.temperature", "temperature"),)),
    ExperimentKind("full", "All data", "What?", stops=True, drafts=True, others=True),
)
SETUP = ExperimentSetup("plain", "Say something", 64, 0.5, 3)


class View(QWidget):
    """Form and results without the rest of the window."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.form, self.results = ExperimentForm(theme, OFFERS), Results(theme)
        in_row(self.form, (self.results, 1), on=self)
        self.resize(1120, 760)


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> View:
    made = View(theme)
    qtbot.addWidget(made)
    made.form.show_setup(SETUP)
    made.show()
    return made


def show(view: View, made: ExperimentOutcome) -> None:
    view.results.show_outcome(made, table(made))


def turn(view: View, page: int) -> None:
    named(view, QTabWidget, "experiment_tabs").setCurrentIndex(page)


def test_form_shown_setup_is_returned(view: View) -> None:
    assert view.form.setup() == SETUP
    grid = replace(SETUP, name="grid", axes=(("sampling.top_p", "0.5, 1"), ("sampling.top_k", "1")))
    view.form.show_setup(grid)
    assert view.form.setup() == grid
    named(view, QLineEdit, "experiment_values_1").setText("4, 5")
    assert view.form.setup().axes[1] == ("sampling.top_k", "4, 5")


def test_form_shows_only_fields_of_the_experiment(view: View) -> None:
    names = ("experiment_stops", "experiment_draft", "experiment_other", "experiment_axis_0")
    for name, seen in (("plain", ""), ("grid", "3"), ("full", "012")):
        view.form.show_setup(replace(SETUP, name=name))
        shown = "".join(str(at) for at, each in enumerate(names) if named(view, QWidget, each).isVisible())
        assert shown == seen, name


def test_form_unsuitable_model_is_not_offered(view: View) -> None:
    view.form.show_setup(replace(SETUP, name="full"))
    assert view.form.setup().draft == view.form.setup().other == ""
    view.form.show_models((ModelChoice("bad", "/bad", "Its vocabulary differs."), ModelChoice("good", "/good")), ())
    assert (view.form.setup().draft, view.form.setup().other) == ("/good", "")
    assert "No other model" in named(view, QLabel, "experiment_other_words").text()
    view.form.show_models((ModelChoice("bad", "/bad", "Its vocabulary differs."),), (ModelChoice("b", "/b"),))
    assert "Its vocabulary differs." in named(view, QLabel, "experiment_draft_words").text()


def test_figures_have_a_spread_and_can_be_copied(view: View) -> None:
    made = at_speeds(["bare", "cached"], [[10.0, 12.0, 11.0], [40.0, 40.0, 40.0]])
    show(view, made)
    grid = named(view, QTableView, "experiment_figures")
    rows = cells(grid)
    assert rows[0][:3] == ["A  bare", "3", "11.0 (10.0–12.0)"] and rows[1][:3] == ["B  cached", "3", "40.0"]
    selection = grid.selectionModel()
    for column in (0, 2):
        selection.select(grid.model().index(1, column), QItemSelectionModel.SelectionFlag.Select)
    QTest.keyClick(grid, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Variant\tMean speed (tok/s)\nB  cached\t40.0\n"
    spoken = grid.model().index(1, 2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "B  cached, Mean speed (tok/s): 40.0"


def test_details_whitespace_is_visible(view: View) -> None:
    steps = Detail("Steps", ("Token", "Text"), ((1, " "), (2, "a b"), (3, "\n")))
    made = outcome(["a"], [result(0, 1, even(40, 20))])
    view.results.show_conclusion(Conclusion("Done.", "", (steps,)), "", made)
    turn(view, 3)
    assert [text for _, text in cells(named(view, QTableView, "experiment_detail"))] == ["␣", "a b", "⏎"]


def test_curve_of_a_variant_is_that_of_its_median_run() -> None:
    made = at_speeds(["bare"], [[10.0, 30.0, 20.0]])
    assert middle(made.of(0)).round == 3


def test_conclusion_is_shown_with_its_cautions(view: View, theme: Theme) -> None:
    made = replace(at_speeds(["a", "b"], [[10.0], [20.0]]), warm_ups=(result(0, 0, even(8, 5.0)),), stopped=True)
    show(view, made)
    tabs = named(view, QTabWidget, "experiment_tabs")
    assert not tabs.isTabVisible(3)
    detail = Detail("Gain", ("At", "Times", "Same"), ((100, 2.0, True), (200, None, False)))
    view.results.show_conclusion(Conclusion("Twice as fast.", "", (detail,)), "Stopped: 1 of 3 rounds done.", made)
    go_dark(theme)
    conclusion = named(view, QLabel, "experiment_conclusion")
    assert conclusion.isVisible() and conclusion.accessibleName() == "Conclusion: Twice as fast."
    assert "1 of 3" in named(view, QLabel, "experiment_caution").text()
    assert "a 5.00 tok/s" in named(view, QLabel, "experiment_warm_ups").text()
    assert tabs.isTabVisible(3)
    turn(view, 3)
    assert cells(named(view, QTableView, "experiment_detail")) == [["100", "2.00", "yes"], ["200", "", "no"]]
    assert not named(view, QPlainTextEdit, "experiment_detail_text").isVisibleTo(view)
    view.results.clear(None)
    assert not conclusion.isVisible() and named(view, QLabel, "experiment_empty").isVisible()


def test_conclusion_headline_is_bold_and_the_rest_below(view: View) -> None:
    made = at_speeds(["a", "b"], [[10.0], [20.0]])
    show(view, made)
    view.results.show_conclusion(Conclusion("Twice as fast.", "The same tokens."), "", made)
    conclusion, further = named(view, QLabel, "experiment_conclusion"), named(view, QLabel, "experiment_further")
    assert (conclusion.text(), further.text()) == ("Twice as fast.", "The same tokens.")
    assert conclusion.font().bold() and not further.font().bold()
    assert conclusion.accessibleName() == "Conclusion: Twice as fast. The same tokens."
    view.results.show_conclusion(Conclusion("Twice as fast."), "", made)
    assert not further.isVisible()


def test_conclusion_without_a_figure_turns_to_the_details(view: View) -> None:
    made = at_speeds(["a", "b"], [[10.0], [20.0]])
    conclusion = Conclusion("The same.", "", (Detail("Tokens", ("Variant",), (("a",),)),))
    tabs = named(view, QTabWidget, "experiment_tabs")
    for lead, page in (("", "Figures"), (DETAILS_LEAD, "Details")):
        view.results.clear()
        outcome_with_lead = replace(made, plan=replace(made.plan, lead=lead))
        show(view, outcome_with_lead)
        view.results.show_conclusion(conclusion, "", outcome_with_lead)
        assert tabs.tabText(tabs.currentIndex()) == page
    view.results.clear()
    show(view, outcome_with_lead)
    turn(view, 2)
    view.results.show_conclusion(conclusion, "", outcome_with_lead)
    assert tabs.currentIndex() == 2, "what somebody reads isn't taken away"


def test_texts_visible_page_asks_for_a_diff(qtbot: QtBot, view: View) -> None:
    runs = [result(arm, 1, even(2, 9.0), texts=texts) for arm, texts in enumerate((("one ", "two"), ("one ", "three")))]
    show(view, outcome(["a", "b"], runs))
    with qtbot.waitSignal(view.results.texts.diff.pair_picked) as picked:
        turn(view, 2)
    assert picked.args == ["one two", "one three"]
    view.results.texts.diff.show_diff(("one two", "one three"), word_diff("one two", "one three"))
    assert named(view, QPlainTextEdit, "experiment_diff").toPlainText() == "one twothree"
    assert "1 only in the first" in named(view, QLabel, "experiment_diff_told").text().replace("words in both, ", "")


def test_texts_chosen_run_stays_when_others_come(view: View) -> None:
    runs = [result(arm, 1, even(2, 9.0), texts=(f"text {arm}", "")) for arm in range(3)]
    show(view, outcome(["a", "b", "c"], runs[:2]))
    turn(view, 2)
    box = named(view, QComboBox, "experiment_run_0")
    box.setCurrentIndex(1)
    box.activated.emit(1)
    show(view, outcome(["a", "b", "c"], runs))
    assert named(view, QPlainTextEdit, "experiment_text_0").toPlainText() == "text 1"


def test_cells_show_texts_of_a_grid(view: View) -> None:
    runs = [
        result(arm, at, even(3, 9.0), texts=(f"cell {arm} ", "round ", str(at))) for arm in range(4) for at in (1, 2)
    ]
    made = outcome(["a", "b", "c", "d"], runs)
    tabs = named(view, QTabWidget, "experiment_tabs")
    view.results.clear(GridTitles(("top k 1", "top k 5"), ("top p 0.5", "top p 1")))
    assert tabs.tabText(tabs.currentIndex()) == "Texts by settings"
    view.results.show_outcome(made, table(made, DISTINCT))
    grid = named(view, QTableView, "experiment_cells")
    found = cells(grid)
    assert found[1][0].endswith("cell 2 round 1") and "distinct bigrams 1.00" in found[1][0]
    seeds = named(view, QComboBox, "experiment_seed")
    seeds.setCurrentIndex(1)
    grid.setCurrentIndex(grid.model().index(1, 1))
    assert named(view, QPlainTextEdit, "experiment_cell_text").toPlainText() == "cell 3 round 2"
    assert str(grid.model().index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole)).startswith("top k 1, top p 1: 3 tok")


def test_details_long_text_is_shown_below(view: View) -> None:
    made = at_speeds(["a"], [[10.0]])
    text = "two lines\nof a long text " * 4
    detail = Detail("Prompts", ("Variant", "Text"), (("a", text),))
    view.results.show_conclusion(Conclusion("So.", details=(detail,)), "", made)
    turn(view, 3)
    grid, pane = named(view, QTableView, "experiment_detail"), named(view, QPlainTextEdit, "experiment_detail_text")
    assert pane.isVisible()
    grid.setCurrentIndex(grid.model().index(0, 1))
    assert pane.toPlainText() == text
    assert "\n" not in cells(grid)[0][1]


def test_form_varied_setting_is_disabled(view: View) -> None:
    offer = replace(SETUP, name="heat", axes=(("sampling.temperature", "0, 1"),))
    view.form.show_setup(offer)
    assert not named(view, QWidget, "experiment_temperature").isEnabled()
    view.form.show_setup(SETUP)
    assert named(view, QWidget, "experiment_temperature").isEnabled()


def test_texts_drafts_are_marked_without_color_on_request(view: View, theme: Theme) -> None:
    drafted = DraftStats(3, 1, 2, (RejectedTokens(1, (7,), ("vain ",)),))
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
    assert "1 rejected" in pane.accessibleDescription()
    box.setChecked(False)
    assert pane.toPlainText() == "one two"


def test_figures_many_variants_are_plotted_as_dots(view: View) -> None:
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
    assert dots.accessibleDescription().startswith("Time to first token: "), "the chosen measure stays"
    before = dots.grab().toImage()
    show(view, many)
    assert dots.grab().toImage() != before


NAMES = ("sampling.temperature", "sampling.repetition_penalty", "kv.quantized_start")


@pytest.mark.parametrize("chosen", NAMES)
def test_axes_names_fit_in_large_text(qtbot: QtBot, theme: Theme, chosen: str) -> None:
    theme.resize(200)
    part = AxesPart(theme)
    qtbot.addWidget(part)
    part.set_choices([(name, setting_name(name)) for name in NAMES], 1, 1)
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
