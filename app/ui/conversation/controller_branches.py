"""Branches in the window: forks from the inspector, the switcher in the headers, the actions and the tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.bridge.playground import Playground
from app.i18n import tr
from app.records.types import Fork, TurnId
from app.records.word_diff import word_diff
from app.state import SETTLED, State, Turn
from app.ui.conversation.branches_values import BranchRow
from app.ui.conversation.transcript import Transcript
from app.ui.look import Theme
from app.ui.tokens.words import legible
from app.ui.widgets import LazyWindow

if TYPE_CHECKING:
    from app.ui.conversation.branches_dialog import BranchesDialog

WORDS = 12
"""So many first words tell a turn from others."""
LONGEST = 80
NOTHING = tr("(nothing)")


class BranchesController(QObject):
    """Asks the playground for forks and other branches, which refuses what does not fit."""

    def __init__(self, playground: Playground, transcript: Transcript, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground = playground
        self._transcript = transcript
        self._theme = theme
        self._window = parent
        self._actions: Mapping[str, QAction] = {}
        self._dialog = LazyWindow(self._make)
        transcript.branch_wanted.connect(self._step)
        playground.changed.connect(self._on_changed)

    def join(self, actions: Mapping[str, QAction]) -> None:
        """The actions whose intents are here."""
        self._actions = actions
        self._enable(self._playground.state)

    def turn(self, by: int) -> None:
        """To another branch, where one is."""
        self._step(self._where(), by)

    def show_tree(self) -> None:
        self._fill(self._dialog.window)
        self._dialog.bring_up()
        self._dialog.window.tree.setFocus()

    def _make(self) -> BranchesDialog:
        from app.ui.conversation.branches_dialog import BranchesDialog

        dialog = BranchesDialog(self._theme, self._window)
        dialog.chosen.connect(self._playground.switch)
        dialog.turned.connect(self._compare)
        return dialog

    def fork(self, index: int, place: int, token: int) -> None:
        """Go on with this token in place of the one that was chosen."""
        if self._playground.fork(index, place, ids=(token,)):
            self._transcript.scroll_to_latest()

    def fork_with(self, index: int, place: int, text: str) -> None:
        """Go on with these words in its place."""
        if self._playground.fork(index, place, text=text):
            self._transcript.scroll_to_latest()

    def _step(self, index: int, by: int) -> None:
        """To the turn before or after the one at `index` in the same place."""
        turns = self._playground.state.turns
        if 0 <= index < len(turns) and turns[index].id in turns[index].siblings:
            siblings = turns[index].siblings
            number = siblings.index(turns[index].id) + by
            if 0 <= number < len(siblings):
                self._playground.switch(siblings[number])

    def _where(self) -> int:
        """The turn that the cursor is in or, where there is only one of it, the last one with branches."""
        turns, current = self._playground.state.turns, self._transcript.current_turn()
        parted = [index for index, turn in enumerate(turns) if len(turn.siblings) > 1]
        return current if current is not None and current in parted else parted[-1] if parted else -1

    def _on_changed(self, old: State, new: State) -> None:
        if new.turns is not old.turns or new.phase is not old.phase:
            self._enable(new)
            if self._dialog.seen is not None:
                self._fill(self._dialog.seen)

    def _enable(self, state: State) -> None:
        settled = state.phase in SETTLED
        parted = any(len(turn.siblings) > 1 for turn in state.turns)
        for name in ("previous_branch", "next_branch"):
            self._actions[name].setEnabled(settled and parted)
        self._actions["show_branches"].setEnabled(bool(state.others))

    def _fill(self, dialog: BranchesDialog) -> None:
        state = self._playground.state
        rows = [*(_row(turn, True) for turn in state.turns), *(_row(turn, False) for turn in state.others)]
        dialog.show_rows([row for row in rows if row.number], state.phase in SETTLED)

    def _compare(self, number: TurnId) -> None:
        """The selected turn with the one in sight in its place."""
        state = self._playground.state
        shown = next((turn for turn in state.turns if number in turn.siblings), None)
        other = next((turn for turn in state.others if turn.id == number), None)
        self._dialog.window.show_difference(word_diff(shown.text, other.text) if shown and other else None)


def _row(turn: Turn, shown: bool) -> BranchRow:
    parted = told(turn.forked) if turn.forked is not None else ""
    return BranchRow(turn.id, turn.parent, turn.role.words, _first_words(turn.text or turn.reasoning), parted, shown)


def told(forked: Fork) -> str:
    """Where an answer took another way, in words."""
    place = f"{forked.place + 1:,}"
    if not forked.chosen:
        return tr("at token {place}").format(place=place)
    chosen = legible(forked.chosen)
    if not forked.instead:
        return tr("at token {place}: “{chosen}”").format(place=place, chosen=chosen)
    words = tr("at token {place}: “{chosen}” instead of “{instead}”")
    return words.format(place=place, chosen=chosen, instead=legible(forked.instead))


def _first_words(text: str) -> str:
    words = " ".join(text[: 2 * LONGEST].split()[:WORDS])
    if len(words) > LONGEST or len(text.split()) > WORDS:
        words = f"{words[:LONGEST].rstrip()}…"
    return words or NOTHING
