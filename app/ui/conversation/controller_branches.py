"""Branches of the conversation: forks, the switcher in the headers, the actions and the window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.bridge.playground import Playground
from app.i18n import tr
from app.records.comparison import word_diff
from app.records.types import Fork, TurnId
from app.state import SETTLED, State, Turn
from app.ui.conversation.branches_tree import BranchRow
from app.ui.conversation.transcript import Transcript
from app.ui.look import Theme
from app.ui.tokens.words import legible
from app.ui.widgets import LazyWindow

if TYPE_CHECKING:
    from app.ui.conversation.branches_dialog import BranchesDialog

MAX_WORDS = 12
MAX_CHARACTERS = 80
NOTHING = tr("(nothing)")


class BranchesController(QObject):
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
        self._actions = actions
        self._enable(self._playground.state)

    def turn(self, by: int) -> None:
        """Show the next or previous branch of the current turn."""
        self._step(self._current_fork(), by)

    def show_tree(self) -> None:
        self._fill(self._dialog.window)
        self._dialog.bring_up()
        self._dialog.window.tree.setFocus()

    def _make(self) -> BranchesDialog:
        from app.ui.conversation.branches_dialog import BranchesDialog

        dialog = BranchesDialog(self._theme, self._window)
        dialog.chosen.connect(self._playground.switch)
        dialog.selection_changed.connect(self._compare)
        return dialog

    def fork(self, index: int, place: int, token: int) -> None:
        """Regenerate from this token in place of the sampled one."""
        if self._playground.fork(index, place, ids=(token,)):
            self._transcript.scroll_to_latest()

    def fork_with(self, index: int, place: int, text: str) -> None:
        """Regenerate from this text in place of the sampled token."""
        if self._playground.fork(index, place, text=text):
            self._transcript.scroll_to_latest()

    def _step(self, index: int, by: int) -> None:
        """Show the sibling of the turn at `index`."""
        turns = self._playground.state.turns
        if 0 <= index < len(turns) and turns[index].id in turns[index].siblings:
            siblings = turns[index].siblings
            number = siblings.index(turns[index].id) + by
            if 0 <= number < len(siblings):
                self._playground.switch(siblings[number])

    def _current_fork(self) -> int:
        """Return the turn at the text cursor if it has siblings, else the last turn that has."""
        turns, current = self._playground.state.turns, self._transcript.current_turn()
        forks = [index for index, turn in enumerate(turns) if len(turn.siblings) > 1]
        return current if current is not None and current in forks else forks[-1] if forks else -1

    def _on_changed(self, old: State, new: State) -> None:
        if new.turns is not old.turns or new.phase is not old.phase:
            self._enable(new)
            if self._dialog.seen is not None:
                self._fill(self._dialog.seen)

    def _enable(self, state: State) -> None:
        settled = state.phase in SETTLED
        forks = any(len(turn.siblings) > 1 for turn in state.turns)
        for name in ("previous_branch", "next_branch"):
            self._actions[name].setEnabled(settled and forks)
        self._actions["show_branches"].setEnabled(bool(state.others))

    def _fill(self, dialog: BranchesDialog) -> None:
        state = self._playground.state
        rows = [*(_row(turn, True) for turn in state.turns), *(_row(turn, False) for turn in state.others)]
        dialog.show_rows([row for row in rows if row.number], state.phase in SETTLED)

    def _compare(self, number: TurnId) -> None:
        state = self._playground.state
        shown = next((turn for turn in state.turns if number in turn.siblings), None)
        other = next((turn for turn in state.others if turn.id == number), None)
        self._dialog.window.show_difference(word_diff(shown.text, other.text) if shown and other else None)


def _row(turn: Turn, shown: bool) -> BranchRow:
    fork = describe_fork(turn.forked) if turn.forked is not None else ""
    return BranchRow(turn.id, turn.parent, turn.role.words, _first_words(turn.text or turn.reasoning), fork, shown)


def describe_fork(forked: Fork) -> str:
    place = f"{forked.place + 1:,}"
    if not forked.chosen:
        return tr("at token {place}").format(place=place)
    chosen = legible(forked.chosen)
    if not forked.instead:
        return tr("at token {place}: “{chosen}”").format(place=place, chosen=chosen)
    words = tr("at token {place}: “{chosen}” instead of “{instead}”")
    return words.format(place=place, chosen=chosen, instead=legible(forked.instead))


def _first_words(text: str) -> str:
    words = " ".join(text[: 2 * MAX_CHARACTERS].split()[:MAX_WORDS])
    if len(words) > MAX_CHARACTERS or len(text.split()) > MAX_WORDS:
        words = f"{words[:MAX_CHARACTERS].rstrip()}…"
    return words or NOTHING
