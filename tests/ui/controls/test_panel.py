from dataclasses import fields, replace
from itertools import product

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QDoubleSpinBox, QLabel, QPlainTextEdit, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from app.bridge.conversation import supported_kv
from app.controls import OBJECTS, Controls
from app.engine.catalogue import SETTINGS
from app.engine.ranges import RANGES, number
from app.engine.tools import EXAMPLE
from app.engine.types import ENDLESS, KV, Capabilities, FormatKind, Limits, OutputFormat, Sampling
from app.presets import Preset
from app.ui.commands.controller import CONTROLS
from app.ui.controls import ControlsPanel
from app.ui.controls.advanced_parts import idle_kv, idle_sampling
from app.ui.look.theme import Theme
from tests.ui.desk import named

ELSEWHERE = ("observe", "adapter_strength")
"""Not in the panel, or only there with an adapter."""
CHANGED = Controls(
    system="Be brief.\nBe kind.",
    sampling=Sampling(temperature=0.0, top_p=0.9, top_k=40, min_p=0.05, repetition_penalty=1.1, xtc_probability=0.5),
    limits=Limits(ENDLESS, ("\n\n", "END"), (7,)),
    form=OutputFormat(FormatKind.SCHEMA, schema="{"),
    reply_start="Well,",
    arguments=(("size", 3),),
    tools="[{",
    kv=KV(bits=4, group_size=32),
    draft_tokens=7,
    seed=42,
)


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> ControlsPanel:
    made = ControlsPanel(theme)
    qtbot.addWidget(made)
    return made


def spin(panel: ControlsPanel, name: str) -> QSpinBox | QDoubleSpinBox:
    found = panel.findChild(QSpinBox, name) or panel.findChild(QDoubleSpinBox, name)
    assert found is not None
    return found


def button(panel: ControlsPanel, name: str) -> QAbstractButton:
    return named(panel, QAbstractButton, name)


def test_panel_controls_have_their_promised_names(panel: ControlsPanel) -> None:
    names = {
        "max_tokens": "Max tokens",
        "temperature": "Temperature",
        "top_p": "Top-p",
        "top_k": "Top-k",
        "min_p": "Min-p",
        "repetition_penalty": "Repetition penalty",
        "seed": "Seed",
    }
    assert {name: spin(panel, name).accessibleName() for name in names} == names
    assert panel.findChild(QPlainTextEdit, "stop_strings") is not None


def test_panel_shown_values_are_the_same_without_a_signal(panel: ControlsPanel, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(panel.edited):
        panel.show_values(CHANGED)
    assert panel.values == CHANGED
    assert named(panel, QPlainTextEdit, "reply_start").toPlainText() == "Well,"
    assert spin(panel, "draft_tokens").value() == 7
    assert named(panel, QLabel, "tools_wrong").text() != ""
    spin(panel, "seed").setValue(43)
    assert panel.values == replace(CHANGED, seed=43)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("max_tokens", 100, Controls(limits=Limits(100))),
        ("max_tokens", 0, Controls(limits=Limits(ENDLESS))),
        ("temperature", 0.0, Controls(sampling=Sampling(temperature=0.0))),
        ("seed", 0, Controls(seed=0)),
    ],
)
def test_panel_edit_emits_all_values(
    panel: ControlsPanel, qtbot: QtBot, name: str, value: float, expected: Controls
) -> None:
    with qtbot.waitSignal(panel.edited) as edited:
        spin(panel, name).setValue(value)  # type: ignore[arg-type]
    assert edited.args == [expected]


def test_panel_mouse_wheel_changes_no_value(panel: ControlsPanel) -> None:
    panel.show()
    limit = spin(panel, "max_tokens")
    centre = QPointF(limit.rect().center())
    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    wheel = QWheelEvent(centre, limit.mapToGlobal(centre), QPoint(), QPoint(0, 120), *none, False)
    QApplication.sendEvent(limit, wheel)
    assert panel.values == Controls()


def test_panel_setting_without_effect_is_disabled_with_the_reason(panel: ControlsPanel) -> None:
    spin(panel, "temperature").setValue(0.0)  # type: ignore[arg-type]
    for name in ("top_p", "top_k", "min_p", "top_n_sigma", "seed"):
        assert not spin(panel, name).isEnabled()
        assert "No effect at temperature 0" in spin(panel, name).toolTip()
    assert spin(panel, "repetition_penalty").isEnabled()
    panel.show_values(Controls())
    assert spin(panel, "seed").isEnabled()
    assert "No effect" not in spin(panel, "seed").toolTip()


def test_panel_tooltip_has_range_neutral_value_and_meaning(panel: ControlsPanel) -> None:
    for name in (each.name for each in fields(Sampling) if each.name not in ("logit_bias", "seed")):
        field, limits = spin(panel, name), RANGES[name]
        assert field.value() == getattr(Sampling(), name)
        for words in (SETTINGS[name].meaning, str(limits)[1:], f"Neutral: {number(limits.neutral)}."):
            assert words in field.toolTip()
            assert words in field.accessibleDescription()


def test_panel_reveal_shows_each_setting_of_the_palette(panel: ControlsPanel) -> None:
    panel.show()
    settings = [each.name for each in CONTROLS if each.name not in ELSEWHERE]
    for setting in (*reversed(settings), *settings):
        panel.show_more(False)
        panel.fold(tuple(panel.sections))
        panel.reveal(setting)
        found = panel.findChild(QWidget, OBJECTS.get(setting, setting))
        assert found is not None and found.isVisible(), setting


