"""The search for draft models: on a thread, for the model that is open now, and never waited for in vain."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel

from app.library.types import FolderChoice
from app.ui.controls import controller_draft
from app.ui.controls.controller_draft import Offers, look_for
from tests.ui.desk import Desk, named


class Library:
    """Answers when it is allowed to."""

    def __init__(self) -> None:
        self.asked: list[Path] = []
        self.may_answer = threading.Event()
        self.threads: set[int] = set()

    def look(self, model: Path, bundled: Path | None) -> Offers:
        self.asked.append(model)
        self.threads.add(threading.get_ident())
        if model.name == "slow":
            assert self.may_answer.wait(10)
        if model.name == "broken":
            raise OSError("unreadable")
        return (FolderChoice(model.name, model / "draft"),)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    made = Library()
    monkeypatch.setattr(controller_draft, "look_for", made.look)
    yield made
    made.may_answer.set()


class Section:
    """The section of the controls, open, and the models that are opened one after another."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self.window = desk.ready()
        self._until, self._folder = desk.qtbot.waitUntil, folder
        named(self.window, QAbstractButton, "more_controls").click()
        named(self.window, QAbstractButton, "fold_draft").click()
        self.choice = named(self.window, QComboBox, "draft_model")

    def open(self, name: str) -> None:
        """As if the engine had opened it."""
        folder = self._folder / name
        folder.mkdir()
        playground = self.window.playground
        assert playground.state.model is not None
        playground._change(model=replace(playground.state.model, folder=folder))

    def until_offered(self, name: str) -> None:
        self._until(lambda: self.choice.findText(name) >= 0)


def test_the_answer_comes_from_another_thread(desk: Desk, library: Library, tmp_path: Path) -> None:
    section = Section(desk, tmp_path)
    section.open("large")
    section.until_offered("large")
    assert library.threads
    assert threading.get_ident() not in library.threads


def test_only_the_last_model_is_answered(desk: Desk, library: Library, tmp_path: Path) -> None:
    section = Section(desk, tmp_path)
    for name in ("slow", "broken", "last"):
        section.open(name)
    section.until_offered("last")
    library.may_answer.set()
    for thread in threading.enumerate():
        if thread.name == "task":
            thread.join(10)
    section.open("after")
    section.until_offered("after")
    assert section.choice.findText("slow") == -1


def test_where_files_cannot_be_read_there_is_nothing_to_offer(desk: Desk, library: Library, tmp_path: Path) -> None:
    section = Section(desk, tmp_path)
    section.open("broken")
    reasons = named(section.window, QLabel, "draft_reasons")
    desk.qtbot.waitUntil(lambda: "No other model" in reasons.text())
    assert library.asked == [tmp_path / "broken"]


def test_closing_waits_for_no_answer(desk: Desk, library: Library, tmp_path: Path) -> None:
    section = Section(desk, tmp_path)
    section.open("slow")
    desk.qtbot.waitUntil(lambda: bool(library.asked))
    section.window.close()
    assert not library.may_answer.is_set()
    assert section.choice.findText("slow") == -1


def test_models_beside_are_looked_at(demo_model: Path, demo_draft: Path) -> None:
    for bundled in (demo_model.parent, None):
        offers = {offer.name: offer for offer in look_for(demo_model, bundled)}
        assert offers["demo-draft"] == FolderChoice("demo-draft", demo_draft)
    assert "not smaller" in {offer.name: offer for offer in look_for(demo_draft, demo_model.parent)}["demo"].why_not


def test_nobody_looks_before_somebody_wants_to_see(desk: Desk) -> None:
    window = desk.ready()
    named(window, QAbstractButton, "more_controls").click()
    choice = named(window, QComboBox, "draft_model")
    named(window, QAbstractButton, "fold_draft").click()
    assert choice.count() == 1
    assert named(window, QLabel, "draft_reasons").text() == "No other model is on this machine."
