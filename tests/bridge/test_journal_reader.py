from dataclasses import replace

import pytest

from app.bridge import journal_reader
from app.bridge.runner import ActiveRun
from app.controls import Mode
from app.engine.meter.meter import RunMetrics, Summary
from app.engine.types import Finish, LoadRequest, NetworkTiming, RawPrompt, Reason, Request, Token
from app.records import types as kept
from app.records.types import ModelRef, RunState
from app.state import Run
from tests.bench.sources import model_of
from tests.records import builders

THERE = ModelRef("one · 127.0.0.1:8080", "http:/127.0.0.1:8080/v1#one")
FIVE = Summary(RunMetrics(tokens=5), None, None, None)
PIECES = replace(FIVE, figures=replace(FIVE.figures, pieces=True))


def cut_off(model: ModelRef, summary: Summary | None, written: int) -> Run:
    record = kept.RunRecord(
        id=1,
        session=1,
        turn=1,
        started=0.0,
        state=RunState.INTERRUPTED,
        mode="chat",
        request=builders.request(),
        model=model,
        draft=None,
        versions=builders.VERSIONS,
        context=None,
        prompt=None,
        ids=tuple(range(written)),
        text="",
        reasoning="",
        finish=None,
        summary=summary,
    )
    return journal_reader.run_of(record)


@pytest.mark.parametrize(("summary", "written"), [(PIECES, 5), (None, 0)])
def test_run_of_a_server_read_back_has_no_seed_or_token_count(summary: Summary | None, written: int) -> None:
    cut = cut_off(THERE, summary, written)
    assert cut.interrupted and cut.finish.wire == NetworkTiming(pieces=written)
    assert cut.seed is None


def test_run_of_the_local_engine_read_back_has_its_seed() -> None:
    cut = cut_off(builders.MODEL, FIVE, 5)
    assert cut.interrupted and cut.finish.wire is None
    assert cut.seed == 7


@pytest.mark.parametrize(("summary", "wire"), [(PIECES, NetworkTiming(pieces=5)), (FIVE, None)])
def test_partial_run_keeps_the_same_facts(summary: Summary, wire: NetworkTiming | None) -> None:
    brief = kept.RunBrief(1, 1, RunState.INTERRUPTED, "chat", THERE.name, None, None, summary)
    assert journal_reader.brief_run_of(brief).finish.wire == wire


def test_run_shares_equal_ids() -> None:
    run = ActiveRun(model_of(LoadRequest("folder")), Mode.RAW, Request(RawPrompt("")))
    written = (70_000, 80_000, 70_000, 70_000)
    tokens = [Token(position, number, "a", (), float(position), False) for position, number in enumerate(written)]
    _, done = run.finish(list(tokens), Finish(Reason.STOP))
    assert done.ids == written
    assert len({id(number) for number in done.ids}) == 2
