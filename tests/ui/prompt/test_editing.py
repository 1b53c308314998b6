"""An earlier turn that is edited is the one that changes, wherever it stands by then."""

from app.engine.types import Role
from tests.ui.desk import Desk


def test_an_edit_follows_its_turn_and_is_a_turn_of_its_own_when_that_is_gone(desk: Desk) -> None:
    window = desk.ready()
    for words in ("one", "two", "three"):
        desk.send(window, words)
    prompt = window._parts.prompt
    window._features.prompt.edit(2)
    prompt.set_text("two, corrected")
    window.playground.delete(0)
    assert (prompt.editing, prompt.text()) == (0, "two, corrected")
    window.playground.delete(0)
    assert (prompt.editing, prompt.text()) == (None, "two, corrected")
    window.playground.undo()
    desk.send(window, prompt.text())
    texts = [turn.text for turn in window.playground.state.turns if turn.role is Role.USER]
    assert texts == ["two", "three", "two, corrected"]


def test_what_was_typed_before_an_edit_comes_next(desk: Desk) -> None:
    window = desk.ready()
    desk.send(window, "one")
    prompt = window._parts.prompt
    prompt.set_text("next")
    window._features.prompt.edit(0)
    desk.send(window, "one, corrected")
    assert window.playground.state.turns[0].text == "one, corrected"
    assert (prompt.editing, prompt.text()) == (None, "next")
