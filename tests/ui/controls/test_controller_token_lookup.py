"""Which tokens a text is: the model that is open is asked, and nobody where none is."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit

from app.state import Phase
from app.ui.controls import ControlsPanel
from tests.ui.desk import Desk, named


def test_the_open_model_is_asked_and_nobody_without_one(desk: Desk) -> None:
    window = desk.ready()
    panel, playground = named(window, ControlsPanel, "controls"), window.playground
    panel.rare.bias.search.sought.emit("word")
    assert playground.tasks.going_on
    desk.qtbot.waitUntil(lambda: not playground.tasks.going_on)
    assert playground.unload()
    desk.until(window, Phase.EMPTY)
    panel.rare.bias.search.sought.emit("word")
    assert not playground.tasks.going_on


def test_an_id_that_is_there_already_leaves_the_others_their_texts(desk: Desk) -> None:
    window = desk.ready()
    panel, playground = named(window, ControlsPanel, "controls"), window.playground
    line = named(panel, QLineEdit, "stop_ids_search")

    def seek(text: str) -> None:
        line.setText(text)
        QTest.keyClick(line, Qt.Key.Key_Return)
        desk.qtbot.waitUntil(lambda: not playground.tasks.going_on)

    def lines() -> list[str]:
        ids = playground.state.controls.limits.stop_ids
        return [named(panel, QLabel, f"stop_ids_{token}").text() for token in ids]

    seek("one")
    seek("two")
    before = lines()
    assert [each.split()[0] for each in before] == ["one", "two"]
    seek(before[0].split()[1])
    assert named(panel, QLabel, "stop_ids_answer").text() == "It is in the list already."
    assert lines() == before
