"""Where each token of an answer stands, when it came, and which of them make one character."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.meter.speeds import gaps
from app.engine.meter.trace import Origin, TextRange, TokenRange, Trace
from app.engine.stop_strings import ReplyReader
from app.engine.types import Alternative, Channel, RejectedTokens, Token, TokenLogprobs, VisibleText
from tests.engine.traces import THINK, traced


def test_token_has_its_arrival_and_latency() -> None:
    trace = traced(["One", " two", " three"])
    first, second = trace.token(0), trace.token(1)
    assert (len(trace), first.id, first.text, first.origin, first.gap) == (3, 100, "One", Origin.MODEL, None)
    assert (first.at, second.at, second.gap) == pytest.approx((0.5, 0.6, 0.1))


def test_begin_run_continues_the_text_with_times_of_its_own() -> None:
    trace = traced(["One", " two"])
    trace.begin_run(50.0)
    trace.extend([Token(0, 7, " three", (), 50.2, from_draft=True)])
    trace.show([VisibleText(Channel.NORMAL, " three", 0)])
    third = trace.token(2)
    assert third.at == pytest.approx(0.2)
    assert (third.gap, third.origin) == (None, Origin.DRAFT)
    assert trace.seen(2) == TextRange(False, 7, 13)
    assert trace.run(2) == (1, 0)
    assert trace.position_in(1, 0) == 2
    assert trace.position_in(0, 2) is None


def test_arrivals_are_those_of_the_run() -> None:
    trace = traced(["One", " two", " three"])
    trace.begin_run(50.0)
    trace.extend([Token(0, 7, " four", (), 50.2)])
    assert [trace.positions(run) for run in range(-1, 3)] == [range(0), range(3), range(3, 4), range(0)]
    assert trace.arrivals(range(1, 3)) == pytest.approx([0.6, 0.7])
    assert trace.arrivals(range(3, 4)) == pytest.approx([0.2])
    assert Trace().arrivals(range(0)) == []


def test_seen_of_hidden_text_is_none() -> None:
    trace = traced(["<think>", "hm", "</think>", "Yes", " STOP"], stops=("STOP",))
    assert [trace.seen(position) for position in range(5)] == [
        None,
        TextRange(True, 0, 2),
        None,
        TextRange(False, 0, 3),
        TextRange(False, 3, 4),
    ]
    assert trace.position_at(True, 1) == 1
    assert trace.position_at(False, 3) == 4
    assert trace.position_at(False, 4) is None


def test_group_has_the_tokens_of_one_character() -> None:
    trace = traced(["a", "", "", "🦊", "b", ""])
    assert [trace.group(position) for position in range(6)] == [range(1), *[range(1, 4)] * 3, range(4, 5), range(5, 6)]
    assert trace.position_at(False, 1) == 3


def test_stretch_has_mean_and_p95() -> None:
    trace = traced(["a"] * 11, gap=0.2)
    stretch = trace.stretch(0, 10)
    assert (stretch.mean, stretch.p95) == pytest.approx((0.2, 0.2))
    assert trace.stretch(0, 0).mean is None and not stretch.drafted


def test_stretch_with_drafts_is_between_steps() -> None:
    trace, ats, drafted = Trace(), [1.0, 1.0, 1.0, 1.3, 1.3, 1.8], [True, True, False, True, False, False]
    trace.begin_run()
    for index, (at, draft) in enumerate(zip(ats, drafted, strict=True)):
        trace.extend([Token(index, index, "a", (), at, draft, None)])
    stretch, expected = trace.stretch(0, 5), gaps(ats, drafted)
    assert expected is not None
    assert stretch.p95 == pytest.approx(expected.p95), "as the details of the run have it"
    assert stretch.mean == pytest.approx(0.4)
    assert stretch.drafted
    assert trace.stretch(1, 2) == TokenRange(1, 2, None, None, True)


words = st.lists(st.sampled_from(["a", "b c", "<thi", "nk>", "<think>", "</think>", "x<", "/think>y", ""]), max_size=20)


@given(words)
@settings(max_examples=80)
def test_place_at_a_visible_character_is_its_token(texts: list[str]) -> None:
    trace = traced(texts)
    for is_reasoning, seen in zip((False, True), seen_texts(texts), strict=True):
        for offset, character in enumerate(seen):
            position = trace.position_at(is_reasoning, offset)
            assert position is not None and trace.seen(position) is not None
            assert character in trace.token(position).text


@given(words)
@settings(max_examples=80)
def test_align_of_a_recorded_answer_finds_its_tokens(texts: list[str]) -> None:
    trace = Trace()
    trace.begin_run()
    trace.extend([Token(index, index, text, (), 0.0) for index, text in enumerate(texts)])
    text, reasoning = seen_texts(texts)
    trace.align(text, reasoning)
    for is_reasoning, seen in ((False, text), (True, reasoning)):
        positions = [trace.position_at(is_reasoning, offset) for offset in range(len(seen))]
        found = [position for position in positions if position is not None]
        assert found == sorted(found)
        assert all(
            seen[offset] in trace.token(position).text
            for offset, position in enumerate(positions)
            if position is not None
        )


@pytest.mark.parametrize(
    "texts",
    [
        ["<think>", "so", " hm", "</think>", "\n\n", "Yes", ", so", ""],
        ["<think>", "I ", "see", "</think>", "It ", "is ", "<think>", "No, ", "wait", "</think>", "four", "."],
        ["So: ", "<think>", "hm", "</think>", "It ", "is ", "<think>", "is it?", "</think>", "four"],
        ["<think>", "hm", "</think>", "It ", "is ", "<think>", "No", ". It ", "is four", "?", "</think>", "four"],
        ["<think>", "a", "</think>", "b", "<think>", "c", "</think>", "d", "<think>", "e", "</think>", "f"],
    ],
    ids=["one thought", "two thoughts", "text before a thought", "a thought that has the answer", "three thoughts"],
)
def test_align_of_a_common_answer_is_exact(texts: list[str]) -> None:
    live, read = traced(texts), Trace()
    read.begin_run()
    read.extend([Token(index, index, text, (), 0.0) for index, text in enumerate(texts)])
    text, reasoning = seen_texts(texts)
    read.align(text, reasoning)
    assert [read.seen(position) for position in range(len(texts))] == [
        live.seen(position) for position in range(len(texts))
    ]


def seen_texts(texts: list[str]) -> tuple[str, str]:
    reader = ReplyReader((), THINK)
    shown = [piece for text in texts for piece in reader.read(text)] + list(reader.finish())
    return (
        "".join(piece.text for piece in shown if piece.voice is not Channel.REASONING),
        "".join(piece.text for piece in shown if piece.voice is Channel.REASONING),
    )


def test_fork_has_the_tokens_before_it_with_their_times() -> None:
    origin = traced(["<think>", "hm", "</think>", "Yes", " no"])
    reader, fork = ReplyReader((), THINK), Trace()
    texts = ["<think>", "hm", "</think>", "Yes", " I", " do"]
    fork.fork(origin, 4, (100, 101, 102, 103, 7, 8), texts, 90.0)
    fork.show(reader.resume("".join(texts)))
    shown = reader.read(" so.")
    fork.extend([Token(0, 9, " so.", shown, 90.5)])
    fork.show(shown)
    assert [fork.token(position).text for position in range(7)] == [*texts, " so."]
    assert [fork.token(position).at for position in range(4)] == [origin.token(position).at for position in range(4)]
    assert [fork.origin(position) for position in (3, 4, 5, 6)] == [
        Origin.MODEL,
        Origin.USER,
        Origin.USER,
        Origin.MODEL,
    ]
    assert fork.token(4).at is fork.gap(4) is fork.gap(5) is fork.gap(6) is None
    assert fork.token(6).at == pytest.approx(0.5)
    assert [fork.seen(position) for position in (1, 3, 4, 5, 6)] == [
        TextRange(True, 0, 2),
        TextRange(False, 0, 3),
        TextRange(False, 3, 5),
        TextRange(False, 5, 8),
        TextRange(False, 8, 12),
    ]
    assert [fork.run(position) for position in (3, 4, 6)] == [(-1, 3), (0, 0), (0, 2)]
    assert (fork.position_in(0, 2), fork.position_in(-1, 3)) == (6, 3)


def test_fork_with_an_inserted_alternative_has_its_logprobs() -> None:
    top = tuple(Alternative(number, str(number), -float(number), 0.0) for number in (1, 2, 3))
    seen = TokenLogprobs(top[0], 1, top, 1.0, 0.0, 0.1)
    origin = Trace()
    origin.begin_run()
    origin.extend([Token(0, 1, "1", (), 0.5, observed=seen)])
    trace, other = Trace(), Trace()
    trace.fork(origin, 0, (3, 2), ("3", "2"))
    first = trace.logprobs_at(0)
    assert first is not None
    assert (first.chosen, first.rank, first.entropy) == (top[2], 3, 1.0)
    assert trace.logprobs_at(1) is None, "nobody looked there"
    other.fork(origin, 0, (9,), ("9",))
    assert other.logprobs_at(0) is None


def test_learn_after_a_fork_skips_inserted_tokens() -> None:
    texts = ["One", " two", " I", " do"]
    seen = [TokenLogprobs(Alternative(each, str(each), -0.1, 0.0), 1, (), 1.0, 0.0, 0.1) for each in (8, 9)]
    fork = Trace()
    fork.fork(traced(["One", " two", " three"]), 2, (100, 101, 6, 7), texts, 90.0)
    fork.extend([Token(0, 8, " so", (), 90.5), Token(1, 9, " there", (), 90.6)])
    fork.learn(0, seen)
    assert [fork.logprobs_at(position) for position in range(6)] == [*[None] * 4, *seen]


def test_rejected_drafts_keep_their_places_in_a_fork() -> None:
    trace = traced(["One", " two", " three"])
    trace.reject([RejectedTokens(1, (7, 8), (" too", " far"))])
    trace.begin_run(50.0)
    trace.extend([Token(0, 7, " four", (), 50.2), Token(1, 8, " five", (), 50.3)])
    trace.reject([RejectedTokens(1, (9,), (" six",))])
    assert [trace.rejected(position) for position in range(5)] == ["", " too far", "", "", " six"]
    assert trace.token(1).rejected == " too far"
    fork = Trace()
    fork.fork(trace, 2, (100, 101, 5, 6), ("One", " two", " or", " so"))
    fork.extend([Token(0, 7, " on", (), 60.0)])
    fork.reject([RejectedTokens(0, (9,), (" off",))])
    assert [fork.rejected(position) for position in range(5)] == ["", " too far", "", "", " off"]
