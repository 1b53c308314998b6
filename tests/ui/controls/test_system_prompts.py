"""System prompts by name: kept, chosen, forgotten, and carried by a preset where that is wanted."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QPlainTextEdit, QToolButton

from app.engine.types import Sampling
from app.files.settings import Settings
from app.i18n import tr
from app.presets import Preset, PresetStore
from app.presets import file as preset_file
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


def call_it(window: Alone, name: str) -> None:
    line = named(window, QLineEdit, "system_name")
    line.setText(name)
    named(window, QAbstractButton, "system_name_ok").click()


def system(window: Alone) -> str:
    return window.playground.state.controls.system


def test_one_is_kept_chosen_and_forgotten(window: Alone, controls: ControlsController) -> None:
    assert not menu(window)[tr("Save under a Name…")].isEnabled()
    assert not menu(window)[tr("Delete This One")].isEnabled()
    for name, text in (("Short & sweet", "Answer in one line.\nNo more."), ("Pirate", "Talk like one.")):
        write(window, text)
        menu(window)[tr("Save under a Name…")].trigger()
        call_it(window, name)
    assert [name for name, act in menu(window).items() if act.isChecked()] == ["Pirate"]
    menu(window)["Short && sweet"].trigger()
    assert system(window) == "Answer in one line.\nNo more."
    named(window, QPlainTextEdit, "system_prompt").undo()
    assert system(window) == "Talk like one.", "nothing typed is lost by choosing"
    controls.restore(controls.kept(Settings()))
    menu(window)[tr("Delete This One")].trigger()
    assert list(menu(window)) == ["Short && sweet", tr("Save under a Name…"), tr("Delete This One")]
    assert system(window) == "Talk like one."


def test_a_name_that_can_t_be_had_is_said_in_place(window: Alone) -> None:
    write(window, "Be brief.")
    menu(window)[tr("Save under a Name…")].trigger()
    line = named(window, QLineEdit, "system_name")
    assert line.isVisible() and line.accessibleName() == tr("Name of this system prompt")
    for name in ("", "x" * 61):
        call_it(window, name)
        assert named(window, QLabel, "system_name_reason").text() == tr("A name has 1 to {most} characters.").format(
            most=60
        )
    call_it(window, "x" * 60)
    assert not line.isVisible()


def test_a_kept_one_is_replaced_only_by_who_was_told_of_it(window: Alone) -> None:
    for text in ("Answer in one line.", "Talk like a pirate."):
        write(window, text)
        menu(window)[tr("Save under a Name…")].trigger()
        call_it(window, "Short")
    said = tr("“{name}” exists: enter the name again to replace it.").format(name="Short")
    assert named(window, QLabel, "system_name_reason").text() == said
    menu(window)["Short"].trigger()
    assert system(window) == "Answer in one line.", "that is still kept"
    write(window, "Talk like a pirate.")
    call_it(window, "Short")
    write(window, "")
    menu(window)["Short"].trigger()
    assert system(window) == "Talk like a pirate."
    menu(window)[tr("Save under a Name…")].trigger()
    call_it(window, "Short")
    assert not named(window, QLineEdit, "system_name").isVisible(), "the same is no other one"


def test_a_name_is_for_the_prompt_that_it_was_asked_for(window: Alone, controls: ControlsController) -> None:
    write(window, "Be brief.")
    menu(window)[tr("Save under a Name…")].trigger()
    write(window, "Be very brief.")
    now = window.playground.state.controls
    window.playground.set_controls(replace(now, system="Another session's."))
    call_it(window, "Short")
    assert controls._presets.store.systems == (("Short", "Be very brief."),)


def test_a_preset_carries_one_where_that_is_wanted(window: Alone, controls: ControlsController) -> None:
    controls.restore(Settings(presets=PresetStore().saved(Preset("Mine"))))
    act = window.findChild(QAction, "preset_system")
    assert isinstance(act, QAction) and act.isEnabled() and not act.isChecked()
    restore = window.findChild(QAction, "preset_restore")
    assert isinstance(restore, QAction)
    write(window, "Be brief.")
    assert not restore.isEnabled(), "it is no part of the preset yet"
    act.trigger()
    assert controls._presets.store.own[0].system == "Be brief."
    write(window, "Another.")
    assert restore.isEnabled()
    choice = named(window, QComboBox, "preset")
    choice.activated.emit(choice.findData("Mine"))
    assert system(window) == "Be brief."
    assert named(window, QLabel, "preset_words").text() == tr(
        "The preset replaced the system prompt. Undo in its field restores yours."
    )
    named(window, QPlainTextEdit, "system_prompt").undo()
    assert system(window) == "Another.", "nothing typed is lost by choosing"
    before = controls._presets.store.own[0]
    now = window.playground.state.controls
    window.playground.set_controls(replace(now, sampling=Sampling(temperature=0.2)))
    act.trigger()
    after = controls._presets.store.own[0]
    assert (after.system, after) == (None, replace(before, system=None)), "nothing else of it was meant"


def test_it_travels_in_the_file_and_half_a_character_is_refused() -> None:
    carried = Preset("Mine", system="Be brief.")
    assert preset_file.read(preset_file.written((carried,)).encode()) == (carried,)
    odd = preset_file.written((replace(carried, system="BROKEN"),)).replace("BROKEN", "\\ud800")
    assert preset_file.read(odd.encode()) == tr("“{name}” has a system prompt that isn't valid text.").format(
        name="Mine"
    )


def test_what_is_done_to_presets_leaves_the_system_prompts() -> None:
    shelf = PresetStore().saved(Preset("One")).with_system("Pirate", "Arr")
    for changed in (shelf.renamed("One", "Two"), shelf.without("One"), shelf.with_imported((Preset("Three"),))):
        assert changed.systems == (("Pirate", "Arr"),)
