from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.engine.prompt import render, template_issues
from app.engine.prompt_warnings import PromptWarning, QuickFix, WarningKind, prompt_warnings
from app.engine.types import (
    Capabilities,
    ChatPrompt,
    ExactPrompt,
    Failure,
    Message,
    Model,
    PromptPart,
    PromptSource,
    PromptSpan,
    RawPrompt,
    Role,
    TemplateIssues,
)
from tests.engine.made_templates import TEMPLATES
from tests.standins.samples import Samples

MODEL = Model("demo", Path("demo"), "llama", 1, 4, 100, 64, ((2, "<|im_end|>"),))
BASE = replace(MODEL, can=Capabilities(chat=False))
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def prompt(*pieces: tuple[PromptPart, str], ids: tuple[int, ...] = (), **more: Any) -> ExactPrompt:
    """A prompt of one token for each piece, unless its ids are given."""
    text, spans = "", []
    for part, piece in pieces:
        spans.append(PromptSpan(part, len(text), len(text) + len(piece)))
        text += piece
    offsets = tuple((span.start, span.end) for span in spans)
    return ExactPrompt(text, ids or tuple(range(len(pieces))), offsets, tuple(spans), **more)


HELLO = prompt((PromptPart.SPECIAL, "<s>"), (PromptPart.USER, "Hello"), (PromptPart.SPECIAL, "</s>"))
PAGE = prompt((PromptPart.SPECIAL, "<s>"), (PromptPart.USER, "Once upon a time"))
NOTHING = Failure("There is nothing to send.", "Type something first.", kind="empty")


def alarms(model: Model, raw: bool, shown: ExactPrompt | Failure | None) -> list[WarningKind]:
    return [light.alarm for light in prompt_warnings(model, raw, shown)]


@pytest.mark.parametrize(
    ("model", "raw", "shown"),
    [
        *((MODEL, False, shown) for shown in (None, NOTHING, HELLO)),
        *((BASE, True, shown) for shown in (None, NOTHING, PAGE)),
        *((MODEL, True, shown) for shown in (None, NOTHING, HELLO)),
        (BASE, True, prompt((PromptPart.USER, "ha"), (PromptPart.USER, "ha"), ids=(5, 5))),
        (replace(MODEL, manners=TemplateIssues(foreign_end="<|im_end|>")), True, PAGE),
    ],
)
def test_prompt_warnings_of_ordinary_prompts_are_none(
    model: Model, raw: bool, shown: ExactPrompt | Failure | None
) -> None:
    assert prompt_warnings(model, raw, shown) == ()


def test_prompt_warnings_chat_model_used_raw() -> None:
    (light,) = prompt_warnings(MODEL, True, PAGE)
    assert (light.alarm, light.way_on) == (WarningKind.CHAT_AS_RAW, QuickFix.USE_CHAT)


def test_prompt_warnings_model_without_a_template() -> None:
    refused = Failure("This model has no chat template.", "Switch Mode to Raw.", kind="prompt")
    for shown in (None, NOTHING, refused):
        (light,) = prompt_warnings(BASE, False, shown)
        assert (light.alarm, light.way_on) == (WarningKind.NO_TEMPLATE, QuickFix.USE_RAW)


def test_prompt_warnings_doubled_bos() -> None:
    doubled = prompt((PromptPart.SPECIAL, "<s>"), (PromptPart.SPECIAL, "<s>"), (PromptPart.USER, "Hi"), ids=(1, 1, 7))
    doubled = replace(doubled, spans=(PromptSpan(PromptPart.SPECIAL, 0, 6), PromptSpan(PromptPart.USER, 6, 8)))
    (light,) = prompt_warnings(BASE, True, doubled)
    assert light == PromptWarning(WarningKind.DOUBLE_BOS, light.says, QuickFix.DROP_BOS) and "<s> twice" in light.says
    assert [each.way_on for each in prompt_warnings(MODEL, False, doubled)] == [None]


def test_prompt_warnings_template_without_generation_prompt() -> None:
    mute = replace(MODEL, manners=TemplateIssues(cue_missing=True))
    assert alarms(mute, False, HELLO) == [WarningKind.NO_CUE]
    started = prompt((PromptPart.USER, "Hello"), (PromptPart.SPECIAL, "</s>"), (PromptPart.MODEL, "Well,"))
    assert alarms(mute, False, started) == []
    assert alarms(mute, True, HELLO) == []


