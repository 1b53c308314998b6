"""Applies the difference between two conversations to the transcript. Unchanged turns stay untouched."""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, takewhile

from PySide6.QtCore import QObject, QTimer, Signal

from app.engine.types import Channel, Role, VisibleText
from app.state import Turn
from app.ui.conversation.finish_text import finish_line, with_model
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import EDITED, ONLY, Branch

Step = Callable[[], None]
Turns = tuple[Turn, ...]
Numbered = Sequence[tuple[int, Turn]]

MAX_AT_ONCE = 20_000
"""Maximum number of characters that are added at once; more text is added in steps."""
SCREENFUL = 8_000
PIECE = 2_000
STEP_S = 0.012


class TranscriptUpdate(QObject):
    """Updates the turns of the transcript. The text of a streaming answer comes by frames instead.

    Many turns are added in steps between other events; the page is repainted only at the start and the end.
    """

    filled = Signal()

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._new: Turns = ()
        self.open_model = ""
        """Label of the open model, which generates an open answer."""
        self._steps: Iterator[Step] = iter(())
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._run_steps)

    @property
    def is_filling(self) -> bool:
        return self._timer.isActive()

    def apply(self, old: Turns, new: Turns) -> None:
        same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(old, new, strict=False)))
        # Pending steps add turns that stay, unless no turn stays.
        for step in self._steps if same else ():
            step()
        self._end_steps()
        if same == len(new) - 1 == len(old) - 1 and old[-1].open and not new[-1].open:
            self._transcript.end_answer(_ending(new[-1]), reasoning_tokens(new[-1]))
        elif same == len(new) - 1 == len(old) - 1 and new[-1].open and new[-1].runs and old[-1].runs == new[-1].runs:
            self._transcript.continue_answer()
        elif new != old:
            self._replace(same, new)

    def append(self, shown: tuple[VisibleText, ...], reasoning_tokens: int = 0) -> None:
        """Append text of the open answer; long text in steps, after the pending ones."""
        if not self.is_filling and sum(len(piece.text) for piece in shown) <= SCREENFUL:
            self._transcript.append_shown(shown, reasoning_tokens)
            return
        steps = (partial(self._transcript.append_shown, (piece,), reasoning_tokens) for piece in _slices(shown))
        self._steps = chain(self._steps, steps)
        self._timer.start()

    def _replace(self, same: int, new: Turns) -> None:
        self._new = new
        self._transcript.remove_from(same)
        added = list(enumerate(new[same:], start=same))
        length = sum(len(shown.text) for _, turn in added for shown in _content(turn))
        if length > MAX_AT_ONCE and not self._transcript.is_keeping_place:
            # Readers look at the end first.
            self._add(_last_page(added))
            self._transcript.scroll_to_latest()
            self._steps = self._make_steps(same, added)
            self._timer.start()
        else:
            self._add(added)

    def _run_steps(self) -> None:
        if self._transcript.updatesEnabled():
            self._transcript.viewport().repaint()
            self._transcript.setUpdatesEnabled(False)
        until = time.perf_counter() + STEP_S
        for step in self._steps:
            step()
            if time.perf_counter() > until:
                return
        self._end_steps()

    def _end_steps(self) -> None:
        self._steps = iter(())
        if self._timer.isActive():
            self._timer.stop()
            self._transcript.setUpdatesEnabled(True)
            self.filled.emit()

    def _add(self, added: Numbered) -> None:
        for index, turn in added:
            if turn.open:
                self._transcript.begin_answer(index, _branch(turn), self._new_writer(index))
                if content := _content(turn):
                    self._transcript.append_shown(content, reasoning_tokens(turn))
            else:
                self._add_turn(index, turn)

    def _make_steps(self, same: int, added: Numbered) -> Iterator[Step]:
        """Yield the steps of an update: a turn each, and long answers in pieces."""
        transcript = self._transcript
        yield partial(transcript.remove_from, same)
        for index, turn in added:
            if not turn.open and (turn.role is not Role.ASSISTANT or len(turn.text) + len(turn.reasoning) <= PIECE):
                yield partial(self._add_turn, index, turn)
                continue
            yield partial(transcript.begin_answer, index, _branch(turn), self._new_writer(index))
            for piece in _slices(_content(turn)):
                yield partial(transcript.append_shown, (piece,), reasoning_tokens(turn))
            if not turn.open:
                yield partial(transcript.end_answer, _ending(turn), reasoning_tokens(turn))
        yield transcript.scroll_to_latest

    def _add_turn(self, index: int, turn: Turn) -> None:
        branch, writer = _branch(turn), self._new_writer(index)
        self._transcript.add_turn(index, turn.role, _content(turn), _ending(turn), branch, writer)

    def _new_writer(self, index: int) -> str:
        """Return the model of an answer if the answer before it is by another one; else empty."""
        writer = self._writer(self._new[index])
        earlier = filter(None, map(self._writer, reversed(self._new[:index])))
        return writer if writer and next(earlier, writer) != writer else ""

    def _writer(self, turn: Turn) -> str:
        """Return the label of the model that generated the turn; empty if none did."""
        return turn.runs[-1].model_label if turn.runs else self.open_model if turn.open else ""


def _last_page(turns: Numbered) -> Numbered:
    room, count = SCREENFUL, 0
    for _, turn in reversed(turns):
        room -= len(turn.text) + len(turn.reasoning)
        if room < 0:
            break
        count += 1
    return turns[len(turns) - count :]


def _content(turn: Turn) -> tuple[VisibleText, ...]:
    """Return the text of a turn. All text of an open answer without earlier runs is in the frames."""
    if turn.open and not turn.runs:
        return ()
    reasoning = (VisibleText(Channel.REASONING, turn.reasoning),) if turn.reasoning else ()
    return (*reasoning, *(shown for shown in _pieces(turn) if shown.text))


def _slices(content: tuple[VisibleText, ...]) -> Iterator[VisibleText]:
    for shown in content:
        for start in range(0, len(shown.text), PIECE):
            yield VisibleText(shown.voice, shown.text[start : start + PIECE])


def _pieces(turn: Turn) -> Iterator[VisibleText]:
    rest = turn.text
    for call in turn.calls:
        before, found, after = rest.partition(call.text)
        if call.text and found:
            yield from (VisibleText(Channel.NORMAL, before), VisibleText(Channel.TOOL, found))
            rest = after
    yield VisibleText(Channel.NORMAL, rest)


def _ending(turn: Turn) -> str:
    if turn.role is not Role.ASSISTANT or turn.open:
        return ""
    return with_model(turn.runs, finish_line(turn.runs[-1]), turn.is_failed) if turn.runs else EDITED


def reasoning_tokens(turn: Turn) -> int:
    return sum(run.summary.figures.thought for run in turn.runs)


def _branch(turn: Turn) -> Branch:
    several = turn.id in turn.siblings
    return Branch(turn.siblings.index(turn.id) + 1, len(turn.siblings)) if several else ONLY
