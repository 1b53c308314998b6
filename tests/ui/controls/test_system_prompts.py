from dataclasses import replace

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QPlainTextEdit, QToolButton

from app.engine.types import Sampling
from app.files.settings import Settings
from app.i18n import tr
from app.presets import Preset, PresetStore
from app.ui.controls.controller import ControlsController
from tests.ui.alone import Alone
from tests.ui.desk import named

pytestmark = pytest.mark.in_korean


def menu(window: Alone) -> dict[str, QAction]:
    shown = named(window, QToolButton, "system_prompts").menu()
    shown.aboutToShow.emit()
    return {act.text(): act for act in shown.actions() if act.text()}


def write(window: Alone, text: str) -> None:
    field = named(window, QPlainTextEdit, "system_prompt")
    field.selectAll()
    field.insertPlainText(text)


def enter_name(window: Alone, name: str) -> None:
    named(window, QLineEdit, "system_name").setText(name)
    named(window, QAbstractButton, "system_name_ok").click()


def save(window: Alone, name: str) -> None:
    menu(window)[tr("Save under a Name…")].trigger()
    enter_name(window, name)


def reason(window: Alone) -> str:
    return named(window, QLabel, "system_name_reason").text()


def system(window: Alone) -> str:
    return window.playground.state.controls.system


def test_system_prompts_are_saved_chosen_and_deleted(window: Alone, controls: ControlsController) -> None:
    assert not menu(window)[tr("Save under a Name…")].isEnabled()
    assert not menu(window)[tr("Delete This One")].isEnabled()
    for name, text in (("Short & sweet", "Answer in one line.\nNo more."), ("Pirate", "Talk like one.")):
        write(window, text)
        save(window, name)
    assert [name for name, act in menu(window).items() if act.isChecked()] == ["Pirate"]
    menu(window)["Short && sweet"].trigger()
    assert system(window) == "Answer in one line.\nNo more."
    named(window, QPlainTextEdit, "system_prompt").undo()
    assert system(window) == "Talk like one.", "Undo restores the typed text"
    controls.restore(controls.updated_settings(Settings()))
    menu(window)[tr("Delete This One")].trigger()
    assert list(menu(window)) == ["Short && sweet", tr("Save under a Name…"), tr("Delete This One")]
    assert system(window) == "Talk like one."


def test_system_prompt_invalid_name_is_refused_in_place(window: Alone) -> None:
    write(window, "Be brief.")
    menu(window)[tr("Save under a Name…")].trigger()
    line = named(window, QLineEdit, "system_name")
    assert line.isVisible() and line.accessibleName() == tr("Name of this system prompt")
    for name in ("", "x" * 61):
        enter_name(window, name)
        assert reason(window) == tr("A name has 1 to {most} characters.").format(most=60)
    enter_name(window, "x" * 60)
    assert not line.isVisible()


def test_system_prompt_existing_name_has_to_be_entered_twice(window: Alone) -> None:
    for text in ("Answer in one line.", "Talk like a pirate."):
        write(window, text)
        save(window, "Short")
    assert reason(window) == tr("“{name}” exists: enter the name again to replace it.").format(name="Short")
    menu(window)["Short"].trigger()
    assert system(window) == "Answer in one line.", "not replaced yet"
    write(window, "Talk like a pirate.")
    enter_name(window, "Short")
    write(window, "")
    menu(window)["Short"].trigger()
    assert system(window) == "Talk like a pirate."
    save(window, "Short")
    assert not named(window, QLineEdit, "system_name").isVisible(), "the same text needs no warning"


def test_system_prompt_saved_is_the_text_of_when_the_name_was_asked(
    window: Alone, controls: ControlsController
) -> None:
    write(window, "Be brief.")
    menu(window)[tr("Save under a Name…")].trigger()
    write(window, "Be very brief.")
    window.playground.set_controls(replace(window.playground.state.controls, system="Another session's."))
    enter_name(window, "Short")
    assert controls._presets.store.systems == (("Short", "Be very brief."),)


def test_preset_with_system_prompt_applies_it(window: Alone, controls: ControlsController) -> None:
    controls.restore(Settings(presets=PresetStore().saved(Preset("Mine"))))
    include, restore = (window.findChild(QAction, f"preset_{name}") for name in ("system", "restore"))
    assert isinstance(include, QAction) and include.isEnabled() and not include.isChecked()
    assert isinstance(restore, QAction)
    write(window, "Be brief.")
    assert not restore.isEnabled(), "the preset has no system prompt yet"
    include.trigger()
    assert controls._presets.store.own[0].system == "Be brief."
    write(window, "Another.")
    assert restore.isEnabled()
    choice = named(window, QComboBox, "preset")
    choice.activated.emit(choice.findData("Mine"))
    assert system(window) == "Be brief."
    replaced = tr("The preset replaced the system prompt. Undo in its field restores yours.")
    assert named(window, QLabel, "preset_words").text() == replaced
    named(window, QPlainTextEdit, "system_prompt").undo()
    assert system(window) == "Another."
    before = controls._presets.store.own[0]
    window.playground.set_controls(replace(window.playground.state.controls, sampling=Sampling(temperature=0.2)))
    include.trigger()
    assert controls._presets.store.own[0] == replace(before, system=None), "the other values stay"
