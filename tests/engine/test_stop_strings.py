from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.stop_strings import Marker, Markers, ReplyReader
from app.engine.types import Channel, ExactPrompt, VisibleText

THINK = Markers.reasoning("<think>", "</think>")
ALPHABET = "ab中"


def normal(text: str) -> tuple[VisibleText, ...]:
    return (VisibleText(Channel.NORMAL, text),) if text else ()


def joined(shown: Sequence[VisibleText]) -> tuple[VisibleText, ...]:
    return tuple(
        VisibleText(voice, "".join(piece.text for piece in pieces))
        for voice, pieces in groupby(shown, lambda it: it.voice)
    )


def run(reader: ReplyReader, pieces: Sequence[str]) -> tuple[VisibleText, ...]:
    shown: list[VisibleText] = []
    for piece in pieces:
        shown += reader.read(piece)
        if reader.stopped is not None:
            break
    return joined([*shown, *reader.finish()])


def earliest(text: str, stops: Sequence[str]) -> tuple[int, str] | None:
    """The reference: at the first place where any stop string is complete, the longest of those that are."""
    for end in range(1, len(text) + 1):
        if complete := [stop for stop in stops if stop and text[:end].endswith(stop)]:
            longest = max(complete, key=len)
            return end - len(longest), longest
    return None


def voices(text: str, markers: Markers, state: str) -> tuple[VisibleText, ...]:
    """The reference: whatever marker of the present state is complete first ends it."""
    shown: list[VisibleText] = []
    while text:
        edges = [edge for edge in markers.edges if edge.inside == state]
        found = earliest(text, [edge.text for edge in edges])
        before = text if found is None else text[: found[0]]
        if before and state in set(Channel):
            shown.append(VisibleText(Channel(state), before))
        if found is None:
            break
        text = text[found[0] + len(found[1]) :]
        state = next(edge.then for edge in edges if edge.text == found[1])
    return joined(shown)


def cut(text: str, borders: Sequence[int]) -> list[str]:
    indexes = sorted({0, len(text), *(border % (len(text) + 1) for border in borders)})
    return [text[start:end] for start, end in pairwise(indexes)]


strings = st.text(ALPHABET, max_size=4)
texts = st.text(ALPHABET, max_size=30)
borders = st.lists(st.integers(0, 60), max_size=15)
states = st.sampled_from([*Channel, "header"])
edges = st.builds(Marker, states, strings.filter(bool), states)


@given(texts, borders, st.lists(strings, max_size=5))
@settings(max_examples=80)
def test_read_shows_the_text_up_to_the_earliest_stop_string(text: str, borders: list[int], stops: list[str]) -> None:
    reader = ReplyReader(stops)
    shown = run(reader, cut(text, borders))
    expected = earliest(text, stops)
    if expected is None:
        assert shown == normal(text)
        assert reader.stopped is None
        return
    at, string = expected
    assert shown == normal(text[:at])
    assert reader.stopped is not None
    assert (reader.stopped.at, reader.stopped.text) == (at, string)
    assert text[at:].startswith(reader.stopped.hidden)
    assert reader.stopped.hidden.startswith(string)


@given(texts, borders, st.lists(strings, max_size=3), st.lists(edges, max_size=5), states)
@settings(max_examples=80)
def test_read_splits_channels_like_the_reference(
    text: str, borders: list[int], stops: list[str], edges: list[Marker], start: str
) -> None:
    markers = Markers(tuple(edges), start)
    expected = earliest(text, stops)
    shown = run(ReplyReader(stops, markers), cut(text, borders))
    assert shown == voices(text if expected is None else text[: expected[0]], markers, start)


@given(texts, borders, st.lists(strings, max_size=4))
@settings(max_examples=60)
def test_read_holds_back_only_a_possible_beginning(text: str, borders: list[int], stops: list[str]) -> None:
    reader, written, seen = ReplyReader(stops), "", ""
    for piece in cut(text, borders):
        written += piece
        seen += "".join(shown.text for shown in reader.read(piece))
        if reader.stopped is not None:
            return
        beginnings = [size for stop in stops for size in range(1, len(stop)) if written.endswith(stop[:size])]
        assert seen == written[: len(written) - max(beginnings, default=0)]


