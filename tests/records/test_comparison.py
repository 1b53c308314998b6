import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import (
    Alternative,
    ChatPrompt,
    Event,
    Limits,
    LoadRequest,
    Message,
    Model,
    RawPrompt,
    Request,
    Role,
    Sampling,
    Token,
    TokenLogprobs,
)
from app.records import comparison as module
from app.records.comparison import DiffSegment, DiffSide, compare, near_tie, word_diff
from app.records.journal import Journal
from app.records.types import ModelRef, RunId, RunStart, TokenRecord
from tests.records import builders
from tests.records.builders import VERSIONS


def tokens(*ids: int) -> tuple[TokenRecord, ...]:
    return tuple(TokenRecord(index, one, f"w{one}", index * 0.1) for index, one in enumerate(ids))


def observed(token: TokenRecord, **likely: float) -> TokenRecord:
    top = tuple(Alternative(int(name[1:]), name, math.log(share), 0.0) for name, share in likely.items())
    chosen = next(candidate for candidate in top if candidate.id == token.id)
    return replace(token, observed=TokenLogprobs(chosen, 1, top, 1.0, 0.0, 0.1))


def test_compare_equal_runs_is_identical() -> None:
    found = compare(tokens(*range(412)), tokens(*range(412)))
    assert (found.sentence, found.identical, found.at) == ("identical, 412 of 412 tokens", True, None)
    assert compare((), ()).identical


def test_compare_difference_counts_from_one() -> None:
    found = compare(tokens(1, 2, 3), tokens(1, 9, 3))
    assert found.sentence == "first difference at token 2: “w2” became “w9”"
    assert found.at == 1
    assert "near tie" not in found.sentence


def test_compare_observed_runs_have_probabilities() -> None:
    first = tokens(1, 2)
    second = (*tokens(1), observed(tokens(1, 9)[1], w9=0.5, w2=0.3))
    for pair in ((first, second), (first, (*second[:1], observed(second[1], w9=0.5, w2=0.3)))):
        found = compare(*pair)
        assert "“w2” (30 %) became “w9” (50 %)" in found.sentence
        assert "near tie" not in found.sentence


@pytest.mark.parametrize(
    ("ours", "theirs", "precisions"),
    [
        (0.40001, 0.39999, {"bfloat16", "float16", "float32", "TF32"}),
        (0.401, 0.399, {"bfloat16", "float16", "TF32"}),
        (0.4, 0.36, {"bfloat16"}),
        (0.0001, 0.015, set()),
    ],
)
def test_compare_near_tie_depends_on_precision(ours: float, theirs: float, precisions: set[str]) -> None:
    first = (*tokens(1), observed(tokens(1, 2)[1], w2=ours, w9=theirs))
    for precision in ("bfloat16", "float16", "float32", "TF32"):
        asked, has_tf32 = Request(RawPrompt(""), Sampling(temperature=0.0)), precision == "TF32"
        near = near_tie(asked, "float32" if has_tf32 else precision, has_tf32)
        found = compare(first, tokens(1, 9), near=near)
        assert ("near tie" in found.sentence) is (precision in precisions)


def test_compare_sampled_runs_have_no_near_tie() -> None:
    near = near_tie(Request(RawPrompt(""), Sampling(temperature=0.7)), "bfloat16")
    first = (*tokens(1), observed(tokens(1, 2)[1], w2=0.0001, w9=0.0001))
    sentence = compare(first, tokens(1, 9), near=near).sentence
    assert sentence == "first difference at token 2: “w2” (0.01 %) became “w9” (0.01 %)"


def test_compare_shorter_run_is_named() -> None:
    found = compare(tokens(1, 2, 3), tokens(1, 2))
    assert found.sentence == "identical up to the end of the rerun, 2 of 3 tokens"
    assert not found.identical
    assert "end of the first run, 1 of 3" in compare(tokens(1), tokens(1, 2, 3)).sentence


def test_compare_other_versions_are_causes() -> None:
    later = replace(VERSIONS, mlx="0.33.0", chip="")
    found = compare(tokens(1), tokens(2), (VERSIONS, later))
    assert found.causes == ("mlx was 0.32.4, now 0.33.0",)
    assert found.sentence.endswith("A likely cause: mlx was 0.32.4, now 0.33.0")
    assert "cause" not in compare(tokens(1), tokens(1), (VERSIONS, later)).sentence
    assert "cause" not in compare(tokens(1), tokens(2), (VERSIONS, VERSIONS)).sentence


