"""Blind A/B: votes for a side count for its variant."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.bridge.tasks import Tasks
from app.evaluation.types import Preference, Vote
from app.ui.evaluation.blind_page import BlindPage
from app.ui.evaluation.rows import SHOWN_LENGTH
from app.ui.look.theme import Theme
from tests.evaluation.builders import voted
from tests.ui.desk import named

ROWS = 12
KEPT = {Qt.Key.Key_Equal: Preference.SAME, Qt.Key.Key_Down: Preference.SAME}


class Blind:
    """Two variants, whose answers tell whose they are: “1 of 7”."""

    def __init__(self, qtbot: QtBot, theme: Theme) -> None:
        self.votes, self.qtbot, self.tasks = list[Vote](), qtbot, Tasks()
        self.page = BlindPage(theme, self.tasks, self.votes.append)
        qtbot.addWidget(self.page, before_close_func=lambda _: self.tasks.close())
        self.page.show()
        self.page.setFocus()
        self.page.begin(voted((), ROWS))
        self.page.show_outcome(voted((), ROWS))

    def sides(self) -> list[str]:
        panes = [named(self.page, QPlainTextEdit, f"sets_blind_text_{at}") for at in range(2)]
        self.qtbot.waitUntil(lambda: panes[0].isVisible() and not self.tasks.count)
        return [pane.toPlainText() for pane in panes]


@pytest.fixture
def blind(qtbot: QtBot, theme: Theme) -> Blind:
    return Blind(qtbot, theme)


@pytest.mark.parametrize("key", [Qt.Key.Key_Left, Qt.Key.Key_Right, *KEPT])
def test_key_votes_for_the_variant_of_its_side(blind: Blind, key: Qt.Key) -> None:
    turned = set()
    for count in range(6):
        left, right = blind.sides()
        QTest.keyClick(blind.page, key)
        vote = blind.votes[count]
        assert {left, right} == {f"0 of {vote.row}", f"1 of {vote.row}"}
        liked = left if key is Qt.Key.Key_Left else right
        first = Preference.LEFT if liked.startswith("0") else Preference.RIGHT
        assert vote == Vote(0, 1, vote.row, KEPT.get(key, first), blind=True)
        turned.add(left.startswith("1"))
    assert turned == {True, False}, "both orders came"
    assert len({vote.row for vote in blind.votes}) == 6


def test_reveal_shows_the_variants(blind: Blind) -> None:
    blind.sides()
    reveal, result = blind.page._reveal, named(blind.page, QLabel, "sets_blind_result")
    assert not reveal.isVisible()
    QTest.keyClick(blind.page, Qt.Key.Key_Left)
    blind.sides()
    assert reveal.isVisible() and not result.isVisible()
    reveal.click()
    assert result.isVisible() and "A" in result.text() and "B" in result.text()


def test_arrow_key_in_a_text_votes(blind: Blind) -> None:
    blind.sides()
    QTest.keyClick(named(blind.page, QPlainTextEdit, "sets_blind_text_1"), Qt.Key.Key_Right)
    assert len(blind.votes) == 1


def test_long_prompt_is_cut_and_keeps_the_size_of_the_answers(blind: Blind) -> None:
    blind.sides()
    page, asked = blind.page, named(blind.page, QPlainTextEdit, "sets_blind_asked")
    page.resize(900, 600)
    heights = []
    for prompt, shown in (("short", "short"), ("a word " * 100_000, f"{('a word ' * 100_000)[:SHOWN_LENGTH]}…")):
        page.show_pair(prompt, ("left", "right"))
        page.grab()
        assert asked.toPlainText() == shown and asked.isReadOnly()
        heights.append([named(page, QPlainTextEdit, f"sets_blind_text_{at}").height() for at in range(2)])
    assert heights[0] == heights[1] and asked.verticalScrollBar().maximum() > 0
    page.show_pair("None yet.", None)
    assert named(page, QLabel, "sets_blind_none").isVisible() and not asked.isVisible()


def test_key_without_a_pair_does_not_vote(blind: Blind) -> None:
    blind.sides()
    blind.page.begin(voted((), ROWS))
    QTest.keyClick(blind.page, Qt.Key.Key_Left)
    assert blind.votes == []
