"""The controls: every value comes out as it went in, and only the user's changes are told."""

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
from app.engine.types import ENDLESS, KV, Capabilities, Limits, Sampling
from app.presets import Preset
from app.ui.commands.controller import CONTROLS
from app.ui.controls import ControlsPanel
from app.ui.controls.advanced_parts import idle_kv, idle_sampling
from app.ui.look.theme import Theme
from app.ui.widgets.limit_slider import LimitSlider
from tests.ui.desk import named

ELSEWHERE = ("observe", "adapter_strength")
"""Not in the panel, or only there with an adapter."""
CHANGED = Controls(
    system="Be brief.\nBe kind.",
    sampling=Sampling(temperature=0.0, top_p=0.9, top_k=40, min_p=0.05, repetition_penalty=1.1, xtc_probability=0.5),
    limits=Limits(ENDLESS, ("\n\n", "END"), (7,)),
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


def test_every_name_that_was_promised_is_there(panel: ControlsPanel) -> None:
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


def test_values_shown_are_the_values_kept_and_nobody_is_told(panel: ControlsPanel, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(panel.edited):
        panel.show_values(CHANGED)
    assert panel.values == CHANGED
    spin(panel, "seed").setValue(43)
    assert panel.values.limits == CHANGED.limits
    assert panel.values.sampling == CHANGED.sampling


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("max_tokens", 100, Controls(limits=Limits(100))),
        ("max_tokens", 0, Controls(limits=Limits(ENDLESS))),
        ("temperature", 0.0, Controls(sampling=Sampling(temperature=0.0))),
        ("top_k", 40, Controls(sampling=Sampling(top_k=40))),
        ("seed", 0, Controls(seed=0)),
    ],
)
def test_a_change_tells_all_values(
    panel: ControlsPanel, qtbot: QtBot, name: str, value: float, expected: Controls
) -> None:
    with qtbot.waitSignal(panel.edited) as told:
        spin(panel, name).setValue(value)  # type: ignore[arg-type]
    assert told.args == [expected]


def test_scrolling_over_a_value_does_not_change_it(panel: ControlsPanel, qtbot: QtBot) -> None:
    panel.show()
    limit = spin(panel, "max_tokens")
    centre = QPointF(limit.rect().center())
    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    wheel = QWheelEvent(centre, limit.mapToGlobal(centre), QPoint(), QPoint(0, 120), *none, False)
    QApplication.sendEvent(limit, wheel)
    assert panel.values == Controls()


def test_what_has_no_effect_is_greyed(panel: ControlsPanel) -> None:
    assert spin(panel, "top_p").isEnabled()
    spin(panel, "temperature").setValue(0.0)  # type: ignore[arg-type]
    for name in ("top_p", "top_k", "min_p", "top_n_sigma", "seed"):
        assert not spin(panel, name).isEnabled()
        assert "No effect at temperature 0" in spin(panel, name).toolTip()
    assert spin(panel, "repetition_penalty").isEnabled()
    panel.show_values(Controls())
    assert spin(panel, "seed").isEnabled()
    assert "No effect" not in spin(panel, "seed").toolTip()


