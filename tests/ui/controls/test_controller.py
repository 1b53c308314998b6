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
from app.engine.types import FormatKind, Limits, OutputFormat
from app.library.types import FolderChoice
from app.state import Phase
from app.ui.controls import ControlsPanel, controller
from app.ui.controls.controller import find_drafts
from app.ui.controls.end_part import EndPart
from app.ui.controls.sampling_picture import EXAMPLE, SamplingPicture
from app.ui.controls.section import Section
from tests.patience import WAIT_S
from tests.ui.alone import Alone
from tests.ui.desk import Desk, act, named


def search(window: Alone, name: str, text: str) -> None:
    """Search for a token, and wait for the answer."""
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

    search(window, "stop_ids_search", "one")
    search(window, "stop_ids_search", "two")
    before = lines()
    assert [each.split()[0] for each in before] == ["one", "two"]
    search(window, "stop_ids_search", before[0].split()[1])
    assert words(window, "stop_ids_answer") == "It is already in the list."
    assert lines() == before
    search(window, "stop_ids_search", "one two")
    assert "is 2 tokens" in words(window, "stop_ids_answer")
    press(window, "more_controls")
    search(window, "logit_bias_search", before[0].split()[1])
    ids = window.playground.state.controls.limits.stop_ids
    assert dict(window.playground.state.controls.sampling.logit_bias).keys() == {ids[0]}
    window.open_model()
    window.until(lambda: "one" in words(window, f"logit_bias_{ids[0]}"))


def test_token_search_without_a_model_starts_no_task(window: Alone) -> None:
    panel, playground = named(window, ControlsPanel, "controls"), window.playground
    panel.bias.search.wanted.emit("word")
    assert playground.tasks.count
    window.until(lambda: not playground.tasks.count)
    assert playground.unload()
    window.until_phase(Phase.EMPTY)
    panel.bias.search.wanted.emit("word")
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
    window = desk.ready()
    window.resize(1000, 700)
    panel = named(window, ControlsPanel, "controls")
    numbers = {each.objectName() for each in panel.findChildren(QAbstractSpinBox) if each.isVisible()}
    assert numbers == {"max_tokens", "temperature", "top_p"}
    texts = {each.objectName() for each in panel.findChildren(QPlainTextEdit) if each.isVisible()}
    assert texts == {"system_prompt"}
    heading = named(window, QAbstractButton, "fold_picture")
    foot = named(window, QWidget, "controls_foot")
    assert heading.mapTo(panel, heading.rect().bottomLeft()).y() < foot.y(), "visible without scrolling"
    named(window, QSpinBox, "top_k").setValue(7)
    assert window.playground.state.controls.sampling.top_k == 7, "a hidden control counts too"
    press(window, "more_controls")
    assert named(window, QSpinBox, "top_k").isVisible()
    sections = {each.name: each for each in window.findChildren(Section)}
    assert {name for name, each in sections.items() if not each.is_open} == {"picture", "bias", "kv", "draft"}
    sections["kv"].open()
    sections["picture"].open()
    sections["sampling"].open(False)
    window.close()
    layout = desk.kept[-1].layout
    assert layout.more_shown and set(layout.folded) == {"bias", "sampling", "draft"}


@pytest.mark.slow
def test_control_found_in_the_palette_is_scrolled_to(desk: Desk) -> None:
    window = desk.ready()
    for name in ("toggle_inspector", "toggle_side", "command_palette"):
        act(window, name).trigger()
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


