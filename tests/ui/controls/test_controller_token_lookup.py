"""Which tokens a text is: the model that is open is asked, and nobody where none is."""

from __future__ import annotations

from app.state import Phase
from app.ui.controls import ControlsPanel
from tests.ui.desk import WAIT_MS, Desk, named


def test_the_open_model_is_asked_and_nobody_without_one(desk: Desk) -> None:
    window = desk.ready()
    panel, playground = named(window, ControlsPanel, "controls"), window.playground
    panel.complete()
    assert panel.rare is not None
    panel.rare.bias.search.sought.emit("word")
    assert playground.tasks.going_on
    desk.qtbot.waitUntil(lambda: not playground.tasks.going_on, timeout=WAIT_MS)
    assert playground.unload()
    desk.until(window, Phase.EMPTY)
    panel.rare.bias.search.sought.emit("word")
    assert not playground.tasks.going_on
