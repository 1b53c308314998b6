"""Changes of requests for the variants of an experiment."""

from dataclasses import replace

from app.engine.types import ENDLESS, ChatPrompt, Failure, Form, Message, Model, PromptSource, RawPrompt, Request, Role
from app.i18n import tr

SENSIBLE_TOKENS = 256
AWAY = -100.0
"""A logit bias that excludes a token."""


def bounded(request: Request) -> Request:
    """Limit max tokens, since a run until the context is full could take hours."""
    return limited(request, SENSIBLE_TOKENS) if request.limits.max_tokens == ENDLESS else request


def measured(request: Request) -> Request:
    """Turn off recording, drafts and prompt cache reuse, so that runs don't influence each other."""
    request = bounded(request)
    return replace(request, kv=replace(request.kv, enabled=True, reuse=False), observe=0, draft_tokens=0, interval=1)


def endless(request: Request, model: Model) -> Request:
    """Remove EOS tokens, stop strings and output format, so that the run reaches max tokens."""
    ends = tuple((token, AWAY) for token, _ in model.eos)
    kept = tuple(pair for pair in request.sampling.logit_bias if pair[0] not in dict(ends))
    sampling = replace(request.sampling, logit_bias=(*kept, *ends))
    limits = replace(request.limits, stop_strings=(), stop_ids=())
    return replace(request, sampling=sampling, limits=limits, form=Form())


def limited(request: Request, tokens: int) -> Request:
    return replace(request, limits=replace(request.limits, max_tokens=tokens))


def words_of(prompt: PromptSource) -> str | Failure:
    """Return the text of the last question."""
    if isinstance(prompt, RawPrompt):
        return prompt.text
    if isinstance(prompt, ChatPrompt):
        asked = [message.text for message in prompt.messages if message.role is Role.USER]
        return asked[-1] if asked else Failure(tr("The conversation has no prompt."), tr("Write a prompt first."))
    return Failure(
        tr("A prompt of token ids has no text that could be sent again."), tr("Choose a run with a prompt of text.")
    )


def chat(text: str) -> ChatPrompt:
    return ChatPrompt((Message(Role.USER, text),))
