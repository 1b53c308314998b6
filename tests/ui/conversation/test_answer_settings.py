"""The settings of an answer that differ from those of the next run."""

from dataclasses import replace

from app.controls import Controls
from app.engine.types import ChatPrompt, FormatKind, Message, OutputFormat, Request, Role, Sampling, TokenPrompt
from app.ui.conversation.answer_settings import describe_settings, with_settings

HELLO = Message(Role.USER, "Hello")
NEXT = Request(ChatPrompt((HELLO,)), Sampling(temperature=0.7, seed=1))
SYSTEM = Message(Role.SYSTEM, "Answer in one short sentence, please.")


def test_describe_settings_lists_the_differing_ones_without_the_seed() -> None:
    assert describe_settings(replace(NEXT, sampling=Sampling(0.7, seed=2), observe=3), NEXT) == ""
    other = replace(NEXT, sampling=Sampling(0.2, seed=2), prompt=ChatPrompt((SYSTEM, HELLO)))
    assert describe_settings(other, NEXT) == "system prompt “Answer in one short sente…”, temperature 0.2"
    assert describe_settings(replace(other, prompt=TokenPrompt((1,))), NEXT) == "temperature 0.2"
    many = Sampling(0.2, top_p=0.9, top_k=5, min_p=0.1, repetition_penalty=1.1)
    assert describe_settings(replace(NEXT, sampling=many), NEXT).endswith("min-p 0.1, 1 more")


def test_with_settings_changes_only_what_differs() -> None:
    controls = Controls(seed=5, draft_tokens=3, tools="kept", form=OutputFormat(regex="kept"))
    request = replace(
        NEXT,
        prompt=ChatPrompt((SYSTEM, HELLO), reply_start="{"),
        sampling=Sampling(0.2, seed=9),
        form=OutputFormat(FormatKind.CHOICES, choices="a"),
    )
    wanted = replace(
        controls,
        system=SYSTEM.text,
        reply_start="{",
        sampling=replace(controls.sampling, temperature=0.2),
        form=OutputFormat(FormatKind.CHOICES, choices="a", regex="kept"),
    )
    assert with_settings(controls, request, NEXT) == wanted
