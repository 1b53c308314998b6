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


def test_request_of_a_run_is_the_same_request() -> None:
    had = replace(RUN, model=replace(HERE, adapter=FilesRef("fox", "/adapters/fox")))
    assert request_of(had) == replace(RUN.request, prompt=TokenPrompt((5, 6)), observe=OBSERVED)
    assert request_of(replace(RUN, request=replace(RUN.request, observe=20))).observe == 20


@pytest.mark.parametrize("finish", [None, Finish(Reason.STOPPED), Finish(Reason.ERROR)])
def test_request_of_an_interrupted_run_ends_where_it_ended(finish: Finish | None) -> None:
    assert request_of(replace(RUN, finish=finish)).limits == Limits(3, ("END",))


def test_refusal_accepts_the_same_files_in_another_folder() -> None:
    assert refusal_of(RUN, HERE, None) == ""
    assert refusal_of(RUN, replace(HERE, folder="/elsewhere"), None) == ""
    assert refusal_of(RUN, replace(HERE, digest=""), None) == ""
    assert refusal_of(replace(RUN, model=HUB), replace(HUB, folder="/other/1"), None) == ""


def test_refusal_of_another_model_names_the_right_one() -> None:
    assert refusal_of(RUN, HUB, None) == "Open demo (/models/demo) first, which generated this run; Qwen is open."
    assert "have changed since this run" in refusal_of(RUN, replace(HERE, digest="xyz"), None)
    echo = ModelRef("echo", "echo")
    assert refusal_of(replace(RUN, model=echo), echo, None) == ""
    assert refusal_of(replace(RUN, model=echo), replace(echo, folder="other"), None).startswith("Open echo first")


def test_refusal_of_a_run_with_a_draft_needs_that_draft() -> None:
    drafted = replace(RUN, draft=ModelRef("small", "/models/small", digest="d"))
    assert refusal_of(drafted, HERE, None).startswith("Open small as the draft model first")
    assert refusal_of(drafted, HERE, ModelRef("small", "/there", digest="d")) == ""
    assert refusal_of(replace(drafted, request=replace(RUN.request, draft_tokens=0)), HERE, None) == ""


def test_refusal_of_a_run_without_tokens_says_so() -> None:
    for empty in (replace(RUN, ids=()), replace(RUN, prompt=None)):
        assert "no tokens to compare" in refusal_of(empty, HERE, None)


def test_refusal_of_a_run_with_an_adapter_needs_that_adapter() -> None:
    adapted = replace(HERE, adapter=FilesRef("fox", "/adapters/fox", digest="f"))
    had = replace(RUN, model=adapted)
    assert refusal_of(had, HERE, None) == "This run used the adapter fox: open demo with it first."
    assert refusal_of(had, replace(adapted, adapter=FilesRef("fox", "/adapters/fox", digest="g")), None) != ""
    assert refusal_of(had, replace(adapted, adapter=FilesRef("moved", "/elsewhere", digest="f")), None) == ""
    assert refusal_of(RUN, adapted, None) == ""
    assert request_of(RUN).sampling.adapter_strength == 0.0
    assert request_of(had).sampling.adapter_strength == 1.0