def test_slider_and_number_agree(panel: ControlsPanel, qtbot: QtBot) -> None:
    slider = panel.findChild(LimitSlider)
    assert slider is not None
    with qtbot.waitSignal(panel.edited) as told:
        slider.setValue(slider.maximum() // 3)
    assert told.args == [Controls(limits=Limits(32))]
    place = slider.value()
    spin(panel, "max_tokens").setValue(33)
    assert (slider.value(), panel.values.limits.max_tokens) == (place, 33)
    panel.show_values(Controls(limits=Limits(ENDLESS)))
    assert slider.value() == slider.maximum()


def test_every_value_of_sampling_has_its_range_its_neutral_value_and_its_words(panel: ControlsPanel) -> None:
    for name in (each.name for each in fields(Sampling) if each.name not in ("logit_bias", "seed")):
        field, limits = spin(panel, name), RANGES[name]
        assert field.value() == getattr(Sampling(), name)
        for words in (SETTINGS[name].meaning, str(limits)[1:], f"Neutral: {number(limits.neutral)}."):
            assert words in field.toolTip()
            assert words in field.accessibleDescription()


def test_each_setting_of_the_palette_is_brought_in_sight(panel: ControlsPanel) -> None:
    panel.show()
    settings = [each.name for each in CONTROLS if each.name not in ELSEWHERE]
    for setting in (*reversed(settings), *settings):
        panel.show_more(False)
        panel.fold(tuple(panel.sections))
        panel.reveal(setting)
        found = panel.findChild(QWidget, OBJECTS.get(setting, setting))
        assert found is not None and found.isVisible(), setting


def test_what_differs_from_the_preset_is_marked_and_counted(panel: ControlsPanel) -> None:
    preset = Preset("Mine", Sampling(top_k=5, logit_bias=((3, 1.0),)), Limits(9, ("a",), (4,)), sets_limits=True)
    panel.show_preset(preset)
    backs = {name: named_button(panel, f"{name}_back") for name in ("top_k", "stop_strings", "stop_ids", "logit_bias")}
    assert "Reset to 5" in backs["top_k"].toolTip()
    assert "“a”" in backs["stop_strings"].toolTip()
    assert "#4" in backs["stop_ids"].toolTip()
    assert "#3 1.00" in backs["logit_bias"].toolTip()
    assert named_button(panel, "fold_end").accessibleDescription() == "2 changed"
    for button in (*backs.values(), named_button(panel, "max_tokens_back")):
        button.click()
    assert (panel.values.sampling, panel.values.limits) == (preset.sampling, preset.limits)
    assert named_button(panel, "fold_end").accessibleDescription() == ""


def named_button(panel: ControlsPanel, name: str) -> QAbstractButton:
    found = panel.findChild(QAbstractButton, name)
    assert found is not None
    return found


def test_a_thinking_budget_is_set_marked_put_back_and_greyed_with_its_reason(
    panel: ControlsPanel, qtbot: QtBot
) -> None:
    field = spin(panel, "think_budget")
    assert field.text() == "No limit"
    panel.show_preset(Preset("Mine", limits=Limits(), sets_limits=True))
    with qtbot.waitSignal(panel.edited) as edited:
        field.setValue(200)
    assert edited.args == [replace(panel.values, limits=Limits(think_budget=200))]
    back = named(panel, QAbstractButton, "think_budget_back")
    assert not back.isHidden() and "no limit" in back.toolTip()
    panel.end.refuse({"think_budget": "It has no marks."})
    reason = named(panel, QLabel, "think_budget_reason")
    assert not reason.isHidden()
    assert (field.isEnabled(), reason.text()) == (False, "It has no marks.")
    panel.end.refuse({})
    assert (field.isEnabled(), reason.text(), reason.isHidden()) == (True, "", True)
    back.click()
    assert panel.values.limits.think_budget == ENDLESS


WINDOWS = {"repetition_window", "presence_window", "frequency_window"}


@pytest.mark.parametrize(
    ("sampling", "idle"),
    [
        (Sampling(), {"min_tokens_to_keep", "xtc_threshold"} | WINDOWS),
        (Sampling(min_p=0.1, xtc_probability=0.5), WINDOWS),
        (Sampling(min_p=0.1, xtc_probability=0.5, presence_penalty=1), WINDOWS - {"presence_window"}),
        (
            Sampling(temperature=0, repetition_penalty=1.1, presence_penalty=-1, frequency_penalty=1),
            {
                "top_p",
                "top_k",
                "min_p",
                "min_tokens_to_keep",
                "top_n_sigma",
                "xtc_probability",
                "xtc_threshold",
                "seed",
            },
        ),
    ],
)
def test_idle_sampling(sampling: Sampling, idle: set[str]) -> None:
    found = idle_sampling(sampling)
    assert found.keys() == idle
    assert all(why.startswith("No effect") for why in found.values())


def test_what_the_model_refuses_is_said_in_its_words() -> None:
    refusals = {"kv_bits": "Only plain KV caches can be quantized.", "max_kv_size": "It ignores the size."}
    idle = idle_kv(KV(), refusals, drafting=False)
    assert idle["kv_bits"] == refusals["kv_bits"]
    assert idle["kv_max_size"] == refusals["max_kv_size"]
    assert {"kv_group_size", "kv_quantized_start"} <= idle.keys()
    assert idle_kv(KV(enabled=False), {"bare_loop": "It needs it."}, drafting=False)["kv_enabled"] == "It needs it."


CAN = ("kv_bits", "max_kv_size", "bare_loop")


@pytest.mark.parametrize("drafting", [True, False])
@pytest.mark.parametrize("able", list(product((True, False), repeat=3)))
def test_what_is_greyed_is_left_out_of_a_run_and_nothing_else(able: tuple[bool, bool, bool], drafting: bool) -> None:
    can = Capabilities(kv_bits=able[0], max_kv_size=able[1], bare_loop=able[2])
    refusals = {name: "No." for name, holds in zip(CAN, able, strict=True) if not holds}
    for enabled, bits, size in product((True, False), (None, 4), (None, 64)):
        kv = KV(enabled=enabled, bits=bits, max_size=size)
        idle, sent = idle_kv(kv, refusals, drafting), supported_kv(kv, can, drafting)
        assert sent.enabled == (enabled or "kv_enabled" in idle)
        if sent.enabled:
            assert sent.bits == (None if "kv_bits" in idle else bits)
            assert sent.max_size == (None if "kv_max_size" in idle else size)
