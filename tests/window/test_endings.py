"""Every ending is explained, and the obvious next step offered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.bridge.state import Mode
from app.engine.types import Drafted, Failure, Reason
from app.window.endings import Step, ending_of, line_of
from tests.window.runs import run


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_is_named_first_and_explained(reason: Reason) -> None:
    said = ending_of(run(reason), chat_model=True).reason
    assert said.startswith(f"{reason.value}, ")
    assert len(said) > len(reason.value) + 5


def test_a_run_that_was_cut_off_says_so_and_can_go_on() -> None:
    cut = replace(run(Reason.STOPPED), interrupted=True)
    ending = ending_of(cut, chat_model=True)
    assert ending.reason.startswith("interrupted, ")
    assert ending.line.startswith("interrupted · 14 tokens")
    assert ending.steps == (Step.CONTINUE,)
    assert "Prompt" not in dict(ending.details)


def test_the_line_has_reason_tokens_time_speed_and_reuse() -> None:
    assert line_of(run()) == "stop · 14 tokens · 310 ms · 59.1 tok/s · reused 38 of 52"
    assert line_of(run(reused=0, new=52)).endswith("52 new")


def test_a_stop_tells_how_long_it_took() -> None:
    assert ending_of(run(Reason.STOPPED), True).reason == "stopped by you, in 12 ms"


def test_a_stop_before_the_first_token_offers_retry() -> None:
    ending = ending_of(replace(run(Reason.STOPPED), ids=()), True)
    assert ending.reason.endswith("before the first token")
    assert ending.steps == (Step.RETRY,)


@pytest.mark.parametrize(
    ("reason", "steps"),
    [
        (Reason.STOP, ()),
        (Reason.LENGTH, (Step.CONTINUE, Step.RAISE_LIMIT)),
        (Reason.STOPPED, (Step.CONTINUE,)),
        (Reason.ERROR, (Step.RETRY,)),
        (Reason.CONTEXT_FULL, ()),
    ],
)
def test_the_next_step(reason: Reason, steps: tuple[Step, ...]) -> None:
    assert ending_of(run(reason), True).steps == steps


def test_the_limit_in_raw_mode_on_a_chat_model_explains_the_missing_template() -> None:
    ending = ending_of(run(Reason.LENGTH, mode=Mode.RAW), chat_model=True)
    assert "without the chat template" in ending.reason
    assert Step.USE_TEMPLATE in ending.steps
    plain = ending_of(run(Reason.LENGTH, mode=Mode.RAW), chat_model=False)
    assert "template" not in plain.reason


def test_a_failure_says_what_it_was() -> None:
    ending = ending_of(run(Reason.ERROR, failure=Failure("The memory ran out.", "Close something.")), True)
    assert "The memory ran out." in ending.reason


def test_details_hold_the_figures_and_what_was_left_out() -> None:
    ended = run(Reason.STOP_STRING, hidden="###\n", cut=b"\xf0\x9f", drafted=Drafted(8, 6, 7))
    details = dict(ending_of(ended, True).details)
    assert details["Tokens"] == "14 generated, 13 visible"
    assert details["Written, not shown"] == "###⏎"
    assert "2 bytes" in details["Cut off"]
    assert details["Draft"] == "75 % accepted, 2.0 tokens a step"
    assert "p99 30 ms" in details["Between steps"]
    assert details["Seed"] == "7"