PROMPTS = ("Tell me a story.", "What is 2 + 3?", "Count to ten.", "Hello!", "Why?")
TOKENS = 12


@pytest.fixture(scope="module")
def engine(demo_model: Path) -> Iterator[MlxEngine]:
    engine = MlxEngine()
    assert isinstance(engine.load(LoadRequest(str(demo_model)), lambda event: None, StopFlag()), Model)
    yield engine
    engine.unload()  # not close(): the streams of pytest's thread serve other modules too


def recorded(journal: Journal, engine: MlxEngine, request: Request) -> RunId:
    session = journal.sessions.new()
    turn = journal.sessions.add_turn(session, Role.ASSISTANT, "")
    stop = StopFlag()
    recorder = journal.begin(session, turn, RunStart("chat", request, ModelRef("demo"), stop.made_at))
    recorder.finish(engine.generate(request, recorder.put, stop))
    return recorder.run


@pytest.mark.slow
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_compare_twenty_runs_are_identical(journal: Journal, engine: MlxEngine, temperature: float) -> None:
    runs = []
    for seed, text in enumerate(PROMPTS * 2):
        prompt = RawPrompt(text) if seed % 2 else ChatPrompt((Message(Role.USER, text),))
        sampling = Sampling(temperature=temperature, seed=seed)
        observe = 3 if seed % 3 == 0 else 0
        runs.append(recorded(journal, engine, Request(prompt, sampling, Limits(TOKENS), observe=observe)))
    assert journal.flush()
    for run in runs:
        record = builders.record_of(journal, run)
        kept = journal.runs.tokens(run)
        assert (
            compare(kept, replayed(engine, record.request)).sentence == f"identical, {len(kept)} of {len(kept)} tokens"
        )


def replayed(engine: MlxEngine, request: Request) -> tuple[TokenRecord, ...]:
    events: list[Event] = []
    assert engine.generate(request, events.append, StopFlag()).failure is None
    tokens = (event for event in events if isinstance(event, Token))
    return tuple(TokenRecord(one.index, one.id, one.text, one.at, one.from_draft, one.observed) for one in tokens)


WORDS = st.lists(st.sampled_from(("the", " ", "river", "\n", "is", ".", "wide", "é")), max_size=30).map("".join)


@given(WORDS, WORDS)
def test_word_diff_sides_equal_their_texts(first: str, second: str) -> None:
    stretches = word_diff(first, second)
    assert "".join(stretch.text for stretch in stretches if stretch.side is not DiffSide.SECOND) == first
    assert "".join(stretch.text for stretch in stretches if stretch.side is not DiffSide.FIRST) == second
    assert all(stretch.text for stretch in stretches)
    assert all(one.side is not other.side for one, other in pairwise(stretches))


def test_word_diff_one_changed_word() -> None:
    assert word_diff("The river is wide.", "The river is deep.") == (
        DiffSegment(DiffSide.BOTH, "The river is "),
        DiffSegment(DiffSide.FIRST, "wide"),
        DiffSegment(DiffSide.SECOND, "deep"),
        DiffSegment(DiffSide.BOTH, "."),
    )


def test_word_diff_equal_texts_are_one_segment() -> None:
    assert word_diff("a b", "a b") == (DiffSegment(DiffSide.BOTH, "a b"),)
    assert word_diff("", "") == ()


def test_word_diff_long_texts_differ_at_both_ends() -> None:
    long = "same " * 50_000
    assert word_diff("a " + long + "b", "a " + long + "c") == (
        DiffSegment(DiffSide.BOTH, "a " + long),
        DiffSegment(DiffSide.FIRST, "b"),
        DiffSegment(DiffSide.SECOND, "c"),
    )
    assert word_diff("x " + long, "y " + long)[-1] == DiffSegment(DiffSide.BOTH, " " + long)


def test_word_diff_beyond_the_limit_counts_as_different(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 4)
    assert word_diff("a same b c d", "e same f g h") == (
        DiffSegment(DiffSide.FIRST, "a"),
        DiffSegment(DiffSide.SECOND, "e"),
        DiffSegment(DiffSide.BOTH, " same "),
        DiffSegment(DiffSide.FIRST, "b c d"),
        DiffSegment(DiffSide.SECOND, "f g h"),
    )