@pytest.mark.parametrize(
    ("stops", "pieces", "shown", "at", "string"),
    [
        (["abcd", "bc"], ["ab", "cd"], "a", 1, "bc"),
        (["ab", "abc"], ["xabc"], "x", 1, "ab"),
        (["b", "ab"], ["xa", "b"], "x", 1, "ab"),
        (["\n\nUser:"], ["Yes.\n", "\nUs", "er: and"], "Yes.", 4, "\n\nUser:"),
        (["終わり"], ["これで終", "わ", "り。"], "これで", 3, "終わり"),
        (["🦊🏽‍🌾"], ["a🦊", "🏽‍🌾"], "a", 1, "🦊🏽‍🌾"),
    ],
)
def test_stop_match_is_the_first_complete(
    stops: list[str], pieces: list[str], shown: str, at: int, string: str
) -> None:
    reader = ReplyReader(stops)
    assert run(reader, pieces) == normal(shown)
    assert reader.stopped is not None
    assert (reader.stopped.at, reader.stopped.text) == (at, string)


def test_stop_match_keeps_the_hidden_rest() -> None:
    reader = ReplyReader(["stop"])
    assert run(reader, ["go st", "op and more"]) == normal("go ")
    assert reader.stopped is not None
    assert reader.stopped.hidden == "stop and more"
    assert reader.read("later") == ()


def test_stop_string_inside_the_reasoning_ends_it() -> None:
    reader = ReplyReader(["END"], THINK)
    shown = run(reader, ["Well<th", "ink>hm", "m</think>Yes</t", "hink><think>more E", "ND"])
    voice = [(piece.voice, piece.text) for piece in shown]
    assert voice == [
        (Channel.NORMAL, "Well"),
        (Channel.REASONING, "hmm"),
        (Channel.NORMAL, "Yes</think>"),
        (Channel.REASONING, "more "),
    ]


def test_stop_string_may_contain_a_marker() -> None:
    reader = ReplyReader(["</think>\n\nNo"], THINK, opens_reasoning=True)
    assert run(reader, ["hmm</think>", "\n\nNo way"]) == (VisibleText(Channel.REASONING, "hmm"),)
    assert reader.stopped is not None


def test_behind_a_raw_prompt_markers_are_text() -> None:
    page = ExactPrompt("Think: <think>", (1,), ((0, 14),), (), raw=True)
    reader = ReplyReader.behind(page, ["END"], THINK)
    assert run(reader, ["hm</th", "ink>Yes<think>no END"]) == normal("hm</think>Yes<think>no ")
    reader = ReplyReader.behind(replace(page, raw=False, opens_reasoning=True), [], THINK)
    assert run(reader, ["hm</think>"]) == (VisibleText(Channel.REASONING, "hm"),)


@given(
    texts,
    borders,
    st.lists(edges, max_size=5, unique_by=lambda edge: (edge.inside, edge.text)),
    st.lists(strings, max_size=3),
)
@settings(max_examples=80)
def test_read_has_offsets_of_the_generated_text(
    text: str, borders: list[int], edges: list[Marker], stops: list[str]
) -> None:
    reader = ReplyReader(stops, Markers(tuple(edges)))
    shown = [piece for part in cut(text, borders) for piece in reader.read(part)] + list(reader.finish())
    assert all(text.startswith(piece.text, piece.start) for piece in shown)
    ends = [0, *(piece.start + len(piece.text) for piece in shown)]
    assert all(end <= piece.start for end, piece in zip(ends, shown, strict=False))


@given(st.text("<think>/ab", max_size=30), st.integers(0, 30), st.sampled_from(((), ("ab",), ("</", "b<"))))
def test_resume_shows_the_same_as_one_run(text: str, cut: int, stops: tuple[str, ...]) -> None:
    if any(stop in text for stop in stops):
        text = text.replace("b", "").replace("/", "")
    resumed, whole = ReplyReader(stops, THINK), ReplyReader(stops, THINK)
    begun, rest = text[:cut], text[cut:]
    shown = [*resumed.resume(begun), *resumed.read(rest), *resumed.finish()]
    assert joined(shown) == run(whole, [text])
    assert all(text[len(begun) + piece.start :].startswith(piece.text) for piece in shown)


def test_resume_does_not_stop() -> None:
    reader = ReplyReader(("ab", "xy"))
    assert joined(reader.resume("1ab2x")) == normal("1ab2")
    assert reader.stopped is None
    assert reader.read("yz") == ()
    assert reader.stopped is not None
    assert (reader.stopped.at, reader.stopped.hidden) == (-1, "xyz")
