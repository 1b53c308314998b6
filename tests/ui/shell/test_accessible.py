"""Whatever can be used has a name, a role and a sentence, and whatever is drawn is told: in every pane and dialog."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QMenuBar,
    QScrollBar,
    QTabBar,
    QWidget,
)

from app.ui.shell.main_window import MainWindow
from tests.ui.shell.test_main_window import WAIT_MS, Desk, act, desk, make_pages, named

__all__ = ["desk"]

PANES = ("sessions", "controls", "inspector", "exact_prompt")
DIALOGS = (
    *("open_model", "show_runs", "show_tables", "view_code", "licences", "help", "gallery"),
    *("settings", "change_shortcuts", "command_palette", "show_branches", "experiment_length", "serve_model"),
)
READ_OUTS = (
    *("speed_now", "speed_mean", "first_token", "prompt_speed", "token_count", "elapsed"),
    *("memory_gauge", "context_gauge", "finish_reason", "prompt_tokens", "lights"),
)
PICTURES = ("speed_graph", "memory_gauge", "context_gauge", "sampling_picture", "exact_prompt_tokens")
WORDS_IN_A_SENTENCE = 4
MANY = 150
# What Qt makes by itself within a control, and answers for.
WITHIN = (QAbstractSpinBox, QComboBox, QHeaderView, QTabBar, QMenu)


@pytest.fixture
def everything(desk: Desk) -> MainWindow:
    """A window with an answer in it, all its panes shown and its dialogs made."""
    window = desk.ready()
    window.resize(1600, 1000)
    for pane in PANES:
        if not act(window, f"toggle_{pane}").isChecked():
            act(window, f"toggle_{pane}").trigger()
    desk.send(window, "hello")
    desk.qtbot.waitUntil(lambda: act(window, "view_code").isEnabled())
    for dialog in DIALOGS:
        act(window, dialog).trigger()
    make_pages(window)
    desk.qtbot.waitUntil(lambda: window.findChild(QWidget, "code_dialog") is not None)
    desk.qtbot.waitUntil(lambda: named(window, QListWidget, "licences_parts").count() > 0, timeout=WAIT_MS)
    return window


def controls(window: MainWindow) -> Iterator[QWidget]:
    """Everything that a pointer or the keyboard can use."""
    kinds = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QAbstractSlider, QAbstractItemView)
    for each in window.findChildren(QWidget):
        used = isinstance(each, kinds) or bool(each.focusPolicy() & Qt.FocusPolicy.TabFocus)
        part = isinstance(each, (QScrollBar, QHeaderView, QMenuBar, QMenu, QGroupBox)) or each.objectName()[:3] == "qt_"
        # What hands the keyboard on is no control itself.
        if used and not part and each.focusProxy() is None and not _is_within(each):
            yield each


def _is_within(widget: QObject) -> bool:
    above = widget.parent()
    return isinstance(above, WITHIN) or (isinstance(above, QWidget) and _is_within(above))


def told(widget: QWidget, what: QAccessible.Text) -> str:
    """As a screen reader has it; the name of a box of choices comes from its label, as Qt has it on Linux."""
    interface = QAccessible.queryAccessibleInterface(widget)
    if isinstance(widget, QComboBox) and what is QAccessible.Text.Name:
        labels = interface.relations(QAccessible.RelationFlag.Label)
        return labels[0][0].text(what) if labels else ""
    return str(interface.text(what))


def wanting(widget: QWidget) -> str:
    """What this control has not, in words."""
    interface = QAccessible.queryAccessibleInterface(widget)
    has = {
        "object name": widget.objectName(),
        "name": told(widget, QAccessible.Text.Name),
        "sentence": told(widget, QAccessible.Text.Description) or widget.toolTip(),
        "role": interface.role() is not QAccessible.Role.NoRole,
    }
    missing = ", ".join(what for what, there in has.items() if not there)
    return f"{type(widget).__name__} {widget.objectName()} in {widget.parentWidget()}: no {missing}" if missing else ""


def test_all_there_is_can_be_found_and_heard(everything: MainWindow) -> None:
    used = list(controls(everything))
    assert len(used) > MANY
    assert "\n".join(filter(None, map(wanting, used))) == ""
    seen = [each.objectName() for each in used if each.isVisible()]
    assert sorted(name for name in set(seen) if seen.count(name) > 1) == []
    for name in READ_OUTS:
        title, _, value = told(named(everything, QWidget, name), QAccessible.Text.Name).partition(": ")
        assert title, name
        assert value, name
    for name in PICTURES:
        sentence = told(named(everything, QWidget, name), QAccessible.Text.Description)
        assert len(sentence.split()) > WORDS_IN_A_SENTENCE, (name, sentence)
    tokens = named(everything, QLabel, "token_count")
    assert told(tokens, QAccessible.Text.Name).startswith(f"Tokens: {tokens.text()} generated")
