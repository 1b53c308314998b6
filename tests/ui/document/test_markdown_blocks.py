"""Markdown is cut into blocks that mean alone what they mean together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.document.markdown_blocks import (
    REPARSED,
    Change,
    Closed,
    Code,
    CodeClosed,
    CodeOpened,
    Long,
    MarkdownBlocks,
    More,
    Tail,
)

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


def _changes(text: str, step: int) -> list[Change]:
    stream = MarkdownBlocks()
    changes = [change for at in range(0, len(text), step) for change in stream.feed(text[at : at + step])]
    return changes + stream.finish()


def _final(text: str, step: int) -> list[object]:
    """What remains on the page: closed blocks, and each code as one."""
    kept: list[object] = []
    for change in _changes(text, step):
        if isinstance(change, Code) and isinstance(kept[-1], Code):
            kept[-1] = Code(kept[-1].text + change.text)
        elif not isinstance(change, Tail | Long | More):
            kept.append(change)
    return kept


@pytest.mark.parametrize("step", [1, 2, 7, 29, 1_000])
def test_blocks(step: int) -> None:
    assert _final(DOCUMENT, step) == [
        Closed("# Heading\n"),
        Closed("First paragraph,\nof two lines.\n"),
        Closed("Items:\n- one\n  ```sh\n  inner code\n\n  ```\n- two\n\n- three\n\n"),
        Closed("After the list.\n"),
        CodeOpened("python"),
        Code("x = 1\n\n``\n"),
        CodeClosed(),
        Closed("| a | b |\n|---|---|\n| 1 | 2 |\n"),
        Closed("> quote\n"),
    ]


@given(
    st.lists(st.sampled_from(["a", "b c", "\n", "\n\n", "- ", "  ", "```", "~~~", "# ", "|", "1. "]), max_size=40),
    st.integers(1, 9),
)
def test_cutting_does_not_depend_on_the_portions(pieces: list[str], step: int) -> None:
    text = "".join(pieces)
    assert _final(text, step) == _final(text, len(text) + 1)


def test_what_is_undecided_is_held_back() -> None:
    """A dash under a paragraph might make a heading of it, and backticks might open code: neither may flash up."""
    stream = MarkdownBlocks()
    stream.feed("Items:\n")
    assert stream.feed("-") == []
    assert stream.feed(" a") == [Tail("Items:\n- a")]
    stream = MarkdownBlocks()
    assert stream.feed("``") == []
    assert stream.feed("`py\n") == [CodeOpened("py")]


def test_first_character_is_shown_at_once() -> None:
    assert MarkdownBlocks().feed("H") == [Tail("H")]


def test_open_code_only_grows() -> None:
    stream = MarkdownBlocks()
    stream.feed("```\n")
    assert stream.feed("ab") == [Code("ab")]
    assert stream.feed("c\nd") == [Code("c\n"), Code("d")]
    assert stream.feed("\n``") == [Code("\n")]
    assert stream.feed("`\n") == [CodeClosed()]


def test_a_long_open_block_only_grows() -> None:
    stream = MarkdownBlocks()
    start = "x" * (REPARSED - 1)
    assert stream.feed(start) == [Tail(start)]
    assert stream.feed("yy\nz") == [Long(start + "yy\nz")]
    assert stream.feed("-") == [More("-")]
    assert stream.feed("\na") == [More("\na")]
    assert stream.finish() == [Closed(start + "yy\nz-\na")]


def test_a_long_list_is_closed_at_an_outermost_item() -> None:
    text = "".join(f"{number}. item with some words\n   - inner\n" for number in range(1, 101))
    closed = [change.source for change in _changes(text, 20) if isinstance(change, Closed)]
    assert "".join(closed) == text
    assert len(closed) > 2
    assert all(block[0].isdigit() for block in closed)


@pytest.mark.parametrize("length", [2_000, 20_000])
def test_parser_work_does_not_grow(length: int) -> None:
    """Characters parsed for each character written, at 8 tokens a flush."""
    text = (DOCUMENT * (length // len(DOCUMENT) + 1))[:length]
    parsed = sum(len(change.source) for change in _changes(text, 29) if isinstance(change, Tail | Long | Closed))
    assert parsed / length < 12