@pytest.mark.parametrize(("length", "surplus"), [(99, None), (100, 1), (130, 31)])
def test_prompt_warnings_prompt_longer_than_the_context(length: int, surplus: int | None) -> None:
    long = replace(HELLO, ids=tuple(range(length)))
    found = prompt_warnings(MODEL, False, long)
    assert [light.way_on for light in found] == ([QuickFix.DROP_OLDEST] if surplus else [])
    assert all(f"remove {surplus} or more" in light.says for light in found)
    assert prompt_warnings(replace(MODEL, context=None), False, long) == ()


def test_prompt_warnings_refusal_is_shown() -> None:
    refused = Failure("The template refuses this.", "Put a user turn first.", kind="prompt")
    (light,) = prompt_warnings(MODEL, False, refused)
    assert (light.alarm, light.says) == (WarningKind.REFUSED, "The template refuses this. Put a user turn first.")
    assert light.way_on is QuickFix.USE_RAW
    assert [each.way_on for each in prompt_warnings(MODEL, True, refused)] == [None]


@pytest.fixture
def qwen(qwen: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(qwen._tokenizer, "chat_template", qwen.chat_template)
    return qwen


def lit(source: PromptSource, tokenizer: Any) -> list[WarningKind]:
    model = replace(MODEL, context=40_000, manners=template_issues(tokenizer))
    shown = render(source, tokenizer)
    return alarms(model, isinstance(source, RawPrompt), shown)


@pytest.mark.parametrize("name", TEMPLATES)
def test_prompt_warnings_of_real_templates_are_none(
    name: str, qwen: Any, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(qwen._tokenizer, "chat_template", samples.template(name))
    said = (Message(Role.USER, "Hi"), Message(Role.ASSISTANT, "Hello."), Message(Role.USER, "Why [INST]?"))
    assert lit(ChatPrompt(said[:1]), qwen) == []
    assert lit(ChatPrompt(said), qwen) == []
    assert lit(ChatPrompt(said, "Well,"), qwen) == []


def test_prompt_warnings_of_real_tokenizers_are_none(byte_tokenizer: Any) -> None:
    assert lit(ChatPrompt((Message(Role.USER, "Hello there"),)), byte_tokenizer) == []
    assert template_issues(byte_tokenizer) == TemplateIssues()


def test_template_issues_missing_generation_prompt(qwen: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qwen._tokenizer, "chat_template", CHATML.partition("{% if add")[0])
    assert lit(ChatPrompt((Message(Role.USER, "Hi"),)), qwen) == [WarningKind.NO_CUE]
    monkeypatch.setattr(qwen._tokenizer, "chat_template", CHATML)
    assert lit(ChatPrompt((Message(Role.USER, "Hi"),)), qwen) == []


def test_template_issues_foreign_end(qwen: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qwen._tokenizer, "chat_template", CHATML)
    end_of_text = qwen.encode("<|endoftext|>", add_special_tokens=False)
    monkeypatch.setattr(qwen, "_eos_token_ids", set(end_of_text))
    assert lit(ChatPrompt((Message(Role.USER, "Hi"),)), qwen) == [WarningKind.BASE_IN_TEMPLATE]
    (light,) = prompt_warnings(replace(MODEL, manners=template_issues(qwen)), False, HELLO)
    assert light.way_on is QuickFix.USE_RAW and "<|im_end|>" in light.says
    monkeypatch.setattr(qwen._tokenizer, "chat_template", CHATML + "{# or #}<|endoftext|>")
    assert template_issues(qwen).foreign_end == ""


def test_prompt_warnings_control_tokens_and_doubled_bos_of_real_tokenizers(qwen: Any, llama: Any) -> None:
    injected = ChatPrompt((Message(Role.USER, "a<|im_end|>b<|im_start|>"),))
    (light,) = prompt_warnings(replace(MODEL, context=None), False, render(injected, qwen))
    assert (light.alarm, light.way_on) == (WarningKind.CONTROL_TOKENS, QuickFix.SHOW_TOKENS)
    assert "<|im_end|>, <|im_start|>" in light.says
    twice = RawPrompt("<|begin_of_text|><|begin_of_text|>Hi")
    assert lit(twice, llama) == [WarningKind.CHAT_AS_RAW, WarningKind.DOUBLE_BOS]
