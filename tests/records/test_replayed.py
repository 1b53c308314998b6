"""Runs that were kept are run again on the real engine from what the journal says, and come out the same."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import (
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
)
from app.records.journal import Journal
from app.records.replay import compare
from app.records.types import ModelRef, RunId, RunStart, TokenRecord

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


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_twenty_runs_come_out_the_same(journal: Journal, engine: MlxEngine, temperature: float) -> None:
    runs = []
    for seed, text in enumerate(PROMPTS * 2):
        prompt = RawPrompt(text) if seed % 2 else ChatPrompt((Message(Role.USER, text),))
        sampling = Sampling(temperature=temperature, seed=seed)
        observe = 3 if seed % 3 == 0 else 0
        runs.append(recorded(journal, engine, Request(prompt, sampling, Limits(TOKENS), observe=observe)))
    assert journal.flush()
    for run in runs:
        record = journal.runs.get(run)
        assert record is not None
        kept = journal.runs.tokens(run)
        assert (
            compare(kept, replayed(engine, record.request)).sentence == f"identical, {len(kept)} of {len(kept)} tokens"
        )


def replayed(engine: MlxEngine, request: Request) -> tuple[TokenRecord, ...]:
    events: list[Event] = []
    assert engine.generate(request, events.append, StopFlag()).failure is None
    tokens = (event for event in events if isinstance(event, Token))
    return tuple(TokenRecord(one.index, one.id, one.text, one.at, one.from_draft, one.observed) for one in tokens)
