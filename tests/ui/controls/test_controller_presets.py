"""Presets in the window: each wish is done to the shelf, the controls follow, and nothing is lost by a slip."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QDoubleSpinBox, QFileDialog, QLabel, QLineEdit, QSpinBox

from app.engine.types import Limits, LoadRequest, Sampling
from app.files.settings import Settings
from app.presets import MODELS_OWN, Preset, PresetStore
from app.presets import file as preset_file
from app.state import Phase
from app.ui.controls import ControlsPanel
from app.ui.controls.controller import ControlsController
from tests.ui.alone import Alone
from tests.ui.desk import named

MINE = Preset("Mine", Sampling(temperature=0.3))


@pytest.fixture
def window(alone: Alone, controls: ControlsController) -> Alone:
    """The controls, with one preset of the user's."""
    controls.restore(Settings(presets=PresetStore().saved(MINE)))
    return alone


def pick(window: Alone, name: str) -> None:
    choice = named(window, QComboBox, "preset")
    choice.setCurrentIndex(choice.findData(name))
    choice.activated.emit(choice.currentIndex())


def wish(window: Alone, name: str) -> None:
    act = window.findChild(QAction, f"preset_{name}")
    assert act is not None
    assert act.isEnabled()
    act.trigger()


def call_it(window: Alone, name: str) -> None:
    line = named(window, QLineEdit, "preset_name")
    line.clear()
    QTest.keyClicks(line, name)
    named(window, QAbstractButton, "preset_name_ok").click()


def sampling(window: Alone) -> Sampling:
    return window.playground.state.controls.sampling


def own(window: Alone) -> list[str]:
    choice = named(window, QComboBox, "preset")
    return [choice.itemData(row) for row in range(4, choice.count())]


def test_a_preset_is_picked_and_set_back(window: Alone) -> None:
    named(window, QSpinBox, "top_k").setValue(9)
    pick(window, "Greedy")
    assert sampling(window) == Sampling(temperature=0.0)
    back = named(window, QAbstractButton, "temperature_back")
    assert not back.isVisibleTo(window)
    named(window, QDoubleSpinBox, "temperature").setValue(0.4)
    assert back.toolTip() == "Reset to 0.00, the value in “Greedy”."
    back.click()
    assert sampling(window).temperature == 0.0
    named(window, QDoubleSpinBox, "presence_penalty").setValue(1.0)
    named(window, QDoubleSpinBox, "temperature").setValue(0.4)
    wish(window, "restore")
    assert sampling(window) == Sampling(temperature=0.0)
    assert not named(window, QAbstractButton, "preset_back").isVisibleTo(window)


def test_saving_renaming_and_names_that_can_not_be_had(window: Alone) -> None:
    named(window, QDoubleSpinBox, "temperature").setValue(0.4)
    wish(window, "save_as")
    call_it(window, "mine")
    assert named(window, QLabel, "preset_name_reason").text() == "A preset “mine” already exists."
    call_it(window, "Warm")
    assert own(window) == ["Mine", "Warm"]
    assert not named(window, QLineEdit, "preset_name").isVisibleTo(window)
    wish(window, "rename")
    call_it(window, "Warmer")
    assert own(window) == ["Mine", "Warmer"]
    named(window, QSpinBox, "max_tokens").setValue(9)
    assert named(window, QAbstractButton, "max_tokens_back").isVisibleTo(window)
    wish(window, "save")
    assert not named(window, QAbstractButton, "max_tokens_back").isVisibleTo(window)


def test_a_model_begins_with_its_preset_unless_its_values_are_kept(window: Alone, controls: ControlsController) -> None:
    pick(window, "Mine")
    wish(window, "default")
    named(window, QDoubleSpinBox, "temperature").setValue(0.9)
    window.playground.load(LoadRequest("another"))
    window.until_phase(Phase.READY)
    assert sampling(window).temperature == 0.9
    window.playground.load(LoadRequest("echo"))
    window.until(lambda: sampling(window).temperature == 0.3)
    named(window, QDoubleSpinBox, "temperature").setValue(0.8)
    controls.restore(controls.kept(Settings(model="echo")))
    window.playground.load(LoadRequest("echo"))
    window.until_phase(Phase.READY)
    assert named(window, QComboBox, "preset").currentData() == "Mine"
    assert sampling(window).temperature == 0.8


def test_a_model_without_a_word_on_sampling_has_no_preset_of_its_own(window: Alone) -> None:
    choice = named(window, QComboBox, "preset")
    row = choice.findData(MODELS_OWN)
    assert not choice.model().flags(choice.model().index(row, 0)).value & 32
    pick(window, MODELS_OWN)
    assert sampling(window) == Sampling()


def words(window: Alone) -> str:
    return named(window, QLabel, "preset_words").text()


