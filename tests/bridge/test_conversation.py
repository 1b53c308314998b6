"""The raw page as one text, and the requests made of a conversation."""

from dataclasses import replace
from pathlib import Path

from app.bridge import conversation
from app.bridge.forks import ForkStart, TokenReplacement, fork_answer
from app.controls import Controls, Mode
from app.engine.types import Capabilities, ExactPrompt, Form, FormKind, Model, RawPrompt, Reason, Role, TokenPrompt
from app.state import Turn
from tests.ui.conversation.runs import run

MODEL = Model("demo", Path("demo"), "llama", 1, 4, None, 100, 64, ())
RAW = replace(run(), mode=Mode.RAW)
OF_BEFORE = (Turn(Role.USER, "Once "), Turn(Role.ASSISTANT, "upon a time", reasoning="(think) "))
"""As earlier versions stored it: reasoning apart."""


def test_prompt_of_raw_mode_is_the_page() -> None:
    page = conversation.page_of(OF_BEFORE)
    assert page == "Once (think) upon a time"
    assert conversation.prompt_of(OF_BEFORE, Controls(mode=Mode.RAW), MODEL) == RawPrompt(page)


def test_raw_page_of_an_earlier_version_continues_as_text() -> None:
    for mode, raw in ((Mode.RAW, True), (Mode.RAW, False), (Mode.CHAT, False)):
        prompt = ExactPrompt("Once ", (1, 2), ((0, 4), (4, 5)), (), raw=raw)
        begun = replace(RAW, mode=mode, prompt=prompt, ids=(3,))
        onwards = TokenPrompt((1, 2, 3), raw=mode is Mode.RAW)
        assert conversation.continuation_of(begun) == onwards
        assert conversation.continuation_of(begun, counted=True) == replace(onwards, written=1)
        answer = Turn(Role.ASSISTANT, "upon", runs=(begun,))
        forked = fork_answer(answer, [begun], 0, TokenReplacement(ids=(4,)), MODEL, None)
        assert isinstance(forked, ForkStart) and forked.prompt.raw is onwards.raw


def test_raw_page_of_a_server_continues_with_all_its_text() -> None:
    prompt = ExactPrompt("Once ", (), (), (), raw=True)
    ended = replace(RAW.finish, reason=Reason.LENGTH)
    before = replace(RAW, prompt=prompt, finish=ended, text="upon", reasoning="(think) ")
    assert conversation.can_continue(before)
    assert conversation.continuation_of(before) == RawPrompt("Once (think) upon")


def test_continuation_counts_the_written_tokens_of_an_output_format() -> None:
    prompt = ExactPrompt("Once ", (1, 2), ((0, 4), (4, 5)), ())
    asked = replace(RAW.request, prompt=TokenPrompt((1, 2), written=1), form=Form().put(FormKind.REGEX, "a+"))
    again = replace(RAW, mode=Mode.CHAT, request=asked, prompt=prompt, ids=(3, 4))
    assert conversation.continuation_of(again, counted=True) == TokenPrompt((1, 2, 3, 4), written=3)
    assert conversation.replay_request(asked, prompt).prompt == TokenPrompt((1, 2), written=1)
    forked = replace(prompt, begun=("x", "y"))
    assert conversation.replay_request(asked, forked).prompt == TokenPrompt((1, 2), written=2)


def test_request_has_an_output_format_only_if_the_model_supports_it() -> None:
    controls = Controls(form=Form(FormKind.REGEX, regex="a+", choices="b"))
    able = replace(MODEL, can=Capabilities(form=True))
    assert conversation.request_for(RawPrompt(""), controls, 0, able).form == Form().put(FormKind.REGEX, "a+")
    assert not conversation.request_for(RawPrompt(""), controls, 0, MODEL).form
