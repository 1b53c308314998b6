"""The search for draft models: beside the window's thread, one at a time, and never waited for in vain."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel
from pytestqt.qtbot import QtBot

from app.ui.controls import DraftOffer
from app.ui.controls.draft_models import DraftSearch, Offers, look_for
from tests.ui.desk import WAIT_MS, Desk, named

SMALL = DraftOffer("small", "/m/small")


class Library:
    """Answers when it is allowed to."""

    def __init__(self) -> None:
        self.asked: list[Path] = []
        self.may_answer = threading.Event()
        self.threads: set[int] = set()

    def look(self, model: Path) -> Offers:
        self.asked.append(model)
        self.threads.add(threading.get_ident())
        assert self.may_answer.wait(10)
        if model.name == "broken":
            raise OSError("unreadable")
        return (SMALL,)


@pytest.fixture
def library() -> Iterator[Library]:
    made = Library()
    yield made
    made.may_answer.set()


def test_the_answer_comes_from_another_thread(qtbot: QtBot, library: Library) -> None:
    search = DraftSearch(library.look)
    library.may_answer.set()
    with qtbot.waitSignal(search.found, timeout=WAIT_MS) as told:
        search.search(Path("/m/large"))
    assert told.args == [Path("/m/large"), (SMALL,)]
    assert threading.get_ident() not in library.threads


def test_only_the_last_model_is_answered(qtbot: QtBot, library: Library) -> None:
    search = DraftSearch(library.look)
    answered: list[Path] = []
    search.found.connect(lambda model, _: answered.append(model))
    for name in ("one", "two", "broken"):
        search.search(Path(name))
    with qtbot.waitSignal(search.found, timeout=WAIT_MS) as told:
        library.may_answer.set()
    assert told.args == [Path("broken"), ()]
    assert answered == [Path("broken")]
    assert library.asked == [Path("one"), Path("broken")]


def test_closing_leaves_no_answer_behind(qtbot: QtBot, library: Library) -> None:
    search = DraftSearch(library.look)
    with qtbot.assertNotEmitted(search.found):
        search.search(Path("one"))
        library.may_answer.set()
        search.close()
        qtbot.waitUntil(lambda: threading.active_count() == 1 or library.asked == [Path("one")])


def test_models_beside_are_looked_at(demo_model: Path, demo_draft: Path) -> None:
    for bundled in (demo_model.parent, None):
        offers = {offer.name: offer for offer in look_for(demo_model, bundled)}
        assert offers["demo-draft"] == DraftOffer("demo-draft", str(demo_draft))
    assert "not smaller" in {offer.name: offer for offer in look_for(demo_draft, demo_model.parent)}["demo"].why_not


def test_nobody_looks_before_somebody_wants_to_see(desk: Desk) -> None:
    window = desk.ready()
    choice = named(window, QComboBox, "draft_model")
    named(window, QAbstractButton, "fold_draft").click()
    assert choice.count() == 1
    assert named(window, QLabel, "draft_reasons").text() == "No other model is on this machine."
