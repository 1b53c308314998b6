"""The panel of controls and the playground: tokens by name, the room in the context, drafts, forms, alternatives."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
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
from app.library.types import FolderChoice
from app.state import Phase
from app.ui.controls import ControlsPanel, Section, controller, controller_draft
from app.ui.controls.controller_draft import Offers, look_for
from app.ui.controls.end_part import EndPart
from app.ui.controls.sampling_picture import EXAMPLE, SamplingPicture
from app.ui.widgets import FieldRow
from tests.patience import WAIT_S
from tests.ui.alone import Alone
from tests.ui.desk import Desk, act, named


def seek(window: Alone, name: str, text: str) -> None:
    """Look for a token, until the answer is there."""
    line = named(window, QLineEdit, name)
    line.setText(text)
    QTest.keyClick(line, Qt.Key.Key_Return)
    window.until(lambda: not window.playground.tasks.count)


def press(window: QWidget, name: str) -> None:
    named(window, QAbstractButton, name).click()


def words(window: QWidget, name: str) -> str:
    return named(window, QLabel, name).text()


def test_stop_tokens_are_found_by_text_and_by_id(window: Alone) -> None:
    def lines() -> list[str]:
        return [words(window, f"stop_ids_{token}") for token in window.playground.state.controls.limits.stop_ids]

    seek(window, "stop_ids_search", "one")
    seek(window, "stop_ids_search", "two")
    before = lines()
    assert [each.split()[0] for each in before] == ["one", "two"]
    seek(window, "stop_ids_search", before[0].split()[1])
    assert words(window, "stop_ids_answer") == "It is already in the list."
    assert lines() == before
    seek(window, "stop_ids_search", "one two")
    assert "is 2 tokens" in words(window, "stop_ids_answer")
    press(window, "more_controls")
    seek(window, "logit_bias_search", before[0].split()[1])
    ids = window.playground.state.controls.limits.stop_ids
    assert dict(window.playground.state.controls.sampling.logit_bias).keys() == {ids[0]}


def test_token_search_without_a_model_asks_nothing(window: Alone) -> None:
    panel, playground = named(window, ControlsPanel, "controls"), window.playground
    panel.rare.bias.search.sought.emit("word")
    assert playground.tasks.count
    window.until(lambda: not playground.tasks.count)
    assert playground.unload()
    window.until_phase(Phase.EMPTY)
    panel.rare.bias.search.sought.emit("word")
    assert not playground.tasks.count


def test_max_tokens_room_shrinks_as_the_context_fills(window: Alone) -> None:
    window.until(lambda: "2,048" in words(window, "max_tokens_room"))
    window.send("Hello")
    assert "2,048" not in words(window, "max_tokens_room")
    run = window.playground.state.last_run
    assert run is not None
    assert str(run.seed) in named(window, QAbstractButton, "use_last_seed").text()
    press(window, "more_controls")
    named(window, QCheckBox, "kv_enabled").click()
    assert "memory" not in words(window, "max_tokens_room")


def test_panel_at_first_shows_four_controls_and_folds_the_rest(desk: Desk) -> None:
    "Effect of sampling is folded: half of its rows would be below the visible part of the panel."
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
    assert set(panel.folded_sections) == {"bias", "kv", "draft", "picture"}
    named(window, QSpinBox, "top_k").setValue(7)
    assert window.playground.state.controls.sampling.top_k == 7, "a hidden control counts too"
    press(window, "more_controls")
    assert named(window, QSpinBox, "top_k").isVisible()
    sections = {each.name: each for each in window.findChildren(Section)}
    assert [name for name, each in sections.items() if not each.is_open] == ["picture", "bias", "kv", "draft"]
    sections["kv"].open()
    sections["picture"].open()
    sections["sampling"].open(False)
    window.close()
    layout = desk.kept[-1].layout
    assert layout.more_shown and set(layout.folded) == {"bias", "sampling", "draft"}


@pytest.mark.slow
def test_control_found_in_the_palette_is_brought_in_sight(desk: Desk) -> None:
    window = desk.ready()
    act(window, "toggle_inspector").trigger()
    act(window, "toggle_side").trigger()
    act(window, "command_palette").trigger()
    line = named(window, QLineEdit, "command_line")
    line.setText("kv bits")
    QTest.keyClick(line, Qt.Key.Key_Return)
    found = named(window, QWidget, "kv_bits")
    desk.qtbot.waitUntil(lambda: not found.visibleRegion().isEmpty())
    assert found.hasFocus() or not found.isEnabled()


def test_slider_and_field_show_the_same_number(window: Alone) -> None:
    slider, field = named(window, QSlider, "temperature_slider"), named(window, QDoubleSpinBox, "temperature")
    slider.setValue(24)
    assert window.playground.state.controls.sampling.temperature == field.value() == 1.2
    field.setValue(1.23)
    assert (slider.value(), field.value()) == (25, 1.23), "the slider rounds, and changes nothing"
    field.setValue(5.0)
    assert (slider.value(), window.playground.state.controls.sampling.temperature) == (slider.maximum(), 5.0)
    field.setValue(0.0)
    assert slider.isEnabled()
    assert not named(window, QSlider, "top_p_slider").isEnabled(), "without effect"


def test_values_set_before_more_controls_are_shown_in_them(window: Alone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller, "PAUSE_S", 0.0)
    playground = window.playground
    set_before = Controls(
        form=Form(FormKind.SCHEMA, schema="{"),
        reply_start="Well,",
        arguments=(("size", 3),),
        tools="[{",
        draft_tokens=7,
    )
    assert playground.state.model is not None
    reads = (TemplateArgument("size", ArgumentKind.NUMBER),)
    playground._change(model=replace(playground.state.model, template_arguments=reads))
    seek(window, "stop_ids_search", "END")
    ids = playground.state.controls.limits.stop_ids
    before = replace(set_before, sampling=Sampling(logit_bias=((ids[0], 2.0),)))
    playground.set_controls(before)
    press(window, "more_controls")
    press(window, "fold_bias")
    assert playground.state.controls == before
    assert named(window, QLineEdit, "argument_size").text() == "3"
    assert named(window, QPlainTextEdit, "reply_start").toPlainText() == "Well,"
    assert named(window, QSpinBox, "draft_tokens").value() == 7
    assert words(window, "tools_wrong")
    window.until(lambda: "not a JSON schema" in words(window, "form_wrong"))
    window.until(lambda: "END" in words(window, f"logit_bias_{ids[0]}"))


def test_edit_reaches_the_panel_once(window: Alone, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Limits] = []
    edited: list[Controls] = []
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
    named(window, ControlsPanel, "controls").edited.connect(edited.append)
    named(window, QSpinBox, "max_tokens").setValue(77)
    assert [limits.max_tokens for limits in shown] == [77]
    assert edited == [window.playground.state.controls]
    assert marked.count("max_tokens") == 1
    window.playground.set_controls(replace(edited[0], limits=Limits(9)))
    assert (len(shown), len(edited), named(window, QSpinBox, "max_tokens").value()) == (2, 1, 9)


def test_form_typed_last_is_the_one_that_is_checked(window: Alone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller, "PAUSE_S", 0.0)
    playground = window.playground
    for text in ('{"maxLenght": 3}', "{"):
        playground.set_controls(replace(playground.state.controls, form=Form(FormKind.SCHEMA, schema=text)))
    window.until(lambda: bool(words(window, "form_wrong")))
    assert words(window, "form_wrong") == "This is not a JSON schema: it is not valid JSON at line 1."
    playground.set_controls(replace(playground.state.controls, form=Form()))
    window.until(lambda: not playground.tasks.count)
    assert words(window, "form_wrong") == ""


def test_candidates_are_recorded_shown_and_kept_when_recording_ends(window: Alone) -> None:
    window.playground.set_controls(replace(window.playground.state.controls, seed=3, observe=0))
    named(window, QCheckBox, "record_candidates").click()
    assert window.playground.state.controls.observe > 0
    assert words(window, "sampling_source") == EXAMPLE
    window.send("Hello")
    source = words(window, "sampling_source")
    assert source != EXAMPLE
    assert words(window, "recording_cost").endswith("% of the last run.")
    named(window, QCheckBox, "record_candidates").click()
    window.send("And now?")
    assert named(window, QLabel, "recording_cost").isHidden()
    assert words(window, "sampling_source") == source
    assert source.startswith("Highest-entropy token of the last recorded run"), "which is not the last run"


def test_picture_follows_the_controls(window: Alone) -> None:
    picture = named(window, SamplingPicture, "sampling_picture")
    controls = window.playground.state.controls
    window.playground.set_controls(replace(controls, sampling=replace(controls.sampling, temperature=0.0)))
    assert "At temperature 0" in picture.accessibleDescription()


class Library:
    """Answers when it is allowed to."""

    def __init__(self) -> None:
        self.asked: list[Path] = []
        self.may_answer = threading.Event()
        self.threads: set[int] = set()

    def look(self, model: Path, bundled: Path | None) -> Offers:
        self.asked.append(model)
        self.threads.add(threading.get_ident())
        if model.name == "slow":
            assert self.may_answer.wait(WAIT_S)
        if model.name == "broken":
            raise OSError("unreadable")
        return (FolderChoice(model.name, model / "draft"),)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    made = Library()
    monkeypatch.setattr(controller_draft, "look_for", made.look)
    yield made
    made.may_answer.set()


@pytest.fixture
def open_model(window: Alone, library: Library, tmp_path: Path) -> Callable[[str], None]:
    """Does as if the engine had opened a model; the section of drafts is open."""

    def open_it(name: str) -> None:
        folder = tmp_path / name
        folder.mkdir()
        model = window.playground.state.model
        assert model is not None
        window.playground._change(model=replace(model, folder=folder))

    press(window, "more_controls")
    assert library.asked == [], "the section is folded"
    press(window, "fold_draft")
    return open_it


def offers(window: Alone, name: str) -> bool:
    return named(window, QComboBox, "draft_model").findText(name) >= 0


def test_drafts_are_looked_for_on_another_thread_and_for_the_last_model(
    window: Alone, library: Library, open_model: Callable[[str], None]
) -> None:
    for name in ("slow", "broken", "last"):
        open_model(name)
    window.until(lambda: offers(window, "last"))
    library.may_answer.set()
    for thread in threading.enumerate():
        if thread.name == "task":
            thread.join(WAIT_S)
    open_model("after")
    window.until(lambda: offers(window, "after"))
    assert not offers(window, "slow")
    assert threading.get_ident() not in library.threads


def test_drafts_of_files_that_can_not_be_read_are_none(
    window: Alone, library: Library, open_model: Callable[[str], None], tmp_path: Path
) -> None:
    open_model("broken")
    window.until(lambda: "no other model" in words(window, "draft_reasons"))
    assert library.asked == [tmp_path / "broken"]


def test_window_that_closes_does_not_wait_for_drafts(
    window: Alone, library: Library, open_model: Callable[[str], None]
) -> None:
    open_model("slow")
    window.until(lambda: bool(library.asked))
    window.leave()
    assert not library.may_answer.is_set()
    assert not offers(window, "slow")


def test_drafts_beside_the_model_are_offered(demo_model: Path, demo_draft: Path) -> None:
    for bundled in (demo_model.parent, None):
        found = {offer.name: offer for offer in look_for(demo_model, bundled)}
        assert found["demo-draft"] == FolderChoice("demo-draft", demo_draft)
    assert "not smaller" in {offer.name: offer for offer in look_for(demo_draft, demo_model.parent)}["demo"].why_not
