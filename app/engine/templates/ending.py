"""Checks the text that a chat template adds around question and answer, and whether the model stops at it."""

from typing import Protocol

from app.engine.prompt import render
from app.engine.templates.arguments import template_text
from app.engine.templates.template import ChatTokenizer
from app.engine.types import ChatPrompt, ExactPrompt, Message, Part, Role, TemplateIssues

QUESTION, ANSWER = Message(Role.USER, "Ask"), Message(Role.ASSISTANT, "Say")


class EndingTokenizer(ChatTokenizer, Protocol):
    """A tokenizer with the stop tokens of the model."""

    eos_token_ids: set[int]


def template_issues(tokenizer: EndingTokenizer) -> TemplateIssues:
    """Render a question with and without an answer, and compare."""
    asked = render(ChatPrompt((QUESTION,)), tokenizer)
    if not isinstance(asked, ExactPrompt):
        return TemplateIssues()
    answered = render(ChatPrompt((QUESTION, ANSWER, QUESTION)), tokenizer)
    if not isinstance(answered, ExactPrompt):
        return TemplateIssues()
    return TemplateIssues(_foreign_end(answered, tokenizer), _cue_missing(asked, answered))


def _foreign_end(answered: ExactPrompt, tokenizer: EndingTokenizer) -> str:
    end = _first_special_after(answered, Part.MODEL)
    if end is None or end[0] in tokenizer.eos_token_ids:
        return ""
    template = template_text(tokenizer.chat_template)
    names = [
        tokenizer.decode([token], skip_special_tokens=False, clean_up_tokenization_spaces=False)
        for token in tokenizer.eos_token_ids
    ]
    return "" if "eos_token" in template or any(name in template for name in names) else end[1]


def _first_special_after(prompt: ExactPrompt, part: Part) -> tuple[int, str] | None:
    """Return the token after a message, if it is a special token."""
    words = [index for index, span in enumerate(prompt.spans) if span.part is part]
    following = prompt.spans[words[0] + 1] if words and words[0] + 1 < len(prompt.spans) else None
    if following is None or following.part is not Part.SPECIAL:
        return None
    for token, (start, end) in zip(prompt.ids, prompt.offsets, strict=True):
        if start >= following.start:
            return token, prompt.text[start:end].strip()
    return None


def _cue_missing(asked: ExactPrompt, answered: ExactPrompt) -> bool:
    """Return whether the template begins an answer with text that its generation prompt lacks."""
    question = max((span.end for span in asked.spans if span.part is Part.USER), default=0)
    cue = asked.text[question:].strip()
    first = next((span.end for span in answered.spans if span.part is Part.USER), 0)
    answer = next((span.start for span in answered.spans if span.part is Part.MODEL), 0)
    opening = answered.text[first:answer].strip()
    return cue != opening and opening.startswith(cue)
