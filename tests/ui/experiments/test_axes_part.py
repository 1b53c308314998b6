"""The settings that are varied, and their values."""

import pytest
from PySide6.QtWidgets import QComboBox, QLineEdit, QStyle, QStyleOptionComboBox
from pytestqt.qtbot import QtBot

from app.engine.catalogue import setting_name
from app.ui.experiments.axes_part import AxesPart
from app.ui.look.theme import Theme

NAMES = ("sampling.temperature", "sampling.repetition_penalty", "kv.quantized_start")


@pytest.mark.parametrize("chosen", NAMES)
def test_no_name_of_a_setting_is_cut_in_large_text(qtbot: QtBot, theme: Theme, chosen: str) -> None:
    """“temperat…” stood there, beside values that had more room than they took."""
    theme.resize(200)
    part = AxesPart(theme)
    qtbot.addWidget(part)
    part.offer([(name, setting_name(name)) for name in NAMES], 1, 1)
    part.resize(400, 200)
    part.show()
    box, values = part.findChild(QComboBox, "experiment_axis_0"), part.findChild(QLineEdit, "experiment_values_0")
    assert box is not None and values is not None
    box.setCurrentIndex(NAMES.index(chosen))
    box.activated.emit(box.currentIndex())
    qtbot.waitUntil(lambda: _room(box) >= box.fontMetrics().horizontalAdvance(box.currentText()))
    assert values.geometry().right() < part.width() and values.width() > 60


def _room(box: QComboBox) -> int:
    option, field = QStyleOptionComboBox(), QStyle.SubControl.SC_ComboBoxEditField
    box.initStyleOption(option)
    return box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, box).width()