def test_panel_values_that_differ_from_the_preset_are_marked_and_restored(panel: ControlsPanel) -> None:
    preset = Preset("Mine", Sampling(top_k=5, logit_bias=((3, 1.0),)), Limits(9, ("a",), (4,)), sets_limits=True)
    panel.show_preset(preset)
    texts = {"top_k": "Reset to 5", "stop_strings": "“a”", "stop_ids": "#4", "logit_bias": "#3 1.00"}
    backs = {name: button(panel, f"{name}_back") for name in texts}
    assert all(texts[name] in back.toolTip() for name, back in backs.items())
    assert button(panel, "fold_end").accessibleDescription() == "2 changed"
    for back in (*backs.values(), button(panel, "max_tokens_back")):
        back.click()
    assert (panel.values.sampling, panel.values.limits) == (preset.sampling, preset.limits)
    assert button(panel, "fold_end").accessibleDescription() == ""


def test_panel_reasoning_budget_is_marked_refused_and_restored(panel: ControlsPanel, qtbot: QtBot) -> None:
    field = spin(panel, "think_budget")
    assert field.text() == "No limit"
    panel.show_preset(Preset("Mine", limits=Limits(), sets_limits=True))
    with qtbot.waitSignal(panel.edited) as edited:
        field.setValue(200)
    assert edited.args == [replace(panel.values, limits=Limits(think_budget=200))]
    back = button(panel, "think_budget_back")
    assert not back.isHidden() and "no limit" in back.toolTip()
    panel.end.refuse({"think_budget": "It has no marks."})
    reason = named(panel, QLabel, "think_budget_reason")
    assert (field.isEnabled(), reason.text(), reason.isHidden()) == (False, "It has no marks.", False)
    panel.end.refuse({})
    assert (field.isEnabled(), reason.text(), reason.isHidden()) == (True, "", True)
    back.click()
    assert panel.values.limits.think_budget == ENDLESS


def test_panel_tools_have_an_example_and_show_errors_and_refusals(panel: ControlsPanel, qtbot: QtBot) -> None:
    editor, example, wrong = named(panel, QPlainTextEdit, "tools"), button(panel, "tools_example"), "tools_wrong"
    with qtbot.waitSignal(panel.edited):
        example.click()
    assert panel.values.tools == EXAMPLE == editor.toPlainText()
    assert example.isHidden() and named(panel, QLabel, wrong).text() == ""
    editor.setPlainText("\ufeff[{")
    assert panel.values.tools == "\ufeff[{"
    assert named(panel, QLabel, wrong).text().startswith("The tools are not valid JSON")
    panel.tools.show_value(EXAMPLE, "A server.")
    assert (editor.isEnabled(), editor.toPlainText()) == (False, EXAMPLE)
    assert named(panel, QLabel, wrong).text() == "A server." and editor.toolTip().endswith("A server.")
    panel.tools.show_value("", "A server.")
    assert named(panel, QLabel, wrong).text() == "", "no tools are set"


WINDOWS = {"repetition_window", "presence_window", "frequency_window"}
FILTERS = {"top_p", "top_k", "min_p", "min_tokens_to_keep", "top_n_sigma", "xtc_probability", "xtc_threshold", "seed"}


@pytest.mark.parametrize(
    ("sampling", "idle"),
    [
        (Sampling(), {"min_tokens_to_keep", "xtc_threshold"} | WINDOWS),
        (Sampling(min_p=0.1, xtc_probability=0.5), WINDOWS),
        (Sampling(min_p=0.1, xtc_probability=0.5, presence_penalty=1), WINDOWS - {"presence_window"}),
        (Sampling(temperature=0, repetition_penalty=1.1, presence_penalty=-1, frequency_penalty=1), FILTERS),
    ],
)
def test_idle_sampling_names_settings_without_effect(sampling: Sampling, idle: set[str]) -> None:
    found = idle_sampling(sampling)
    assert found.keys() == idle
    assert all(why.startswith("No effect") for why in found.values())


def test_idle_kv_gives_the_refusals_of_the_model() -> None:
    refusals = {"kv_bits": "Only plain KV caches can be quantized.", "max_kv_size": "It ignores the size."}
    idle = idle_kv(KV(), refusals, drafting=False)
    assert (idle["kv_bits"], idle["kv_max_size"]) == (refusals["kv_bits"], refusals["max_kv_size"])
    assert {"kv_group_size", "kv_quantized_start"} <= idle.keys()
    assert idle_kv(KV(enabled=False), {"bare_loop": "It needs it."}, drafting=False)["kv_enabled"] == "It needs it."


CAN = ("kv_bits", "max_kv_size", "bare_loop")


@pytest.mark.parametrize("drafting", [True, False])
@pytest.mark.parametrize("able", list(product((True, False), repeat=3)))
def test_idle_kv_is_what_a_run_leaves_out(able: tuple[bool, bool, bool], drafting: bool) -> None:
    can = Capabilities(kv_bits=able[0], max_kv_size=able[1], bare_loop=able[2])
    refusals = {name: "No." for name, holds in zip(CAN, able, strict=True) if not holds}
    for enabled, bits, size in product((True, False), (None, 4), (None, 64)):
        kv = KV(enabled=enabled, bits=bits, max_size=size)
        idle, sent = idle_kv(kv, refusals, drafting), supported_kv(kv, can, drafting)
        assert sent.enabled == (enabled or "kv_enabled" in idle)
        if sent.enabled:
            assert sent.bits == (None if "kv_bits" in idle else bits)
            assert sent.max_size == (None if "kv_max_size" in idle else size)
