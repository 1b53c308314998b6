from itertools import pairwise

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QTextDocument

from app.engine.types import Channel, Role, VisibleText
from app.ui.document.page import Page
from app.ui.document.page_look import PageLook
from app.ui.document.turns import AnswerView, PageTurn
from app.ui.look.theme import Theme
from app.ui.tokens.layer import TokenLayer, TokenRef
from app.ui.tokens.rectangles import TokenPositions
from tests.ui.tokens.answers import FAMILY, traced

WIDTH_PX = 600
TEXTS = (
    "a",
    " word",
    " the",
    "ing",
    "\n",
    "\n\n",
    ".\n",
    "한",
    "",
    "🌊",
    "é",
    "e\u0301",
    " שלום",
    "\ufeff",
    "\r\n",
    "\t",
)
PIECES = st.sampled_from([*TEXTS, *FAMILY])
ZERO_WIDTH_JOINER = "\u200d"
WITHOUT_ROOM = ("\ufeff", *FAMILY)
"""These may be part of another token's sign, or take no room at all."""


class Sheet:
    """A page with one streamed answer."""

    def __init__(
        self, theme: Theme, texts: list[str], stops: tuple[str, ...] = (), raw: str | None = None, goes_on: bool = False
    ) -> None:
        self.trace, self.shown = traced(texts, stops)
        self.document = QTextDocument()
        self.document.setUndoRedoEnabled(False)
        self.page = Page(self.document, PageLook(theme), AnswerView.TOKENS)
        self.document.setTextWidth(WIDTH_PX)
        self.turns: list[PageTurn] = []
        if raw is not None:
            self.turns.append(PageTurn(0, Role.USER, raw=True))
            self.turns[0].take(VisibleText(Channel.NORMAL, raw))
            self.turns[0].done = True
            self.page.add(self.turns[0])
        self.turn = PageTurn(len(self.turns), Role.ASSISTANT, raw is not None)
        self.turns.append(self.turn)
        self.page.begin(self.turn)
        for at in range(0, len(self.shown), 3):
            self.page.write(self.turn, self.shown[at : at + 3])
        if not goes_on:
            self.page.end(self.turn)
        self.layer = TokenLayer(self.document, self.turns)
        self.layer.traces[self.turn.index] = self.trace
        self.tokens = TokenPositions(self.turn, self.trace)

    def unfold(self) -> None:
        for passage in self.turn.passages:
            passage.unfolded = True
        self.page.rewrite(self.turns, self.page._look, AnswerView.TOKENS)
        self.layer.forget()

    def rects(self, position: int) -> list[QRectF]:
        return self.layer.rects(TokenRef(self.turn.index, position))

    def at_middle(self, position: int) -> int | None:
        """Place of the token at the center of this one's first rectangle."""
        found = self.layer.token_at(self.rects(position)[0].center())
        return found.position if found is not None else None

    def under(self, position: int) -> str:
        """Text of the page at a token."""
        seen = self.trace.seen(position)
        assert seen is not None
        found = []
        for passage, (start, end) in zip(self.turn.passages, self.tokens.stretches(seen), strict=False):
            found.append(passage.writer.source(passage.text, start, end))  # type: ignore[union-attr]
        return "".join(found)


