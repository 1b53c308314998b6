"""Whatever a button shows and hides, it does so when a screen reader toggles it, too."""

import pytest
from PySide6.QtWidgets import QAbstractButton, QWidget

from tests.ui.desk import Desk, act, named


@pytest.mark.parametrize(("name", "button_name"), [("sessions", "sessions_button"), ("side", "inspector_button")])
@pytest.mark.parametrize("how", ["click", "toggle"])
def test_a_pane_by_its_button(desk: Desk, name: str, button_name: str, how: str) -> None:
    window = desk.ready()
    window.resize(1600, 1000)
    pane, button = named(window, QWidget, name), named(window, QAbstractButton, button_name)
    shown = pane.isVisible()
    assert button.isChecked() is shown
    for expected in (not shown, shown):
        getattr(button, how)()
        action = act(window, f"toggle_{name}")
        assert (pane.isVisible(), button.isChecked(), action.isChecked()) == (expected,) * 3
