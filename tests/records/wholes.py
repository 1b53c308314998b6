"""Sessions of every shape, for property tests: each field takes whatever its declared type allows."""

import dataclasses
import types
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from app.engine.types import Alternative, Argument, ExactPrompt, PromptPart, PromptSpan, Role, TopTokens
from app.records.types import Fork, RunRecord, RunState, TokenRecord, WholeRun, WholeSession, WholeTurn

Strategy = st.SearchStrategy[Any]

TEXTS = st.text(max_size=8)
IDS = st.integers(0, 2**40)
MOMENTS = st.floats(0, 1e10)
# Without the minus of -0.0: SQLite keeps whole numbers of a REAL column as integers, which have no such zero.
NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(lambda number: number + 0.0)


@cache
def of(hint: Any) -> Strategy:
    """Values of a declared type."""
    if hint in KNOWN:
        return KNOWN[hint]
    items = get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return st.one_of([of(item) for item in items])
    if get_origin(hint) is Sequence:
        found = st.lists(of(items[0]), max_size=2)
        return found.map(tuple) | found.map(TopTokens.of)
    if get_origin(hint) is tuple:
        if Ellipsis in items:
            return st.lists(of(items[0]), max_size=2).map(tuple)
        return st.tuples(*map(of, items))
    if issubclass(hint, Enum):
        return st.sampled_from(hint)
    return built(hint)


def built(kind: Any, **given: Strategy) -> Strategy:
    """One of our values, some of its fields as given."""
    hints = get_type_hints(kind)
    names = [field.name for field in dataclasses.fields(kind)]
    return st.builds(kind, **{name: given[name] if name in given else of(hints[name]) for name in names})


def _exact(text: str, ids: list[int], notes: list[str], opens: bool) -> ExactPrompt:
    offsets = tuple((0, len(text)) for _ in ids)
    spans = (PromptSpan(PromptPart.USER, 0, len(text)),)
    return ExactPrompt(text, tuple(ids), offsets, spans, tuple(notes), opens_reasoning=opens)


def _whole_run(run: RunRecord, tokens: list[TokenRecord]) -> WholeRun:
    kept = tuple(replace(token, index=index) for index, token in enumerate(tokens))
    return WholeRun(replace(run, ids=tuple(token.id for token in kept)), kept)


NAMES = st.text(max_size=6).filter(str.isidentifier) | st.sampled_from(("deep", "class", "enable_thinking"))
PLAIN: Strategy = st.none() | st.booleans() | TEXTS | NUMBERS | st.integers(-1, 2**62)
ARGUMENTS = st.lists(st.tuples(NAMES, PLAIN), max_size=2).map(tuple)
KNOWN: dict[Any, Strategy] = {
    tuple[tuple[str, Argument], ...]: ARGUMENTS,
    str: TEXTS,
    # A whole number where a float belongs: the window's controls give such ones too.
    float: NUMBERS | st.integers(0, 2),
    int: st.integers(-1, 2**62),
    bool: st.booleans(),
    bytes: st.binary(max_size=3),
    type(None): st.none(),
    Alternative: st.builds(Alternative, IDS, TEXTS, st.floats(max_value=0.0), st.floats()),
    ExactPrompt: st.builds(_exact, TEXTS, st.lists(IDS, max_size=3), st.lists(TEXTS, max_size=2), st.booleans()),
}
NOWHERE = {name: st.just(0) for name in ("id", "session", "turn")}
STATES = st.sampled_from((RunState.ENDED, RunState.INTERRUPTED))
RUNS = built(RunRecord, started=MOMENTS, state=STATES, ids=st.just(()), **NOWHERE)
WHOLE_RUNS = st.builds(_whole_run, RUNS, st.lists(built(TokenRecord, id=IDS), max_size=3))
SPEAKERS = st.sampled_from((Role.USER, Role.ASSISTANT, Role.TOOL))
ALONE = {"after": st.none(), "then": st.none(), "made": st.none(), "forked": st.none()}
TURNS = built(WholeTurn, role=SPEAKERS, runs=st.lists(WHOLE_RUNS, max_size=1).map(tuple), **ALONE)


@st.composite
def conversations(draw: st.DrawFn) -> tuple[WholeTurn, ...]:
    """Turns that name each other: those of the conversation first, then the hidden ones as they were made."""
    turns = sorted(draw(st.lists(TURNS, max_size=3)), key=lambda turn: turn.hidden)
    count, seen = len(turns), sum(not turn.hidden for turn in turns)
    made = draw(st.permutations(range(count)))
    made = [*made[:seen], *sorted(made[seen:])]
    return tuple(_linked(draw, turn, made[at], count) for at, turn in enumerate(turns))


def _linked(draw: st.DrawFn, turn: WholeTurn, made: int, count: int) -> WholeTurn:
    others = st.integers(0, count - 1)
    forked = draw(st.none() | built(Fork, turn=others))
    after = draw(st.none() | st.integers(-1, count - 1)) if turn.hidden else None
    then = draw(st.none() | others) if after is not None else None
    return replace(turn, made=made, forked=forked, after=after, then=then)


CONVERSATIONS = conversations()
SESSIONS: st.SearchStrategy[WholeSession] = built(WholeSession, created=MOMENTS, changed=MOMENTS, turns=CONVERSATIONS)
JSON: Strategy = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
