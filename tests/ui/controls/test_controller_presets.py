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


def trigger(window: Alone, name: str) -> None:
    act = window.findChild(QAction, f"preset_{name}")
    assert act is not None and act.isEnabled()
    act.trigger()


def enter_name(window: Alone, name: str) -> None:
    line = named(window, QLineEdit, "preset_name")
    line.clear()
    QTest.keyClicks(line, name)
    named(window, QAbstractButton, "preset_name_ok").click()


def save_as(window: Alone, name: str) -> None:
    trigger(window, "save_as")
    enter_name(window, name)


def sampling(window: Alone) -> Sampling:
    return window.playground.state.controls.sampling


def own(window: Alone) -> list[str]:
    choice = named(window, QComboBox, "preset")
    return [choice.itemData(row) for row in range(4, choice.count())]


def words(window: Alone) -> str:
    return named(window, QLabel, "preset_words").text()


def test_preset_picked_is_applied_and_restored(window: Alone) -> None:
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
    trigger(window, "restore")
    assert sampling(window) == Sampling(temperature=0.0)
    assert not named(window, QAbstractButton, "preset_back").isVisibleTo(window)


def test_preset_is_saved_and_renamed_under_a_free_name(window: Alone) -> None:
    named(window, QDoubleSpinBox, "temperature").setValue(0.4)
    save_as(window, "mine")
    assert named(window, QLabel, "preset_name_reason").text() == "A preset “mine” already exists."
    enter_name(window, "Warm")
    assert own(window) == ["Mine", "Warm"]
    assert not named(window, QLineEdit, "preset_name").isVisibleTo(window)
    trigger(window, "rename")
    pick(window, "Mine")
    enter_name(window, "Warmer")
    assert own(window) == ["Mine", "Warmer"], "the preset that was chosen when the name was asked"
    assert named(window, QComboBox, "preset").currentData() == "Mine"
    pick(window, "Warmer")
    named(window, QSpinBox, "max_tokens").setValue(9)
    assert named(window, QAbstractButton, "max_tokens_back").isVisibleTo(window)
    trigger(window, "save")
    assert not named(window, QAbstractButton, "max_tokens_back").isVisibleTo(window)
    trigger(window, "rename")
    trigger(window, "delete")
    assert not named(window, QLineEdit, "preset_name").isVisibleTo(window)


def test_preset_default_is_applied_to_another_model(window: Alone, controls: ControlsController) -> None:
    pick(window, "Mine")
    trigger(window, "default")
    named(window, QDoubleSpinBox, "temperature").setValue(0.9)
    window.playground.load(LoadRequest("another"))
    window.until_phase(Phase.READY)
    assert sampling(window).temperature == 0.9
    window.playground.load(LoadRequest("echo"))
    window.until(lambda: sampling(window).temperature == 0.3)
    named(window, QDoubleSpinBox, "temperature").setValue(0.8)
    controls.restore(controls.updated_settings(Settings(model="echo")))
    window.playground.load(LoadRequest("echo"))
    window.until_phase(Phase.READY)
    assert named(window, QComboBox, "preset").currentData() == "Mine"
    assert sampling(window).temperature == 0.8, "saved values stay at a start"


def test_preset_of_a_model_without_settings_is_disabled(window: Alone) -> None:
    choice = named(window, QComboBox, "preset")
    row = choice.findData(MODELS_OWN)
    assert not choice.model().flags(choice.model().index(row, 0)).value & 32
    pick(window, MODELS_OWN)
    assert sampling(window) == Sampling()


def test_presets_exported_are_imported_under_a_free_name(
    window: Alone, controls: ControlsController, tmp_path: Path
) -> None:
    file = tmp_path / "mine.json"
    controls._presets.export_file(file)
    window.until(lambda: "Saved as" in words(window))
    assert preset_file.read(file.read_bytes()) == (MINE,)
    controls._presets.import_file(file)
    window.until(lambda: "Imported" in words(window))
    assert own(window) == ["Mine", "Mine 2"]
    assert words(window) == "Imported “Mine 2”."


def broken(path: Path) -> Path:
    path.write_text("{", "utf-8")
    return path


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (broken, "The file isn't JSON"),
        (lambda path: path, "is not a file."),
        (lambda path: path.parent, "is not a file."),
    ],
)
def test_presets_import_of_an_unreadable_file_is_one_sentence(
    window: Alone, controls: ControlsController, tmp_path: Path, make: Callable[[Path], Path], error: str
) -> None:
    trigger(window, "save_as")
    controls._presets.import_file(make(tmp_path / "presets.json"))
    window.until(lambda: error in words(window))
    assert named(window, QLabel, "preset_name_reason").text() == "", "not an error of the name that is asked for"
    assert own(window) == ["Mine"]


def test_presets_export_that_fails_is_one_sentence(window: Alone, controls: ControlsController, tmp_path: Path) -> None:
    controls._presets.export_file(tmp_path / "absent" / "presets.json")
    window.until(lambda: "could not be saved" in words(window))
    controls.restore(Settings(presets=PresetStore().saved(replace(MINE, limits=Limits(stop_strings=("x" * 1_001,))))))
    controls._presets.export_file(tmp_path / "mine.json")
    window.until(lambda: "since Import would refuse it: “Mine” has stop strings" in words(window))
    assert not (tmp_path / "mine.json").exists()


def test_preset_name_loses_invisible_characters(window: Alone) -> None:
    trigger(window, "save_as")
    named(window, QLineEdit, "preset_name").setText("gnp.\u202eexe\u2029 👩\u200d🚀")
    named(window, QAbstractButton, "preset_name_ok").click()
    assert own(window) == ["Mine", "gnp.exe 👩\u200d🚀"]


def test_presets_export_without_own_presets_opens_no_dialog(window: Alone, controls: ControlsController) -> None:
    trigger(window, "import")
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.reject()
    controls.restore(Settings())
    trigger(window, "export")
    assert window.findChildren(QFileDialog) == [dialog]
    assert "no presets of your own" in words(window)


def test_presets_change_is_saved_at_once(window: Alone, controls: ControlsController) -> None:
    saved: list[PresetStore] = []
    controls.changed.connect(lambda: saved.append(controls.updated_settings(Settings()).presets))
    save_as(window, "Warm")
    assert [each.name for each in saved[-1].own] == ["Mine", "Warm"]
    named(window, ControlsPanel, "controls").systems.edited.emit("Short", "Be brief.")
    assert saved[-1].systems == (("Short", "Be brief."),)


def test_preset_deleted_is_restored_after_other_changes(window: Alone) -> None:
    pick(window, "Mine")
    trigger(window, "default")
    trigger(window, "delete")
    assert own(window) == []
    assert words(window) == "“Mine” is deleted."
    named(window, ControlsPanel, "controls").systems.edited.emit("Short", "Be brief.")
    trigger(window, "default")
    undo = named(window, QAbstractButton, "preset_undo")
    assert undo.isVisible()
    undo.click()
    assert own(window) == ["Mine"]
    assert not undo.isVisible()
    assert named(window, QComboBox, "preset").currentData() == "Mine"
