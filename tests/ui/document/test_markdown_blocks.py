"""Streamed Markdown is split into blocks that render alone as they do together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.document.markdown_blocks import REPARSED, BlockChange, ChangeKind, MarkdownBlocks

DOCUMENT = """# Heading
First paragraph,
of two lines.

Items:
- one
  ```sh
  inner code

  ```
- two

- three

After the list.
```python
x = 1

``
```
| a | b |
|---|---|
| 1 | 2 |

> quote
"""


def _changes(text: str, step: int) -> list[BlockChange]:
    stream = MarkdownBlocks()
    changes = [change for at in range(0, len(text), step) for change in stream.feed(text[at : at + step])]
    return changes + stream.finish()


def _final(text: str, step: int) -> list[BlockChange]:
    """Return what remains on the page: closed blocks, and each code block as one."""
    kept: list[BlockChange] = []
    for change in _changes(text, step):
        if change.kind is ChangeKind.CODE and kept[-1].kind is ChangeKind.CODE:
            kept[-1] = BlockChange(ChangeKind.CODE, kept[-1].text + change.text)
        elif change.kind not in (ChangeKind.TAIL, ChangeKind.LONG, ChangeKind.MORE):
            kept.append(change)
    return kept


@pytest.mark.parametrize("step", [1, 2, 7, 29, 1_000])
def test_feed_of_a_document_returns_its_blocks(step: int) -> None:
    assert _final(DOCUMENT, step) == [
        BlockChange(ChangeKind.CLOSED, "# Heading\n"),
        BlockChange(ChangeKind.CLOSED, "First paragraph,\nof two lines.\n"),
        BlockChange(ChangeKind.CLOSED, "Items:\n- one\n  ```sh\n  inner code\n\n  ```\n- two\n\n- three\n\n"),
        BlockChange(ChangeKind.CLOSED, "After the list.\n"),
        BlockChange(ChangeKind.CODE_OPENED, "python"),
        BlockChange(ChangeKind.CODE, "x = 1\n\n``\n"),
        BlockChange(ChangeKind.CODE_CLOSED),
        BlockChange(ChangeKind.CLOSED, "| a | b |\n|---|---|\n| 1 | 2 |\n"),
        BlockChange(ChangeKind.CLOSED, "> quote\n"),
    ]


@given(
    st.lists(
        st.sampled_from(
            ["a", "b c", "\n", "\n\n", "- ", "  ", "```", "~~~", "# ", "|", "1. ", '{"', '"}', "[", "]", "\\"]
        ),
        max_size=40,
    ),
    st.integers(1, 9),
)
def test_feed_in_any_portions_returns_the_same_blocks(pieces: list[str], step: int) -> None:
    text = "".join(pieces)
    assert _final(text, step) == _final(text, len(text) + 1)


@pytest.mark.parametrize("step", [1, 3, 1_000])
def test_feed_of_a_json_answer_returns_a_code_block_and_the_text_after_it(step: int) -> None:
    value = '{"quote": "\\"}", "list": [1,\n {"deep": "*no* markup"}]}'
    assert _final(f"\n{value}\n\nThat was *it*.", step) == [
        BlockChange(ChangeKind.CODE_OPENED, "json"),
        BlockChange(ChangeKind.CODE, f"{value}\n"),
        BlockChange(ChangeKind.CODE_CLOSED),
        BlockChange(ChangeKind.CLOSED, "That was *it*."),
    ]


@pytest.mark.parametrize("text", ["{name} is a field.", "[A link](https://example.org)", "{"])
def test_feed_of_a_bracket_without_json_returns_prose(text: str) -> None:
    assert _final(text, 1) == [BlockChange(ChangeKind.CLOSED, text)]


def test_feed_holds_back_what_is_undecided() -> None:
    """A dash below a paragraph may make it a heading, and backticks may open code."""
    stream = MarkdownBlocks()
    stream.feed("Items:\n")
    assert stream.feed("-") == []
    assert stream.feed(" a") == [BlockChange(ChangeKind.TAIL, "Items:\n- a")]
    stream = MarkdownBlocks()
    assert stream.feed("``") == []
    assert stream.feed("`py\n") == [BlockChange(ChangeKind.CODE_OPENED, "py")]


def test_feed_of_open_code_only_appends() -> None:
    stream = MarkdownBlocks()
    stream.feed("```\n")
    assert stream.feed("ab") == [BlockChange(ChangeKind.CODE, "ab")]
    assert stream.feed("c\nd") == [BlockChange(ChangeKind.CODE, "c\n"), BlockChange(ChangeKind.CODE, "d")]
    assert stream.feed("\n``") == [BlockChange(ChangeKind.CODE, "\n")]
    assert stream.feed("`\n") == [BlockChange(ChangeKind.CODE_CLOSED)]


def test_feed_of_a_long_open_block_only_appends() -> None:
    stream = MarkdownBlocks()
    start = "x" * (REPARSED - 1)
    assert stream.feed(start) == [BlockChange(ChangeKind.TAIL, start)]
    assert stream.feed("yy\nz") == [BlockChange(ChangeKind.LONG, start + "yy\nz")]
    assert stream.feed("-") == [BlockChange(ChangeKind.MORE, "-")]
    assert stream.feed("\na") == [BlockChange(ChangeKind.MORE, "\na")]
    assert stream.finish() == [BlockChange(ChangeKind.CLOSED, start + "yy\nz-\na")]


def test_feed_of_a_long_list_closes_it_at_an_outermost_item() -> None:
    text = "".join(f"{number}. item with some words\n   - inner\n" for number in range(1, 101))
    closed = [change.text for change in _changes(text, 20) if change.kind is ChangeKind.CLOSED]
    assert "".join(closed) == text
    assert len(closed) > 2
    assert all(block[0].isdigit() for block in closed)


@pytest.mark.parametrize("length", [2_000, 20_000])
def test_feed_of_a_long_text_parses_each_character_at_most_twelve_times(length: int) -> None:
    """At 8 tokens a flush."""
    text = (DOCUMENT * (length // len(DOCUMENT) + 1))[:length]
    parsed = sum(
        len(each.text)
        for each in _changes(text, 29)
        if each.kind in (ChangeKind.TAIL, ChangeKind.LONG, ChangeKind.CLOSED)
    )
    assert parsed / length < 12
