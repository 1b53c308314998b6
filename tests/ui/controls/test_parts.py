from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QComboBox, QLabel, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.engine.types import AT_THE_END, AUTOMATIC, ENDLESS, KV, Limits
from app.library.types import FolderChoice
from app.ui.controls.advanced_parts import LOOKUP, DraftPart, KvPart
from app.ui.controls.end_part import EndPart, FreeTokens, LengthPart, LimitSlider, free_text, rounded
from app.ui.controls.number_rows import Seed
from app.ui.controls.section import Section
from app.ui.controls.token_list import EndTokens, LogitBias
from app.ui.look.theme import Theme
from app.ui.widgets.number_field import NumberField, WholeField
from tests.ui.conftest import go_dark
from tests.ui.desk import named


def words(part: QWidget, name: str) -> str:
    return named(part, QLabel, name).text()


def search(tokens: EndTokens | LogitBias, text: str) -> None:
    line = named(tokens, QLineEdit, f"{tokens.search.objectName()}_search")
    line.clear()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def test_seed_is_new_each_run_fixed_or_the_last_one(qtbot: QtBot, theme: Theme) -> None:
    seed = Seed(theme)
    qtbot.addWidget(seed)
    edits: list[int | None] = []
    seed.edited.connect(edits.append)
    field, use_last = named(seed, WholeField, "seed"), named(seed, QAbstractButton, "use_last_seed")
    assert field.text() == "New each run"
    assert not use_last.isVisibleTo(seed)
    seed.show_last(1234)
    assert use_last.isVisibleTo(seed) and "1234" in use_last.text()
    use_last.click()
    seed.show_value(1234, "")
    assert not use_last.isVisibleTo(seed)
    named(seed, QAbstractButton, "new_seeds").click()
    for value in (2**63 - 1, 2**62, 2**31 - 1, 2**62):
        seed.show_value(value, "")
        assert field.text() == str(value)
    field.setValue(7)
    assert edits == [1234, None, 7]


@pytest.fixture
def length(qtbot: QtBot, theme: Theme) -> LengthPart:
    made = LengthPart(theme)
    qtbot.addWidget(made)
    return made


def test_max_tokens_slider_ends_at_the_context_length(length: LengthPart) -> None:
    edits: list[int] = []
    length.edited.connect(edits.append)
    length.show_limit(256)
    length.show_free(FreeTokens(context=1000, memory=123_456, longest=131_072))
    slider, field = named(length, LimitSlider, "max_tokens_slider"), named(length, WholeField, "max_tokens")
    slider.setValue(slider.maximum())
    field.setValue(0)
    assert edits == [131_072, ENDLESS]
    length.show_limit(32)
    place = slider.value()
    length.show_limit(33)
    assert (slider.value(), field.value()) == (place, 33)
    length.show_limit(ENDLESS)
    assert slider.value() == slider.maximum()


def test_max_tokens_note_warns_of_a_limit_that_does_not_fit(length: LengthPart) -> None:
    length.show_free(FreeTokens(context=100))
    fits = "100 tokens fit into the context window"
    for limit, text in ((100, fits), (101, f"{fits}: a run ends there, before max tokens."), (ENDLESS, fits)):
        length.show_limit(limit)
        assert words(length, "max_tokens_room") == text


def test_free_text_is_of_what_is_less() -> None:
    assert free_text(FreeTokens()) == ""
    assert free_text(FreeTokens(context=1000, memory=123_456)) == "1,000 tokens fit into the context window"
    assert free_text(FreeTokens(context=2_000_000, memory=1_234_567)) == "About 1,200,000 tokens fit into memory"
    unknown = free_text(FreeTokens(context=1000, without_conversation=False))
    assert unknown == "1,000 tokens in the context window, for the conversation and the answer"
    assert free_text(FreeTokens(memory=1_234_567)) == "About 1,200,000 tokens fit into memory"
    assert [rounded(number) for number in (0, 7, 99, 101, 9_999)] == [0, 7, 99, 100, 9_900]


def test_limit_slider_mark_is_painted_at_its_number(qtbot: QtBot, theme: Theme) -> None:
    slider = LimitSlider(theme)
    qtbot.addWidget(slider)
    slider.resize(200, 24)
    bare = slider.grab().toImage()
    slider.mark((2048,), 0)
    marked = slider.grab().toImage()
    changed = [x for x in range(200) if any(bare.pixel(x, y) != marked.pixel(x, y) for y in range(24))]
    assert changed and all(abs(x - 200 * 11 / 15) < 12 for x in changed)


