import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from app.ui.shell.main_window import MainWindow
from tests.ui.desk import named
from tests.ui.whole import controls

READ_OUTS = (
    *("speed_now", "speed_mean", "first_token", "prompt_speed", "token_count", "elapsed"),
    *("memory_gauge", "context_gauge", "finish_reason", "prompt_tokens", "lights"),
)
PICTURES = ("speed_graph", "memory_gauge", "context_gauge", "sampling_picture", "exact_prompt_tokens")
WORDS_IN_A_SENTENCE = 4
MANY = 150


def spoken(widget: QWidget, what: QAccessible.Text) -> str:
    """Return a text of the accessible interface; on Linux a combo box takes its name from its label."""
    interface = QAccessible.queryAccessibleInterface(widget)
    if isinstance(widget, QComboBox) and what is QAccessible.Text.Name:
        labels = interface.relations(QAccessible.RelationFlag.Label)
        return labels[0][0].text(what) if labels else ""
    return str(interface.text(what))


def missing_parts(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    has = {
        "object name": widget.objectName(),
        "name": spoken(widget, QAccessible.Text.Name),
        "sentence": spoken(widget, QAccessible.Text.Description) or widget.toolTip(),
        "role": interface.role() is not QAccessible.Role.NoRole,
    }
    missing = ", ".join(what for what, there in has.items() if not there)
    return f"{type(widget).__name__} {widget.objectName()} in {widget.parentWidget()}: no {missing}" if missing else ""


@pytest.mark.slow
def test_controls_have_accessible_names(everything: MainWindow) -> None:
    used = list(controls(everything))
    assert len(used) > MANY
    assert "\n".join(filter(None, map(missing_parts, used))) == ""
    seen = [each.objectName() for each in used if each.isVisible()]
    assert sorted(name for name in set(seen) if seen.count(name) > 1) == []
    for name in READ_OUTS:
        title, _, value = spoken(named(everything, QWidget, name), QAccessible.Text.Name).partition(": ")
        assert title, name
        assert value, name
    for name in PICTURES:
        sentence = spoken(named(everything, QWidget, name), QAccessible.Text.Description)
        assert len(sentence.split()) > WORDS_IN_A_SENTENCE, (name, sentence)
    tokens = named(everything, QLabel, "token_count")
    assert spoken(tokens, QAccessible.Text.Name).startswith(f"Tokens: {tokens.text()} generated")
