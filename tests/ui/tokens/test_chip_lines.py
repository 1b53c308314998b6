from hypothesis import given
from hypothesis import strategies as st

from app.engine.types import ExactPrompt, PromptPart, PromptSpan
from app.ui.tokens.chip_lines import CONTINUED, ChipLines, common_tokens, shown
from tests.ui.tokens.answers import prompt_of

WIDTH = 20.0


def lines(pieces: list[str]) -> ChipLines:
    made = ChipLines(prompt_of(pieces), WIDTH, len)
    while not made.is_done:
        made.extend(lambda: False)
    return made


def rows(made: ChipLines) -> list[list[int]]:
    return [list(made.tokens(line)) for line in range(len(made))]


PIECES = st.lists(st.sampled_from(["a", " word", "\n", "x\n", "long" * 9, "é", "\t"]), max_size=700)


@given(PIECES)
def test_lines_place_each_token_once_and_end_at_newlines(pieces: list[str]) -> None:
    made = lines(pieces)
    placed = rows(made)
    assert [token for row in placed for token in row] == list(range(len(pieces)))
    for row in placed:
        assert len(row) < 2 or sum(len(made.text(token)) for token in row) <= WIDTH
        assert all("\n" not in pieces[token] for token in row[:-1])
    assert all(made.line_of(token) == number for number, row in enumerate(placed) for token in row)


@given(PIECES, PIECES)
def test_reuse_lines_keeps_the_lines_before_a_change(pieces: list[str], others: list[str]) -> None:
    before = lines(pieces)
    changed = pieces[: len(pieces) // 2] + others
    after = ChipLines(prompt_of(changed), WIDTH, len)
    after.reuse_lines(before)
    while not after.is_done:
        after.extend(lambda: True)
    assert rows(after) == rows(lines(changed))


def test_common_tokens_compares_ids_and_texts() -> None:
    one, other = prompt_of(["a", "b", "c"]), prompt_of(["a", "b", "d"])
    assert (common_tokens(one, other), common_tokens(one, one)) == (2, 3)
    assert common_tokens(one, prompt_of([])) == 0


def test_shown_makes_invisible_characters_visible() -> None:
    assert shown(" a\n", False) == " a⏎"
    assert shown(" a\n", True) == "·a⏎"
    assert shown("\t", False) == shown("\t", True) == "⇥"
    assert shown("\u200b\u00a0", True) == "‹200B›‹00A0›"
    assert shown("", False) == CONTINUED


def test_text_of_a_continued_character_is_an_ellipsis() -> None:
    fox = ExactPrompt("🦊!", (1, 2, 3), ((0, 1), (0, 1), (1, 2)), (PromptSpan(PromptPart.USER, 0, 2),))
    made = ChipLines(fox, WIDTH, len)
    assert [made.text(token) for token in range(3)] == ["🦊", CONTINUED, "!"]


def test_part_is_that_of_the_first_character() -> None:
    spans = (
        PromptSpan(PromptPart.SPECIAL, 0, 3),
        PromptSpan(PromptPart.TEMPLATE, 3, 4),
        PromptSpan(PromptPart.USER, 4, 6),
    )
    told = ExactPrompt("<s> Hi", (1, 2), ((0, 3), (3, 6)), spans)
    made = ChipLines(told, WIDTH, len)
    assert [made.part(0), made.part(1)] == [PromptPart.SPECIAL, PromptPart.USER]
    assert ChipLines(ExactPrompt("x", (1,), ((0, 1),), ()), WIDTH, len).part(0) is PromptPart.TEMPLATE