@pytest.fixture
def end(qtbot: QtBot, theme: Theme) -> EndPart:
    made = EndPart(theme)
    qtbot.addWidget(made)
    return made


def test_stop_strings_have_escapes_limits_and_warnings(end: EndPart) -> None:
    edits: list[object] = []
    end.edited.connect(lambda name, value: edits.append((name, value)))
    editor = named(end, QPlainTextEdit, "stop_strings")
    editor.setPlainText("\\n\\n\n END")
    assert edits.pop() == ("stop_strings", ("\n\n", " END"))
    assert words(end, "stop_strings_read") == "Stops at “⏎⏎”, “␣END”"
    editor.setPlainText("a\\q")
    assert words(end, "stop_strings_reason").startswith("“\\q” is no escape")
    editor.setPlainText("a\nb\na")
    assert words(end, "stop_strings_reason") == "“a” is listed twice."
    editor.setPlainText("x" * 1_001 + "\na")
    end.show_values(Limits(stop_strings=("a",)), 1)
    assert edits.pop() == ("stop_strings", ("a",)), "a string that is too long is left out"
    assert words(end, "stop_strings_reason").endswith("characters are allowed; others are ignored.")
    assert len(editor.toPlainText()) == 1_003
    editor.setPlainText("a")
    assert words(end, "stop_strings_reason") == words(end, "stop_strings_read") == ""


@pytest.mark.parametrize(("place", "interval"), [(0, 1), (1, 8), (2, AT_THE_END)])
def test_stream_interval_chosen_is_emitted(end: EndPart, qtbot: QtBot, place: int, interval: int) -> None:
    end.show_values(Limits(), 5)
    assert named(end, WholeField, "stream_every").value() == 5
    choice = named(end, QComboBox, "stream_interval")
    with qtbot.waitSignal(end.edited, raising=place != 1) as edited:
        choice.setCurrentIndex(place)
        if place == 1:
            named(end, WholeField, "stream_every").setValue(8)
    assert edited.args == ["interval", interval]


@pytest.fixture
def tokens(qtbot: QtBot, theme: Theme) -> EndTokens:
    made = EndTokens(theme)
    qtbot.addWidget(made)
    made.edited.connect(made.show_tokens)
    return made


def test_stop_token_is_added_by_text_and_removed(tokens: EndTokens) -> None:
    queries: list[str] = []
    tokens.search.wanted.connect(queries.append)
    search(tokens, "END")
    assert words(tokens, "stop_ids_answer").startswith("Open a model first")
    tokens.limit_to(100)
    search(tokens, "#100")
    assert words(tokens, "stop_ids_answer") == "This model's ids go from 0 to 99."
    search(tokens, " END\\n")
    assert queries == [" END\n"]
    tokens.search.show_found("something else", ((1, "x"),))
    tokens.search.show_found(" END\n", ((7, " END\n"),))
    assert words(tokens, "stop_ids_7") == "␣END⏎  #7"
    search(tokens, "#7")
    tokens.search.show_found("#7", ((7, " END\n"),))
    assert words(tokens, "stop_ids_answer") == "It is already in the list."
    named(tokens, QAbstractButton, "stop_ids_7_remove").click()
    assert tokens.findChild(QLabel, "stop_ids_7") is None or not named(tokens, QLabel, "stop_ids_7").isVisibleTo(tokens)


def test_stop_token_text_of_several_tokens_is_a_choice(tokens: EndTokens, qtbot: QtBot) -> None:
    tokens.limit_to(100)
    search(tokens, "the end")
    tokens.search.show_found("the end", ((3, "the"), (4, " end")))
    assert words(tokens, "stop_ids_answer") == "“the␣end” is 2 tokens. Pick the one you mean:"
    tokens.limit_to(100)
    assert words(tokens, "stop_ids_answer") == "", "another model may have other ids"
    search(tokens, "the end")
    tokens.search.show_found("the end", ((3, "the"), (4, " end")))
    with qtbot.waitSignal(tokens.edited) as edited:
        named(tokens, QAbstractButton, "choice_4").click()
    assert edited.args == [(4,)]
    assert words(tokens, "stop_ids_answer") == ""


