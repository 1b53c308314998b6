"""What only a Mac has, as far as it can be tried elsewhere."""

from __future__ import annotations

from app.state import Phase
from app.ui.shell.mac import IN_THE_DOCK, Awake, dock_menu
from tests.ui.desk import Desk, act


class Recorder:
    """Stands for the system."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def begin(self, reason: str) -> None:
        self.told.append(reason)

    def end(self) -> None:
        self.told.append("end")


def test_the_system_is_told_while_a_run_goes_on(desk: Desk) -> None:
    window, recorder = desk.ready(), Recorder()
    Awake(window.playground, recorder, window)  # type: ignore[arg-type]
    desk.send(window, "Hello")
    desk.until(window, Phase.READY)
    assert recorder.told[0] == "A model is generating"
    assert recorder.told[-1] == "end"


def test_the_dock_offers_what_the_menus_have(desk: Desk) -> None:
    window = desk.ready()
    offered = dock_menu(window).actions()
    assert offered == [act(window, name) for name in IN_THE_DOCK]
