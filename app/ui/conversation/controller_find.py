"""Find in the conversation, including other branches and folded reasoning."""

from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer

from app.bridge.playground import Playground
from app.controls import Mode
from app.records.types import BEGINNING, TurnId
from app.state import SETTLED, State, Turn
from app.ui.conversation.transcript import Transcript
from app.ui.conversation.transcript_update import TranscriptUpdate
from app.ui.document.text_finds import MOST, TextFinds, pattern_of
from app.ui.look import Theme
from app.ui.widgets import FindBar

SEARCH_MS = 200
"""Minimum interval between searches while text streams."""


class TurnMatch(NamedTuple):
    """A match. `number` is its index in the turn; `position` is None if it isn't on the page yet."""

    turn: TurnId
    number: int
    position: int | None = None


class FindController(QObject):
    """The search in chat mode. A raw page is part of the prompt, which has its own search."""

    def __init__(
        self, playground: Playground, transcript: Transcript, update: TranscriptUpdate, bar: FindBar, theme: Theme
    ) -> None:
        super().__init__(bar)
        self._update = update
        self._playground, self._transcript, self._bar = playground, transcript, bar
        self._marks = TextFinds(theme, transcript)
        self._found: list[TurnMatch] = []
        self._at = 0
        self._branch_before: TurnId = 0
        """Last turn of the branch that was shown when the search began."""
        self._wanted: TurnMatch | None = None
        """The match to show as soon as it is on the page."""
        self._again = QTimer(self, singleShot=True, interval=SEARCH_MS)
        self._again.timeout.connect(self._search_again)
        transcript.document().contentsChange.connect(self._schedule)
        update.filled.connect(self._search_again)
        bar.sought.connect(self._seek)
        bar.stepped.connect(self._step)
        bar.left.connect(self._restore_view)
        playground.changed.connect(self._on_changed)

    def show_in(self, words: str, turn: TurnId) -> None:
        """Show the first match of a turn, without moving the focus."""
        self._wanted = TurnMatch(turn, 0)
        self._bar.seek(words)
        self._bring_onto_page()
        self._marks.forget_place()

    def close(self) -> None:
        self._again.stop()

    @property
    def _is_chat(self) -> bool:
        return self._playground.state.controls.mode is Mode.CHAT

    def _schedule(self) -> None:
        if self._bar.words and not self._again.isActive():
            self._again.start()

    def _seek(self) -> None:
        if self._is_chat:
            self._search()
            nearest = self._marks.nearest
            self._at = next((at for at, each in enumerate(self._found) if each.position == nearest), 0)
            self._show()

    def _step(self, by: int) -> None:
        if self._is_chat and self._found:
            self._at = (self._at + by) % len(self._found)
            self._wanted = self._found[self._at]
            if self._wanted.position is None:
                self._bring_onto_page()
            else:
                self._show()

    def _bring_onto_page(self) -> None:
        """Bring the wanted match onto the page: show its branch or unfold its reasoning."""
        find = self._wanted
        if find is None or not self._is_chat:
            return
        turns = self._playground.state.turns
        position = next((index for index, turn in enumerate(turns) if turn.id == find.turn), None)
        if position is not None:
            self._transcript.unfold(position)
        else:
            self._branch_before = self._branch_before or (turns[-1].id if turns else 0)
            self._playground.switch(find.turn)
        self._search()
        self._show()

    def _search_again(self) -> None:
        if self._is_chat and self._bar.words:
            self._search()
            self._show(move=False)

    def _show(self, move: bool = True) -> None:
        """Show the current match. A wanted match that isn't on the page yet is shown by a later search."""
        if self._wanted is not None:
            of_turn = [at for at, each in enumerate(self._found) if each.turn == self._wanted.turn]
            self._at = of_turn[min(self._wanted.number, len(of_turn) - 1)] if of_turn else self._at
        self._at = min(self._at, max(0, len(self._found) - 1))
        position = self._found[self._at].position if self._found else None
        if position is not None and not self._update.is_filling and (move or self._wanted is not None):
            self._wanted = None
            self._marks.show(position)
        self._bar.show_count(self._at, len(self._found))

    def _search(self) -> None:
        words, state = self._bar.words, self._playground.state
        self._marks.find(words)
        on_page: dict[int, list[int]] = {}
        for position, cursor in enumerate(self._marks.found):
            on_page.setdefault(self._transcript.turn_of(cursor.selectionStart()), []).append(position)
        wanted = pattern_of(words)
        self._found = []
        for index, turn in _in_order(state) if words else ():
            there = on_page.get(index, [])
            text = self._transcript.folded_text(index) if index >= 0 else f"{turn.reasoning}\n{turn.text}"
            elsewhere = sum(1 for _ in wanted.finditer(text))
            self._found += [TurnMatch(turn.id, number) for number in range(elsewhere)]
            self._found += [TurnMatch(turn.id, elsewhere + number, position) for number, position in enumerate(there)]
        del self._found[MOST:]

    def _restore_view(self) -> None:
        self._again.stop()
        self._wanted, home, self._branch_before = None, self._branch_before, 0
        if home:
            self._playground.switch(home)
        self._marks.leave()

    def _on_changed(self, old: State, new: State) -> None:
        if old.session and new.session != old.session:
            self._branch_before = 0
            self._marks.forget_place()
            self._bar.leave()
        elif new.phase is not old.phase:
            self._schedule()


def _in_order(state: State) -> Iterator[tuple[int, Turn]]:
    """Yield each turn before its children, with its index on the page or −1. During a run only shown turns."""
    shown = {turn.id: (index, turn) for index, turn in enumerate(state.turns)}
    if 0 in shown or state.phase not in SETTLED:
        yield from enumerate(state.turns)
        return
    turns = shown | {turn.id: (-1, turn) for turn in state.others}
    after: dict[TurnId, list[TurnId]] = {}
    for number in sorted(turns, reverse=True):
        after.setdefault(turns[number][1].parent, []).append(number)
    waiting = after.get(BEGINNING, [])
    while waiting:
        number = waiting.pop()
        yield turns[number]
        waiting += after.get(number, [])
