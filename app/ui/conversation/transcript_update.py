"""Puts the difference between two conversations onto the transcript: what stands already is left alone."""

from collections.abc import Iterator, Sequence
from functools import partial

from app.engine.types import Channel, Role, VisibleText
from app.state import Turn
from app.ui.conversation.finish_text import line_of
from app.ui.conversation.transcript import Transcript
from app.ui.conversation.transcript_filling import Step, TranscriptFilling
from app.ui.document.turns import ONLY, Branch

Turns = tuple[Turn, ...]
Numbered = Sequence[tuple[int, Turn]]

AT_ONCE = 20_000
"""Characters that are put on the page in one go."""
SCREENFUL = 8_000
PIECE = 2_000


class TranscriptUpdate:
    """Applies turns to the transcript. The text of an open answer comes in frames, not from here."""

    def __init__(self, transcript: Transcript, filling: TranscriptFilling) -> None:
        self._transcript = transcript
        self._filling = filling

    def apply(self, old: Turns, new: Turns) -> None:
        """Make the transcript show `new`, given that it shows `old`."""
        same = _same(old, new)
        # What is still being put on the page comes first, unless none of it stays.
        if same:
            self._filling.finish()
        else:
            self._filling.drop()
        if same == len(new) - 1 == len(old) - 1 and old[-1].open and not new[-1].open:
            self._transcript.end_answer(_ending(new[-1]), _reasoning_tokens(new[-1]))
        elif same == len(new) - 1 == len(old) - 1 and new[-1].open and new[-1].runs and old[-1].runs == new[-1].runs:
            self._transcript.continue_answer()
        elif new != old:
            self._replace(same, new)

    def _replace(self, same: int, new: Turns) -> None:
        self._transcript.remove_from(same)
        added = list(enumerate(new[same:], start=same))
        length = sum(len(turn.text) + len(turn.reasoning) for _, turn in added)
        if length > AT_ONCE and not new[-1].open:
            # Whoever opens a conversation looks at its end, so that is there at once.
            self._add(_last(added))
            self._transcript.scroll_to_latest()
            self._filling.start(self._in_pieces(same, added))
        else:
            self._add(added)

    def _add(self, added: Numbered) -> None:
        for index, turn in added:
            if turn.open:
                self._transcript.begin_answer(index, _branch(turn))
            else:
                self._transcript.add_turn(index, turn.role, _content(turn), _ending(turn), _branch(turn))

    def _in_pieces(self, same: int, added: Numbered) -> Iterator[Step]:
        """A long answer is put down the way it came."""
        transcript = self._transcript
        yield partial(transcript.remove_from, same)
        for index, turn in added:
            if turn.role is not Role.ASSISTANT or len(turn.text) + len(turn.reasoning) <= PIECE:
                yield partial(transcript.add_turn, index, turn.role, _content(turn), _ending(turn), _branch(turn))
            else:
                yield partial(transcript.begin_answer, index, _branch(turn))
                for shown in _content(turn):
                    for start in range(0, len(shown.text), PIECE):
                        piece = VisibleText(shown.voice, shown.text[start : start + PIECE])
                        yield partial(transcript.append_shown, (piece,), _reasoning_tokens(turn))
                yield partial(transcript.end_answer, _ending(turn), _reasoning_tokens(turn))
        yield transcript.scroll_to_latest


def _last(turns: Numbered) -> Numbered:
    """So many at the end as are put down in no time, and fill a page."""
    room, count = SCREENFUL, 0
    for _, turn in reversed(turns):
        room -= len(turn.text) + len(turn.reasoning)
        if room < 0:
            break
        count += 1
    return turns[len(turns) - count :]


def _same(old: Turns, new: Turns) -> int:
    """How many turns at the beginning are the very same."""
    count = 0
    for one, other in zip(old, new, strict=False):
        if one is not other:
            break
        count += 1
    return count


def _content(turn: Turn) -> tuple[VisibleText, ...]:
    reasoning = (VisibleText(Channel.REASONING, turn.reasoning),) if turn.reasoning else ()
    return (*reasoning, *(shown for shown in _said(turn) if shown.text))


def _said(turn: Turn) -> Iterator[VisibleText]:
    """The text, its calls of tools told apart."""
    rest = turn.text
    for call in turn.calls:
        before, found, after = rest.partition(call.text)
        if call.text and found:
            yield from (VisibleText(Channel.NORMAL, before), VisibleText(Channel.TOOL, found))
            rest = after
    yield VisibleText(Channel.NORMAL, rest)


def _ending(turn: Turn) -> str:
    return line_of(turn.runs[-1]) if turn.role is Role.ASSISTANT and turn.runs else ""


def _reasoning_tokens(turn: Turn) -> int:
    return sum(run.summary.figures.thought for run in turn.runs)


def _branch(turn: Turn) -> Branch:
    several = turn.id in turn.siblings
    return Branch(turn.siblings.index(turn.id) + 1, len(turn.siblings)) if several else ONLY
