"""What a replay asks for, and on which model it is refused."""

from dataclasses import replace

import pytest

from app.controls import OBSERVED
from app.engine.types import ExactPrompt, Finish, Limits, RawPrompt, Reason, Request, Sampling, TokenPrompt
from app.records.types import FilesRef, ModelRef, RunRecord, RunState, Versions
from app.ui.runs.controller_replay import refusal_of, request_of

HERE = ModelRef("demo", "/models/demo", digest="abc")
HUB = ModelRef("Qwen", "/hub/models--Qwen/snapshots/1", revision="1")
RUN = RunRecord(
    id=3,
    session=1,
    turn=2,
    started=0.0,
    state=RunState.ENDED,
    mode="raw",
    request=Request(RawPrompt("Hello"), Sampling(1.0, seed=9), Limits(64, ("END",)), draft_tokens=3),
    model=HERE,
    draft=None,
    versions=Versions(),
    context=2048,
    prompt=ExactPrompt("Hello", (5, 6), ((0, 2), (2, 5)), ()),
    ids=(1, 2, 3),
    text="abc",
    reasoning="",
    finish=Finish(Reason.STOP, tokens=3),
    summary=None,
)


def test_the_very_same_request_is_sent() -> None:
    had = replace(RUN, model=replace(HERE, adapter=FilesRef("fox", "/adapters/fox")))
    assert request_of(had) == replace(RUN.request, prompt=TokenPrompt((5, 6)), observe=OBSERVED)
    assert request_of(replace(RUN, request=replace(RUN.request, observe=20))).observe == 20


@pytest.mark.parametrize("finish", [None, Finish(Reason.STOPPED), Finish(Reason.ERROR)])
def test_a_run_that_was_cut_short_is_replayed_as_far_as_it_went(finish: Finish | None) -> None:
    assert request_of(replace(RUN, finish=finish)).limits == Limits(3, ("END",))


def test_the_same_files_are_the_same_model_wherever_they_lie() -> None:
    assert refusal_of(RUN, HERE, None) == ""
    assert refusal_of(RUN, replace(HERE, folder="/elsewhere"), None) == ""
    assert refusal_of(RUN, replace(HERE, digest=""), None) == "", "what is in it can't be told: it lies there still"
    assert refusal_of(replace(RUN, model=HUB), replace(HUB, folder="/other/1"), None) == ""


def test_another_model_is_refused_and_the_right_one_named() -> None:
    assert refusal_of(RUN, HUB, None) == "Open demo (/models/demo) first, which generated this run; Qwen is open."
    assert "have changed since this run" in refusal_of(RUN, replace(HERE, digest="xyz"), None)
    echo = ModelRef("echo", "echo")
    assert refusal_of(replace(RUN, model=echo), echo, None) == ""
    assert refusal_of(replace(RUN, model=echo), replace(echo, folder="other"), None).startswith("Open echo first")


def test_the_draft_model_has_to_be_there_where_one_was_used() -> None:
    drafted = replace(RUN, draft=ModelRef("small", "/models/small", digest="d"))
    assert refusal_of(drafted, HERE, None).startswith("Open small as the draft model first")
    assert refusal_of(drafted, HERE, ModelRef("small", "/there", digest="d")) == ""
    assert refusal_of(replace(drafted, request=replace(RUN.request, draft_tokens=0)), HERE, None) == ""


def test_a_run_without_tokens_can_not_be_compared() -> None:
    for empty in (replace(RUN, ids=()), replace(RUN, prompt=None)):
        assert "no tokens to compare" in refusal_of(empty, HERE, None)


def test_the_adapter_has_to_be_there_where_one_counted_and_does_not_count_where_none_did() -> None:
    adapted = replace(HERE, adapter=FilesRef("fox", "/adapters/fox", digest="f"))
    had = replace(RUN, model=adapted)
    assert refusal_of(had, HERE, None) == "This run used the adapter fox: open demo with it first."
    assert refusal_of(had, replace(adapted, adapter=FilesRef("fox", "/adapters/fox", digest="g")), None) != ""
    assert refusal_of(had, replace(adapted, adapter=FilesRef("moved", "/elsewhere", digest="f")), None) == ""
    assert refusal_of(RUN, adapted, None) == ""
    assert request_of(RUN).sampling.adapter_strength == 0.0
    assert request_of(had).sampling.adapter_strength == 1.0
