"""What the panel learns of the model: tokens by name, the room there is, drafts, the last seed."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QCheckBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QSpinBox,
    QWidget,
)

from app.controls import Controls
from app.engine.types import ArgumentKind, Form, FormKind, Limits, Sampling, TemplateArgument
from app.settings import Settings, mended
from app.ui.controls import ControlsPanel, Section
from app.ui.controls.end_part import EndPart
from app.ui.widgets import FieldRow
from tests.ui.desk import Desk, act, named


def seek(line: QLineEdit, text: str) -> None:
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def test_a_token_is_found_by_its_text_and_named_by_its_id(desk: Desk) -> None:
    window = desk.ready()
    seek(named(window, QLineEdit, "stop_ids_search"), "END")
    desk.qtbot.waitUntil(lambda: bool(window.playground.state.controls.limits.stop_ids))
    ids = window.playground.state.controls.limits.stop_ids
    window.close()
    again = desk.ready(desk.kept[-1])
    label = named(again, QLabel, f"stop_ids_{ids[0]}")
    assert label.text().endswith(f"#{ids[0]}")
    named(again, QAbstractButton, "more_controls").click()
    seek(named(again, QLineEdit, "logit_bias_search"), f"#{ids[0]}")
    desk.qtbot.waitUntil(lambda: bool(again.playground.state.controls.sampling.logit_bias))


def test_a_text_of_several_tokens_is_asked_back(desk: Desk) -> None:
    window = desk.ready()
    seek(named(window, QLineEdit, "stop_ids_search"), "one two")
    answer = named(window, QLabel, "stop_ids_answer")
    desk.qtbot.waitUntil(lambda: "is 2 tokens" in answer.text())


def test_the_room_shrinks_as_the_context_fills(desk: Desk) -> None:
    window = desk.ready()
    room = named(window, QLabel, "max_tokens_room")
    desk.qtbot.waitUntil(lambda: "2,048" in room.text())
    desk.send(window, "Hello")
    assert "2,048" not in room.text()
    run = window.playground.state.last_run
    assert run is not None
    assert str(run.seed) in named(window, QAbstractButton, "use_last_seed").text()
    named(window, QAbstractButton, "more_controls").click()
    named(window, QCheckBox, "kv_enabled").click()
    assert "memory" not in room.text()


def test_at_first_there_are_four_controls_and_the_way_to_others(desk: Desk) -> None:
    """The last of them, what sampling does, is folded: half of its rows would be under the foot of the panel."""
    window = desk.ready()
    window.resize(1000, 700)
    panel = named(window, ControlsPanel, "controls")
    numbers = {each.objectName() for each in panel.findChildren(QAbstractSpinBox) if each.isVisible()}
    assert numbers == {"max_tokens", "temperature", "top_p"}
    texts = {each.objectName() for each in panel.findChildren(QPlainTextEdit) if each.isVisible()}
    assert texts == {"system_prompt"}
    heading = named(window, QAbstractButton, "fold_picture")
    foot = named(window, QWidget, "controls_foot")
    assert heading.mapTo(panel, heading.rect().bottomLeft()).y() < foot.y(), "without scrolling"
    picture = named(window, QWidget, "sampling_picture")
    assert not picture.isVisible()
    heading.click()
    assert picture.isVisible()
    named(window, QSpinBox, "top_k").setValue(7)
    assert window.playground.state.controls.sampling.top_k == 7, "what is hidden is there all the same"
    named(window, QAbstractButton, "more_controls").click()
    assert named(window, QSpinBox, "top_k").isVisible()
    window.close()
    assert desk.kept[-1].layout.more_shown
    assert named(desk.ready(desk.kept[-1]), QSpinBox, "top_k").isVisible()


@pytest.mark.parametrize(
    ("words", "control"), [("top-k", "top_k"), ("kv bits", "kv_bits"), ("system prompt", "system_prompt")]
)
def test_a_control_that_is_looked_for_is_brought_in_sight(desk: Desk, words: str, control: str) -> None:
    window = desk.ready()
    act(window, "toggle_inspector").trigger()
    act(window, "toggle_side").trigger()
    act(window, "command_palette").trigger()
    line = named(window, QLineEdit, "command_line")
    line.setText(words)
    QTest.keyClick(line, Qt.Key.Key_Return)
    found = named(window, QWidget, control)
    assert found.isVisible()
    desk.qtbot.waitUntil(lambda: not found.visibleRegion().isEmpty())
    assert found.hasFocus() or not found.isEnabled()


def test_a_slider_and_its_field_are_one_number(desk: Desk) -> None:
    window = desk.ready()
    slider, field = named(window, QSlider, "temperature_slider"), named(window, QDoubleSpinBox, "temperature")
    slider.setValue(24)
    assert window.playground.state.controls.sampling.temperature == field.value() == 1.2
    field.setValue(1.23)
    assert (slider.value(), field.value()) == (25, 1.23), "the slider has it roughly, and takes nothing away"
    field.setValue(5.0)
    assert (slider.value(), window.playground.state.controls.sampling.temperature) == (slider.maximum(), 5.0)
    field.setValue(0.0)
    assert named(window, QSlider, "temperature_slider").isEnabled()
    assert not named(window, QSlider, "top_p_slider").isEnabled(), "without effect"


def test_what_is_folded_stays_folded(desk: Desk) -> None:
    window = desk.ready()
    assert set(named(window, ControlsPanel, "controls").folded_sections) == {"bias", "kv", "draft", "picture"}
    named(window, QAbstractButton, "more_controls").click()
    sections = {each.name: each for each in window.findChildren(Section)}
    assert [name for name, each in sections.items() if not each.is_open] == ["picture", "bias", "kv", "draft"]
    sections["kv"].open()
    sections["picture"].open()
    sections["sampling"].open(False)
    window.close()
    assert set(desk.kept[-1].layout.folded) == {"bias", "sampling", "draft"}
    again = desk.ready(replace(desk.kept[-1], layout=replace(desk.kept[-1].layout, more_shown=False)))
    assert set(named(again, ControlsPanel, "controls").folded_sections) == {"bias", "sampling", "draft"}


def test_nonsense_in_the_settings_file_is_as_at_first(desk: Desk) -> None:
    settings = Settings(
        controls=Controls(
            sampling=Sampling(temperature=-5.0, top_k=3), limits=Limits(0), seed=-7, draft_tokens=99, interval=-1
        )
    )
    settings = mended(settings)
    controls = settings.controls
    assert controls.sampling == Sampling(top_k=3)
    assert (controls.limits, controls.seed, controls.interval) == (Limits(), None, 1)
    assert controls.draft_tokens == Settings().controls.draft_tokens
    window = desk.ready(settings)
    assert named(window, QSpinBox, "top_k").value() == 3


def test_what_was_set_before_more_was_opened_is_there_when_it_is(desk: Desk) -> None:
    set_before = Controls(
        form=Form(FormKind.SCHEMA, schema="{"),
        reply_start="Well,",
        arguments=(("size", 3),),
        tools="[{",
        draft_tokens=7,
    )
    window = desk.ready(Settings(controls=set_before))
    playground = window.playground
    assert playground.state.model is not None
    reads = (TemplateArgument("size", ArgumentKind.NUMBER),)
    playground._change(model=replace(playground.state.model, template_arguments=reads))
    seek(named(window, QLineEdit, "stop_ids_search"), "END")
    desk.qtbot.waitUntil(lambda: bool(playground.state.controls.limits.stop_ids))
    ids = playground.state.controls.limits.stop_ids
    before = replace(set_before, sampling=Sampling(logit_bias=((ids[0], 2.0),)))
    playground.set_controls(before)
    named(window, QAbstractButton, "more_controls").click()
    named(window, QAbstractButton, "fold_bias").click()
    assert playground.state.controls == before
    assert named(window, QLineEdit, "argument_size").text() == "3"
    assert named(window, QPlainTextEdit, "reply_start").toPlainText() == "Well,"
    assert named(window, QSpinBox, "draft_tokens").value() == 7
    assert named(window, QLabel, "tools_wrong").text()
    wrong, token = named(window, QLabel, "form_wrong"), f"logit_bias_{ids[0]}"
    desk.qtbot.waitUntil(lambda: "no JSON" in wrong.text())
    desk.qtbot.waitUntil(lambda: "END" in named(window, QLabel, token).text())


def test_an_edit_reaches_the_panel_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    window = desk.ready()
    shown: list[Limits] = []
    told: list[Controls] = []
    marked: list[str] = []
    show, mark = EndPart.show_values, FieldRow.mark

    def counted(part: EndPart, limits: Limits, interval: int) -> None:
        shown.append(limits)
        show(part, limits, interval)

    def marks(row: FieldRow, original: str | None, preset: str = "") -> None:
        marked.append(row.name)
        mark(row, original, preset)

    monkeypatch.setattr(EndPart, "show_values", counted)
    monkeypatch.setattr(FieldRow, "mark", marks)
    named(window, ControlsPanel, "controls").edited.connect(told.append)
    named(window, QSpinBox, "max_tokens").setValue(77)
    assert [limits.max_tokens for limits in shown] == [77]
    assert told == [window.playground.state.controls]
    assert marked.count("max_tokens") == 1
    window.playground.set_controls(replace(told[0], limits=Limits(9)))
    assert (len(shown), len(told), named(window, QSpinBox, "max_tokens").value()) == (2, 1, 9)


def test_the_newest_form_is_looked_at(desk: Desk) -> None:
    window = desk.ready()
    wrong = named(window, QLabel, "form_wrong")
    for text in ('{"maxLenght": 3}', "{"):
        form = Form(FormKind.SCHEMA, schema=text)
        window.playground.set_controls(replace(window.playground.state.controls, form=form))
    desk.qtbot.waitUntil(lambda: bool(wrong.text()))
    assert wrong.text() == "This is no JSON schema: it is no JSON at line 1."
    window.playground.set_controls(replace(window.playground.state.controls, form=Form()))
    desk.qtbot.waitUntil(lambda: not window.playground.tasks.going_on)
    assert wrong.text() == ""
