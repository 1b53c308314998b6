"""The parts of the panel, one by one: seed, length, end, tokens, cache, draft, sections."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QComboBox, QLabel, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.controls import Controls
from app.engine.tools import EXAMPLE
from app.engine.types import AT_THE_END, ENDLESS, KV, Limits
from app.library.types import FolderChoice
from app.ui.controls import ControlsPanel
from app.ui.controls.advanced_parts import DraftPart, KvPart
from app.ui.controls.end_part import EndPart, FreeTokens, LengthPart, free_text, rounded
from app.ui.controls.number_rows import Seed
from app.ui.controls.section import Section
from app.ui.controls.token_list import EndTokens, LogitBias
from app.ui.look.theme import Theme
from app.ui.widgets.limit_slider import LimitSlider
from app.ui.widgets.number_field import NumberField, WholeField
from tests.ui.conftest import go_dark
from tests.ui.desk import named


def words(part: QWidget, name: str) -> str:
    return named(part, QLabel, name).text()


def seek(tokens: EndTokens | LogitBias, text: str) -> None:
    line = named(tokens, QLineEdit, f"{tokens.search.objectName()}_search")
    line.clear()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def test_a_seed_is_new_each_run_fixed_or_the_last_one(qtbot: QtBot, theme: Theme) -> None:
    seed = Seed(theme)
    qtbot.addWidget(seed)
    told: list[int | None] = []
    seed.edited.connect(told.append)
    use_last, renew = named(seed, QAbstractButton, "use_last_seed"), named(seed, QAbstractButton, "new_seeds")
    assert named(seed, WholeField, "seed").text() == "New each run"
    assert not use_last.isVisibleTo(seed)
    seed.show_last(1234)
    assert use_last.isVisibleTo(seed)
    assert "1234" in use_last.text()
    use_last.click()
    seed.show_value(1234, "")
    assert not use_last.isVisibleTo(seed)
    renew.click()
    seed.show_value(2**63 - 1, "")
    assert named(seed, WholeField, "seed").text() == "9223372036854775807"
    seed.show_value(2**62, "")
    assert named(seed, WholeField, "seed").text() == "4611686018427387904"
    seed.show_value(2**31 - 1, "")
    assert named(seed, WholeField, "seed").text() == "2147483647"
    seed.show_value(2**62, "")
    named(seed, WholeField, "seed").setValue(7)
    assert told == [1234, None, 7]


def test_the_limit_knows_what_there_is_room_for(qtbot: QtBot, theme: Theme) -> None:
    length = LengthPart(theme)
    qtbot.addWidget(length)
    told: list[int] = []
    length.edited.connect(told.append)
    length.show_limit(256)
    length.show_free(FreeTokens(context=1000, memory=123_456, longest=131_072))
    assert words(length, "max_tokens_room") == "1,000 tokens fit into the context window", "where it ends first"
    slider = named(length, LimitSlider, "max_tokens_slider")
    slider.setValue(slider.maximum())
    assert told == [131_072]
    named(length, WholeField, "max_tokens").setValue(0)
    assert told[-1] == ENDLESS


def test_room_in_words() -> None:
    assert free_text(FreeTokens()) == ""
    assert free_text(FreeTokens(context=2_000_000, memory=1_234_567)) == "About 1,200,000 tokens fit into memory"
    assert free_text(FreeTokens(memory=1_234_567)) == "About 1,200,000 tokens fit into memory"
    assert [rounded(number) for number in (0, 7, 99, 101, 9_999)] == [0, 7, 99, 100, 9_900]


def test_marks_are_painted_where_the_numbers_stand(qtbot: QtBot, theme: Theme) -> None:
    slider = LimitSlider(theme)
    qtbot.addWidget(slider)
    slider.resize(200, 24)
    bare = slider.grab().toImage()
    slider.mark((2048,), 0)
    marked = slider.grab().toImage()
    changed = [x for x in range(200) if any(bare.pixel(x, y) != marked.pixel(x, y) for y in range(24))]
    place = 200 * 11 / 15
    assert changed
    assert all(abs(x - place) < 12 for x in changed)


def test_stop_strings_are_read_back_to_the_eye(qtbot: QtBot, theme: Theme) -> None:
    end = EndPart(theme)
    qtbot.addWidget(end)
    told: list[tuple[str, object]] = []
    end.edited.connect(lambda name, value: told.append((name, value)))
    editor = named(end, QPlainTextEdit, "stop_strings")
    editor.setPlainText("\\n\\n\n END")
    assert told[-1] == ("stop_strings", ("\n\n", " END"))
    assert words(end, "stop_strings_read") == "Stops at “⏎⏎”, “␣END”"
    editor.setPlainText("a\\q")
    assert words(end, "stop_strings_reason").startswith("“\\q” is no escape")
    editor.setPlainText("a\nb\na")
    assert words(end, "stop_strings_reason") == "“a” is listed twice."
    editor.setPlainText("x" * 1_001 + "\na")
    end.show_values(Limits(stop_strings=("a",)), 1)
    assert dict(told)["stop_strings"] == ("a",), "what would not be kept is not taken"
    assert words(end, "stop_strings_reason").endswith("characters are allowed; others are ignored.")
    assert len(editor.toPlainText()) == 1_003
    editor.setPlainText("a")
    assert words(end, "stop_strings_reason") == words(end, "stop_strings_read") == ""


@pytest.mark.parametrize(("place", "interval"), [(0, 1), (1, 8), (2, AT_THE_END)])
def test_the_stream_interval(qtbot: QtBot, theme: Theme, place: int, interval: int) -> None:
    end = EndPart(theme)
    qtbot.addWidget(end)
    end.show_values(Limits(), 5)
    assert named(end, WholeField, "stream_every").value() == 5
    choice = named(end, QComboBox, "stream_interval")
    with qtbot.waitSignal(end.edited, raising=place != 1) as told:
        choice.setCurrentIndex(place)
        if place == 1:
            named(end, WholeField, "stream_every").setValue(8)
    assert told.args == ["interval", interval]


def test_a_token_is_taken_by_its_text(qtbot: QtBot, theme: Theme) -> None:
    tokens = EndTokens(theme)
    qtbot.addWidget(tokens)
    tokens.edited.connect(tokens.show_tokens)
    sought: list[str] = []
    tokens.search.wanted.connect(sought.append)
    seek(tokens, "END")
    assert words(tokens, "stop_ids_answer").startswith("Open a model first")
    tokens.limit_to(100)
    seek(tokens, " END\\n")
    assert sought == [" END\n"]
    tokens.search.show_found("something else", ((1, "x"),))
    tokens.search.show_found(" END\n", ((7, " END\n"),))
    assert words(tokens, "stop_ids_7") == "␣END⏎  #7"
    seek(tokens, "#7")
    tokens.search.show_found("#7", ((7, " END\n"),))
    assert words(tokens, "stop_ids_answer") == "It is already in the list."
    named(tokens, QAbstractButton, "stop_ids_7_remove").click()
    assert tokens.findChild(QLabel, "stop_ids_7") is None or not named(tokens, QLabel, "stop_ids_7").isVisibleTo(tokens)


def test_a_text_of_several_tokens_is_a_choice(qtbot: QtBot, theme: Theme) -> None:
    tokens = EndTokens(theme)
    qtbot.addWidget(tokens)
    tokens.limit_to(100)
    seek(tokens, "the end")
    tokens.search.show_found("the end", ((3, "the"), (4, " end")))
    assert words(tokens, "stop_ids_answer") == "“the␣end” is 2 tokens. Pick the one you mean:"
    tokens.limit_to(100)
    assert words(tokens, "stop_ids_answer") == "", "those are the ids of the model before"
    named(tokens, QLineEdit, "stop_ids_search").clear()
    seek(tokens, "the end")
    tokens.search.show_found("the end", ((3, "the"), (4, " end")))
    with qtbot.waitSignal(tokens.edited) as told:
        named(tokens, QAbstractButton, "choice_4").click()
    assert told.args == [(4,)]
    assert words(tokens, "stop_ids_answer") == ""


@pytest.mark.parametrize(("text", "reason"), [("#100", "This model's ids go from 0 to 99."), ("#99", "Looking it up…")])
def test_ids_of_no_token_are_refused(qtbot: QtBot, theme: Theme, text: str, reason: str) -> None:
    tokens = EndTokens(theme)
    qtbot.addWidget(tokens)
    tokens.limit_to(100)
    seek(tokens, text)
    assert words(tokens, "stop_ids_answer") == reason


def test_a_bias_has_a_number_for_each_token(qtbot: QtBot, theme: Theme) -> None:
    bias = LogitBias(theme)
    qtbot.addWidget(bias)
    told: list[object] = []
    bias.edited.connect(told.append)
    bias.edited.connect(bias.show_tokens)
    bias.limit_to(100)
    bias.show_tokens(((3, -5.0), (200, 1.0)))
    assert words(bias, "logit_bias_200") == "not in this model  #200"
    named(bias, NumberField, "bias_3").setValue(-7.5)
    seek(bias, "#4")
    bias.search.show_found("#4", ((4, "x"),))
    assert told == [((3, -7.5), (200, 1.0)), ((3, -7.5), (200, 1.0), (4, 1.0))]
    bias.name_tokens({3: " and"})
    shown = [label.text() for label in bias.findChildren(QLabel) if label.objectName() == "logit_bias_3"]
    assert "␣and  #3" in shown


def test_the_cache_is_greyed_with_the_models_reason(qtbot: QtBot, theme: Theme) -> None:
    part = KvPart(theme)
    qtbot.addWidget(part)
    refusals = {"max_kv_size": "It ignores the size."}
    part.edited.connect(lambda kv: part.show_value(kv, False, refusals, (32,)))
    bits, size = named(part, QComboBox, "kv_bits"), named(part, WholeField, "kv_max_size")
    group = named(part, QComboBox, "kv_group_size")
    part.show_value(KV(), False, refusals, (32,))
    assert not size.isEnabled()
    assert size.toolTip().endswith("It ignores the size.")
    assert not group.isEnabled()
    with qtbot.waitSignal(part.edited) as told:
        bits.setCurrentIndex(bits.findData(4))
    assert told.args == [KV(bits=4, group_size=32)], "the group that suits heads of 32"
    assert group.isEnabled()
    group.setCurrentIndex(group.findData(128))
    assert "head size is 32" in words(part, "kv_group_size_reason")
    named(part, QCheckBox, "kv_enabled").click()
    assert not bits.isEnabled()


def test_a_draft_that_can_not_be_says_why(qtbot: QtBot, theme: Theme) -> None:
    part = DraftPart(theme)
    qtbot.addWidget(part)
    choice = named(part, QComboBox, "draft_model")
    assert words(part, "draft_reasons") == "There is no other model on this computer."
    part.show_choices(
        (FolderChoice("large", Path("/m/large"), "it is the model itself."), FolderChoice("small", Path("/m/small"))),
        None,
        True,
    )
    assert [choice.itemText(row) for row in range(choice.count())] == ["None", "small", "large"]
    assert words(part, "draft_reasons") == "large: it is the model itself."
    assert not named(part, WholeField, "draft_tokens").isEnabled()
    with qtbot.waitSignal(part.picked) as told:
        choice.setFocus()
        QTest.keyClick(choice, Qt.Key.Key_Down)
    assert told.args == [Path("/m/small")]
    part.show_choices((FolderChoice("small", Path("/m/small")),), Path("/m/small"), True)
    assert named(part, WholeField, "draft_tokens").isEnabled()
    assert choice.currentText() == "small"


def test_where_no_draft_is_possible_the_reason_stands_there(qtbot: QtBot, theme: Theme) -> None:
    part = DraftPart(theme)
    qtbot.addWidget(part)
    part.show_choices((FolderChoice("small", Path("/m/small")),), None, True, "Layers share what they keep.")
    assert words(part, "draft_reasons") == "Layers share what they keep."
    assert not named(part, QComboBox, "draft_model").isEnabled()
    assert not named(part, QAbstractButton, "browse_drafts").isEnabled()
    part.show_choices((FolderChoice("small", Path("/m/small")),), None, True)
    assert named(part, QComboBox, "draft_model").isEnabled()


def test_a_section_folds_and_says_what_is_in_it(qtbot: QtBot, theme: Theme) -> None:
    body = QLabel("inside")
    section = Section(theme, "one", "One", body)
    qtbot.addWidget(section)
    section.resize(260, 100)
    section.show()
    heading = named(section, QAbstractButton, "fold_one")
    plain = heading.grab().toImage()
    section.note("2 changed")
    assert heading.accessibleDescription() == "2 changed"
    assert heading.grab().toImage() != plain
    heading.click()
    assert not body.isVisible()
    assert heading.toolTip() == "Expand One"
    section.open()
    assert body.isVisible()
    go_dark(theme)
    assert heading.grab().toImage() != plain


def test_a_limit_beyond_the_room_says_where_a_run_ends(qtbot: QtBot, theme: Theme) -> None:
    length = LengthPart(theme)
    qtbot.addWidget(length)
    length.show_free(FreeTokens(context=100))
    length.show_limit(100)
    assert words(length, "max_tokens_room") == "100 tokens fit into the context window"
    length.show_limit(101)
    assert words(length, "max_tokens_room") == "100 tokens fit into the context window: a run ends at that length."
    length.show_limit(ENDLESS)
    assert words(length, "max_tokens_room") == "100 tokens fit into the context window"


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> ControlsPanel:
    made = ControlsPanel(theme)
    qtbot.addWidget(made)
    return made


def test_an_example_to_begin_with_and_what_is_wrong(panel: ControlsPanel, qtbot: QtBot) -> None:
    editor, example = named(panel, QPlainTextEdit, "tools"), named(panel, QAbstractButton, "tools_example")
    with qtbot.waitSignal(panel.edited) as edited:
        example.click()
    assert edited.args is not None and edited.args[0].tools == EXAMPLE == editor.toPlainText()
    assert example.isHidden() and named(panel, QLabel, "tools_wrong").text() == ""
    editor.setPlainText("\ufeff[{")
    assert panel.values.tools == "\ufeff[{"
    assert named(panel, QLabel, "tools_wrong").text().startswith("The tools are not valid JSON")
    with qtbot.assertNotEmitted(panel.edited):
        panel.show_values(Controls(tools='{"name": "a"}'))
    assert editor.toPlainText() == '{"name": "a"}' and named(panel, QLabel, "tools_wrong").text() == ""


def test_a_model_without_tools_says_why_and_keeps_the_text(panel: ControlsPanel) -> None:
    panel.tools.show_value(EXAMPLE, "A server.")
    editor, wrong = named(panel, QPlainTextEdit, "tools"), named(panel, QLabel, "tools_wrong")
    assert (editor.isEnabled(), editor.toPlainText(), wrong.text()) == (False, EXAMPLE, "A server.")
    assert editor.toolTip().endswith("A server.")
    panel.tools.show_value("", "A server.")
    assert wrong.text() == "", "nothing was asked of it"
    panel.tools.show_value(EXAMPLE, "")
    assert editor.isEnabled() and wrong.text() == ""