def test_edit_updates_the_panel_once(window: Alone, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[int] = []
    edits: list[Controls] = []
    show = EndPart.show_values

    def counted(part: EndPart, limits: Limits, interval: int) -> None:
        shown.append(limits.max_tokens)
        show(part, limits, interval)

    monkeypatch.setattr(EndPart, "show_values", counted)
    named(window, ControlsPanel, "controls").edited.connect(edits.append)
    named(window, QSpinBox, "max_tokens").setValue(77)
    assert (shown, edits) == ([77], [window.playground.state.controls])
    window.playground.set_controls(replace(edits[0], limits=Limits(9)))
    assert (shown, len(edits), named(window, QSpinBox, "max_tokens").value()) == ([77, 9], 1, 9)


def test_output_format_typed_last_is_checked(window: Alone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller, "PAUSE_S", 0.0)
    playground = window.playground
    for text in ('{"maxLenght": 3}', "{"):
        playground.set_controls(replace(playground.state.controls, form=OutputFormat(FormatKind.SCHEMA, schema=text)))
    window.until(lambda: bool(words(window, "form_wrong")))
    assert words(window, "form_wrong") == "This is not a JSON schema: it is not valid JSON at line 1."
    playground.set_controls(replace(playground.state.controls, form=OutputFormat()))
    window.until(lambda: not playground.tasks.count)
    assert words(window, "form_wrong") == ""


def test_picture_shows_the_last_recorded_run_and_the_settings(window: Alone) -> None:
    window.playground.set_controls(replace(window.playground.state.controls, seed=3, observe=0))
    named(window, QCheckBox, "record_candidates").click()
    assert window.playground.state.controls.observe > 0
    assert words(window, "sampling_source") == EXAMPLE
    window.send("Hello")
    source = words(window, "sampling_source")
    assert source.startswith("Highest-entropy token of the last recorded run")
    assert words(window, "recording_cost").endswith("% of the last run.")
    named(window, QCheckBox, "record_candidates").click()
    window.send("And now?")
    assert named(window, QLabel, "recording_cost").isHidden()
    assert words(window, "sampling_source") == source
    controls = window.playground.state.controls
    window.playground.set_controls(replace(controls, sampling=replace(controls.sampling, temperature=0.0)))
    assert "At temperature 0" in named(window, SamplingPicture, "sampling_picture").accessibleDescription()


class Library:
    """A stand-in for the search; the folder “slow” waits for `gate`."""

    def __init__(self) -> None:
        self.searched: list[Path] = []
        self.gate = threading.Event()
        self.threads: set[int] = set()

    def find(self, model: Path, bundled: Path | None) -> tuple[FolderChoice, ...]:
        self.searched.append(model)
        self.threads.add(threading.get_ident())
        if model.name == "slow":
            assert self.gate.wait(WAIT_S)
        if model.name == "broken":
            raise OSError("unreadable")
        return (FolderChoice(model.name, model / "draft"),)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    made = Library()
    monkeypatch.setattr(controller, "find_drafts", made.find)
    yield made
    made.gate.set()


@pytest.fixture
def open_model(window: Alone, library: Library, tmp_path: Path) -> Callable[[str], None]:
    """Change the state as if the engine had opened a model; the section of drafts is open."""

    def open_it(name: str) -> None:
        folder = tmp_path / name
        folder.mkdir()
        model = window.playground.state.model
        assert model is not None
        window.playground._change(model=replace(model, folder=folder))

    press(window, "more_controls")
    assert library.searched == [], "the section is folded"
    press(window, "fold_draft")
    return open_it


def has_draft(window: Alone, name: str) -> bool:
    return named(window, QComboBox, "draft_model").findText(name) >= 0


def test_drafts_are_searched_on_a_thread_for_the_last_model(
    window: Alone, library: Library, open_model: Callable[[str], None], tmp_path: Path
) -> None:
    open_model("broken")
    window.until(lambda: "no other model" in words(window, "draft_reasons"))
    assert library.searched == [tmp_path / "broken"]
    for name in ("slow", "last"):
        open_model(name)
    window.until(lambda: has_draft(window, "last"))
    library.gate.set()
    for thread in threading.enumerate():
        if thread.name == "task":
            thread.join(WAIT_S)
    open_model("after")
    window.until(lambda: has_draft(window, "after"))
    assert not has_draft(window, "slow")
    assert threading.get_ident() not in library.threads


def test_window_closed_during_a_search_does_not_wait(
    window: Alone, library: Library, open_model: Callable[[str], None]
) -> None:
    open_model("slow")
    window.until(lambda: bool(library.searched))
    window.leave()
    assert not library.gate.is_set()
    assert not has_draft(window, "slow")


def test_find_drafts_includes_models_beside_the_model(demo_model: Path, demo_draft: Path) -> None:
    for bundled in (demo_model.parent, None):
        found = {choice.name: choice for choice in find_drafts(demo_model, bundled)}
        assert found["demo-draft"] == FolderChoice("demo-draft", demo_draft)
    assert "not smaller" in {each.name: each for each in find_drafts(demo_draft, demo_model.parent)}["demo"].why_not