def test_logit_bias_has_a_number_for_each_token(qtbot: QtBot, theme: Theme) -> None:
    bias = LogitBias(theme)
    qtbot.addWidget(bias)
    edits: list[object] = []
    bias.edited.connect(edits.append)
    bias.edited.connect(bias.show_tokens)
    bias.limit_to(100)
    bias.show_tokens(((3, -5.0), (200, 1.0)))
    assert words(bias, "logit_bias_200") == "not in this model  #200"
    named(bias, NumberField, "bias_3").setValue(-7.5)
    search(bias, "#4")
    bias.search.show_found("#4", ((4, "x"),))
    assert edits == [((3, -7.5), (200, 1.0)), ((3, -7.5), (200, 1.0), (4, 1.0))]
    bias.name_tokens({3: " and"})
    assert "␣and  #3" in [label.text() for label in bias.findChildren(QLabel, "logit_bias_3")]


def test_kv_cache_refused_by_the_model_is_disabled_with_the_reason(qtbot: QtBot, theme: Theme) -> None:
    part = KvPart(theme)
    qtbot.addWidget(part)
    refusals = {"max_kv_size": "It ignores the size."}
    part.edited.connect(lambda kv: part.show_value(kv, False, refusals, (32,)))
    bits, size = named(part, QComboBox, "kv_bits"), named(part, WholeField, "kv_max_size")
    group = named(part, QComboBox, "kv_group_size")
    part.show_value(KV(), False, refusals, (32,))
    assert not size.isEnabled() and size.toolTip().endswith("It ignores the size.")
    assert not group.isEnabled()
    with qtbot.waitSignal(part.edited) as edited:
        bits.setCurrentIndex(bits.findData(4))
    assert edited.args == [KV(bits=4, group_size=32)], "the group size that divides the head size"
    assert group.isEnabled()
    group.setCurrentIndex(group.findData(128))
    assert "head size is 32" in words(part, "kv_group_size_reason")
    named(part, QCheckBox, "kv_enabled").click()
    assert not bits.isEnabled()


def test_draft_model_unsuitable_is_listed_with_the_reason(qtbot: QtBot, theme: Theme) -> None:
    part = DraftPart(theme)
    qtbot.addWidget(part)
    choice, number = named(part, QComboBox, "draft_model"), named(part, WholeField, "draft_tokens")
    small, large = FolderChoice("small", Path("/m/small")), FolderChoice("large", Path("/m/large"), "it is too large.")
    assert words(part, "draft_reasons") == "There is no other model on this computer."
    part.show_choices((large, small), None, True)
    assert [choice.itemText(row) for row in range(choice.count())] == [
        "None",
        "From the text itself (prompt lookup)",
        "small",
        "large",
    ]
    assert words(part, "draft_reasons") == "large: it is too large."
    assert not number.isEnabled()
    with qtbot.waitSignal(part.picked) as picked:
        choice.setFocus()
        QTest.keyClick(choice, Qt.Key.Key_Down)
        QTest.keyClick(choice, Qt.Key.Key_Down)
    assert picked.args == [small.folder]
    part.show_choices((small,), small.folder, True)
    assert number.isEnabled() and choice.currentText() == "small"
    with qtbot.waitSignal(part.edited) as edited:
        number.stepDown()
    assert (edited.args, number.text()) == ([AUTOMATIC], "Automatic")
    part.show_choices((small,), None, True, "Layers share their KV cache.")
    assert words(part, "draft_reasons") == "Layers share their KV cache."
    assert not named(part, QAbstractButton, "browse_drafts").isEnabled()
    assert choice.isEnabled(), "prompt lookup needs no draft model"
    part.show_choices((small,), None, True, "It has no plain cache.", "It has no plain cache.")
    assert not choice.isEnabled()


def test_draft_prompt_lookup_replaces_the_draft_model(qtbot: QtBot, theme: Theme) -> None:
    part = DraftPart(theme)
    qtbot.addWidget(part)
    choice, number = named(part, QComboBox, "draft_model"), named(part, WholeField, "lookup_tokens")
    small = FolderChoice("small", Path("/m/small"))
    part.show_choices((small,), small.folder, True)
    assert not number.isVisibleTo(part)
    emitted = list[object]()
    part.lookup_edited.connect(emitted.append)
    part.picked.connect(emitted.append)
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Up)
    assert emitted == [AUTOMATIC, None]
    part.show_value(3, AUTOMATIC)
    part.show_choices((small,), None, True)
    assert (choice.currentData(), number.text(), number.isVisibleTo(part)) == (LOOKUP, "Automatic", True)
    number.setValue(5)
    QTest.keyClick(choice, Qt.Key.Key_Up)
    assert emitted == [AUTOMATIC, None, 5, 0]
    part.show_choices((), None, True, "", "Its cache can't be trimmed.")
    assert choice.currentData() is None and not number.isVisibleTo(part)


def test_section_collapsed_shows_a_note(qtbot: QtBot, theme: Theme) -> None:
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
