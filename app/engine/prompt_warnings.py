"""Prompt warnings: likely mistakes in a prompt, each with a quick fix."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from app.engine.errors import NOTHING
from app.engine.types import ExactPrompt, Failure, Model, PromptPart
from app.i18n import WordedEnum, tr

ASKED = (PromptPart.SYSTEM, PromptPart.USER)


class WarningKind(StrEnum):
    CHAT_AS_RAW = "chat model used raw"
    BASE_IN_TEMPLATE = "base model used with a template"
    NO_TEMPLATE = "no chat template"
    DOUBLE_BOS = "double BOS"
    CONTROL_TOKENS = "text read as control tokens"
    NO_CUE = "empty generation prompt"
    TOO_LONG = "longer than the context"
    REFUSED = "refused"
    REWRITE = "earlier turns prefilled again"


class QuickFix(WordedEnum):
    """Quick fix for a warning; the value is the label of its button."""

    USE_CHAT = "Use the chat template", tr("Use the chat template")
    USE_RAW = "Switch to Raw", tr("Switch to Raw")
    DROP_BOS = "Take one away", tr("Take one away")
    SHOW_TOKENS = "Show them", tr("Show them")
    START_REPLY = "Start the reply yourself", tr("Start the reply yourself")
    SET_ARGUMENT = "Set the argument", tr("Set the argument")
    DROP_OLDEST = "Leave out the oldest turn", tr("Leave out the oldest turn")


@dataclass(frozen=True, slots=True)
class PromptWarning:
    alarm: WarningKind
    says: str
    way_on: QuickFix | None = None


def prompt_warnings(model: Model, raw: bool, prompt: ExactPrompt | Failure | None) -> tuple[PromptWarning, ...]:
    """Return the warnings for a prompt; without a prompt, only the warnings for the model."""
    if model.server:
        return ()  # a server's prompt is unknown
    found = _raw_warnings(model, prompt) if raw else _chat_warnings(model, prompt)
    if isinstance(prompt, ExactPrompt):
        return (*found, *_common_warnings(model, prompt, raw))
    return tuple(found)


def _raw_warnings(model: Model, prompt: ExactPrompt | Failure | None) -> Iterator[PromptWarning]:
    if isinstance(prompt, ExactPrompt):
        if model.can.chat and not model.manners.foreign_end and not _has_template_tokens(prompt):
            says = tr("This is a chat model, and raw mode sends no chat template: the model may not stop.")
            yield PromptWarning(WarningKind.CHAT_AS_RAW, says, QuickFix.USE_CHAT)
    elif prompt is not None and prompt.kind != NOTHING:
        yield PromptWarning(WarningKind.REFUSED, prompt.sentence)


def _chat_warnings(model: Model, prompt: ExactPrompt | Failure | None) -> Iterator[PromptWarning]:
    if not model.can.chat:
        says = tr("This model has no chat template, so it can't be used in chat mode.")
        yield PromptWarning(WarningKind.NO_TEMPLATE, says, QuickFix.USE_RAW)
    elif isinstance(prompt, Failure) and prompt.kind != NOTHING:
        yield PromptWarning(WarningKind.REFUSED, prompt.sentence, QuickFix.USE_RAW)
    if end := model.manners.foreign_end:
        says = tr("The template ends answers with {end}, but this model never stops at it: it looks like a base model.")
        yield PromptWarning(WarningKind.BASE_IN_TEMPLATE, says.format(end=end), QuickFix.USE_RAW)
    if isinstance(prompt, ExactPrompt):
        yield from _turn_warnings(model, prompt)


def _turn_warnings(model: Model, prompt: ExactPrompt) -> Iterator[PromptWarning]:
    if prompt.taken_for_special:
        names = ", ".join(sorted({prompt.text[start:end].strip() for start, end in prompt.taken_for_special}))
        says = tr("The model will read {names} in your text as control tokens.").format(names=names)
        yield PromptWarning(WarningKind.CONTROL_TOKENS, says, QuickFix.SHOW_TOKENS)
    if model.manners.cue_missing and not _reply_is_started(prompt):
        says = tr("The template has no generation prompt: the model may continue your message instead of answering.")
        yield PromptWarning(WarningKind.NO_CUE, says, QuickFix.START_REPLY)


def _common_warnings(model: Model, prompt: ExactPrompt, raw: bool) -> Iterator[PromptWarning]:
    if (bos := _doubled_beginning(prompt)) is not None:
        says = tr("The prompt begins with {bos} twice. Models are trained on text that begins with it once.")
        yield PromptWarning(WarningKind.DOUBLE_BOS, says.format(bos=bos), QuickFix.DROP_BOS if raw else None)
    length = len(prompt.ids)
    if model.context is not None and length >= model.context:
        surplus = length - model.context + 1
        says = tr("The prompt has {length} tokens, the context window {context}: remove {surplus} or more.")
        says = says.format(length=f"{length:,}", context=f"{model.context:,}", surplus=f"{surplus:,}")
        yield PromptWarning(WarningKind.TOO_LONG, says, None if raw else QuickFix.DROP_OLDEST)


def _has_template_tokens(prompt: ExactPrompt) -> bool:
    """Return whether raw text contains special tokens after its beginning, like a rendered chat template."""
    return any(span.part is PromptPart.SPECIAL and span.start > 0 for span in prompt.spans)


def _reply_is_started(prompt: ExactPrompt) -> bool:
    asked = max((span.end for span in prompt.spans if span.part in ASKED), default=0)
    return any(span.part is PromptPart.MODEL and span.start >= asked for span in prompt.spans)


def _doubled_beginning(prompt: ExactPrompt) -> str | None:
    """Return the special token with which the prompt begins twice; empty if there is none."""
    if len(prompt.ids) < 2 or prompt.ids[0] != prompt.ids[1] or prompt.spans[0].part is not PromptPart.SPECIAL:
        return None
    start, end = prompt.offsets[0]
    return prompt.text[start:end].strip() if prompt.offsets[1][1] <= prompt.spans[0].end else None