def test_presets_travel_in_a_file(window: Alone, controls: ControlsController, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    controls._presets.export_file(file)
    window.until(lambda: "Exported" in words(window))
    assert preset_file.read(file.read_bytes()) == (MINE,)
    controls._presets.import_file(file)
    window.until(lambda: "Imported" in words(window))
    assert own(window) == ["Mine", "Mine 2"]
    assert words(window) == "Imported “Mine 2”."


def broken(path: Path) -> Path:
    path.write_text("{", "utf-8")
    return path


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (broken, "The file isn't JSON"),
        (lambda path: path, "is not a file."),
        (lambda path: path.parent, "is not a file."),
    ],
)
def test_a_file_that_can_not_be_read_is_one_sentence(
    window: Alone, controls: ControlsController, tmp_path: Path, make: Callable[[Path], Path], said: str
) -> None:
    wish(window, "save_as")
    controls._presets.import_file(make(tmp_path / "presets.json"))
    window.until(lambda: said in words(window))
    assert named(window, QLabel, "preset_name_reason").text() == "", "it is not about the name that is asked for"
    assert own(window) == ["Mine"]


def test_a_place_that_can_not_be_written_is_said(window: Alone, controls: ControlsController, tmp_path: Path) -> None:
    controls._presets.export_file(tmp_path / "absent" / "presets.json")
    window.until(lambda: "could not be saved" in words(window))


def test_what_import_would_refuse_is_not_exported(window: Alone, controls: ControlsController, tmp_path: Path) -> None:
    controls.restore(Settings(presets=PresetStore().saved(replace(MINE, limits=Limits(stop_strings=("x" * 1_001,))))))
    controls._presets.export_file(tmp_path / "mine.json")
    window.until(lambda: "since Import would refuse it: “Mine” has stop strings" in words(window))
    assert not (tmp_path / "mine.json").exists()


def test_a_name_is_what_is_seen_of_it(window: Alone) -> None:
    wish(window, "save_as")
    named(window, QLineEdit, "preset_name").setText("gnp.\u202eexe\u2029 👩\u200d🚀")
    named(window, QAbstractButton, "preset_name_ok").click()
    assert own(window) == ["Mine", "gnp.exe 👩\u200d🚀"]


def test_files_are_asked_for(window: Alone, controls: ControlsController) -> None:
    wish(window, "import")
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.reject()
    controls.restore(Settings())
    wish(window, "export")
    assert window.findChildren(QFileDialog) == [dialog]
    assert "no presets of your own" in words(window)


def test_a_change_of_the_shelf_is_to_be_kept_at_once(window: Alone, controls: ControlsController) -> None:
    kept: list[PresetStore] = []
    controls.changed.connect(lambda: kept.append(controls.kept(Settings()).presets))
    wish(window, "save_as")
    call_it(window, "Warm")
    assert [each.name for each in kept[-1].own] == ["Mine", "Warm"]
    named(window, ControlsPanel, "controls").systems.edited.emit("Short", "Be brief.")
    assert kept[-1].systems == (("Short", "Be brief."),)
    wish(window, "delete")
    assert kept[-1].own == (MINE,)


def test_a_rename_is_of_the_preset_that_it_was_asked_for(window: Alone) -> None:
    wish(window, "save_as")
    call_it(window, "Warm")
    wish(window, "rename")
    pick(window, "Mine")
    call_it(window, "Warmer")
    assert own(window) == ["Mine", "Warmer"]
    assert named(window, QComboBox, "preset").currentData() == "Mine"


def test_of_a_preset_that_is_gone_no_name_is_asked(window: Alone) -> None:
    pick(window, "Mine")
    wish(window, "rename")
    wish(window, "delete")
    assert not named(window, QLineEdit, "preset_name").isVisibleTo(window)


def test_a_deleted_preset_comes_back_behind_other_changes(window: Alone) -> None:
    pick(window, "Mine")
    wish(window, "default")
    wish(window, "delete")
    assert own(window) == []
    assert words(window) == "“Mine” is deleted."
    named(window, ControlsPanel, "controls").systems.edited.emit("Short", "Be brief.")
    wish(window, "default")
    back = named(window, QAbstractButton, "preset_undo")
    assert back.isVisible()
    back.click()
    assert own(window) == ["Mine"]
    assert not back.isVisible()
    assert named(window, QComboBox, "preset").currentData() == "Mine"


def test_what_was_done_after_a_preset_was_deleted_stays() -> None:
    first, last = Preset("First"), Preset("Last")
    before = PresetStore().saved(first).saved(MINE).saved(last).with_default("a", "Mine").with_default("b", "Mine")
    before = replace(before, chosen="Mine")
    after = before.without("Mine").with_default("b", "Last").with_system("Short", "Be brief.")
    back = after.with_back("Mine", before)
    assert back.own == (first, MINE, last)
    assert (back.chosen, dict(back.of_models), back.systems) == ("Mine", {"a": "Mine", "b": "Last"}, after.systems)
    assert replace(after, chosen="Last").with_back("Mine", before).chosen == "Last"
    again = after.saved(other := Preset("mine", Sampling(temperature=0.9))).with_back("Mine", before)
    assert again.own == (first, replace(MINE, name="Mine 2"), last, other)