@given(st.lists(PIECES, max_size=120))
@example(["🌊", ZERO_WIDTH_JOINER, "🌊"])
@example([" word", " שלום", "\ufeff", "a"])
@example([" word", " word", "\ufeff", "\t"])
@example(["🌊 שלום", "\ufeff", " עולם", ZERO_WIDTH_JOINER, " עולם"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_tokens_are_at_their_text(theme: Theme, texts: list[str]) -> None:
    sheet = Sheet(theme, texts)
    for position, text in enumerate(texts):
        if text:
            assert sheet.under(position) == text
            rects = sheet.rects(position)
            assert rects, (position, text)
            found = [sheet.layer.token_at(rect.center()) for rect in rects]
            assert None not in found
            joined = "".join(texts[:position]).endswith(ZERO_WIDTH_JOINER)  # to the sign before it, maybe
            assert TokenRef(0, position) in found or text in WITHOUT_ROOM or joined, (position, text)
        elif any(texts):
            assert sheet.rects(position) == sheet.rects(sheet.tokens.owner(position))


def test_tokens_of_a_line_are_adjacent(theme: Theme) -> None:
    sheet = Sheet(theme, ["One", ",", " two", " of", " שלום", " עולם", " mixed", ".", "\n", "on"])
    line = next(iter(sheet.layer.lines(0, sheet.layer.height)))
    in_sight = sorted((span.rect for span in line.spans), key=QRectF.left)
    assert len(in_sight) >= 9
    assert [after.left() - before.right() for before, after in pairwise(in_sight)] == [1.0] * (len(in_sight) - 1)


@pytest.mark.parametrize("after", ["a", " שלום"])
def test_zero_width_characters_in_bidirectional_text_overlap_nothing(theme: Theme, after: str) -> None:
    sheet = Sheet(theme, ["🌊", " שלום", "\ufeff", after])
    (mark,) = sheet.rects(2)
    assert mark.width() == 1
    assert not any(mark.intersects(rect) for position in (0, 1, 3) for rect in sheet.rects(position))
    assert sheet.at_middle(3) == 3


def test_token_with_a_newline_is_one_and_continues_below(theme: Theme) -> None:
    sheet = Sheet(theme, ["One", ".\n\n", "Two"])
    first, below = sheet.rects(1)
    assert first.left() == sheet.rects(0)[0].right() + 1
    assert first.width() > below.width() > 5
    assert below.bottom() < sheet.rects(2)[0].top()


def test_endless_line_is_searched(theme: Theme) -> None:
    sheet = Sheet(theme, [" word", "🌊"] * 1_500)
    assert sheet.document.blockCount() > 3
    for position in (0, 1, 999, 1_000, 1_700, 2_500, 2_999):
        assert sheet.at_middle(position) == position
        assert sheet.under(position) == (" word", "🌊")[position % 2]


def test_end_sign_is_after_the_text(theme: Theme) -> None:
    sheet = Sheet(theme, ["One", " END", ""], stops=("END",))
    last = sheet.rects(2)
    assert last == sheet.rects(2)
    assert last[0].left() > sheet.rects(0)[0].right()
    assert sheet.at_middle(2) == 2
    assert [span.position for line in sheet.layer.lines(0, 999) for span in line.spans] == [0, 1, 2]


def test_answer_without_text_has_its_end_sign_beside_its_name(theme: Theme) -> None:
    sheet = Sheet(theme, [""])
    assert sheet.at_middle(0) == 0


def test_reasoning_is_found_folded_and_unfolded(theme: Theme) -> None:
    sheet = Sheet(theme, ["<think>", "Hm", " well", "</think>", "So", "."])
    fold = sheet.rects(1)
    assert fold == sheet.rects(2)
    assert fold[0].bottom() < sheet.rects(4)[0].top() + 4
    assert sheet.at_middle(4) == 4
    sheet.unfold()
    assert [sheet.at_middle(position) for position in (1, 2, 4, 5)] == [1, 2, 4, 5]
    seam = sheet.rects(3)[0]
    assert seam.width() == 2, "a marker is not seen: it stands between"
    assert seam.left() == pytest.approx(sheet.rects(4)[0].left(), abs=2)


def test_raw_answer_begins_within_a_line(theme: Theme) -> None:
    sheet = Sheet(theme, [" upon", " a", " time"], raw="A line.\nOnce 🌊")
    assert sheet.turn.index == 1
    assert [sheet.at_middle(position) for position in range(3)] == [0, 1, 2]
    assert sheet.rects(0)[0].left() > 20
    assert sheet.under(1) == " a"


def test_growing_fold_line_moves_no_token(theme: Theme) -> None:
    sheet = Sheet(theme, ["<think>", "\n", "\n", "\n", "\n", "</think>", "So"], goes_on=True)
    sheet.unfold()
    before = [sheet.at_middle(position) for position in range(1, 5)]
    passage = sheet.turn.passages[0]
    passage.tokens = 12_345
    sheet.page.update_fold(passage)
    assert [sheet.at_middle(position) for position in range(1, 5)] == before == [1, 2, 3, 4]
