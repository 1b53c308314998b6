"""The next turn's cost: tokens of earlier turns that are prefilled again because the chat template rewrites them."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from app.engine.templates.rendering import TEMPLATES
from app.engine.types import (
    ArgumentKind,
    CacheMissReason,
    ChatPrompt,
    ExactPrompt,
    Failure,
    Model,
    PromptPart,
    Reusable,
    Rewrite,
)

LEAST_AGAIN = 16
"""Fewer tokens are prefilled as fast as a single one."""
LEAST_SAVED = 0.5
"""Minimum share of these tokens that another template argument has to save."""
MOST_TRIED = 8

Look = Callable[[ChatPrompt], tuple[ExactPrompt | Failure, Reusable]]
"""Renders a prompt, and returns what of it is cached."""


class RewriteFinder:
    """Finds rewrites. It tries other template arguments once for each conversation, not for each typed letter."""

    def __init__(self) -> None:
        self._tried: object = None
        self._argument: tuple[str, bool] | None = None

    def find(
        self, source: ChatPrompt, prompt: ExactPrompt, found: Reusable, model: Model, look: Look
    ) -> Rewrite | None:
        """Return what the template rewrites; None if the prompt continues the cached conversation."""
        earlier = earlier_tokens(prompt)
        again, is_miss = earlier - found.count, found.hindrance in (CacheMissReason.DIFFERS, CacheMissReason.STUCK)
        if not is_miss or found.same >= earlier or again < LEAST_AGAIN:
            return None
        asked = (source.messages[:-1], source.arguments, source.tools, found.count, model.folder)
        line = _line(prompt, prompt.offsets[found.same][0])
        if asked != self._tried:
            self._tried, self._argument = asked, _best_argument(source, found, model, again, look)
            look(source)  # the run reuses the prompt that was rendered last
        seconds = again / found.prefill_speed if found.prefill_speed > 0 else None
        return Rewrite(again, seconds, line, self._argument)


def earlier_tokens(prompt: ExactPrompt) -> int:
    """Return the number of tokens before the last user turn."""
    start = max((span.start for span in prompt.spans if span.part is PromptPart.USER), default=0)
    return sum(end <= start for _, end in prompt.offsets)


def _line(prompt: ExactPrompt, position: int) -> int | None:
    call = prompt.call
    rendered = prompt.text if call is None else prompt.text.removesuffix(call.added) + call.dropped
    return TEMPLATES.line_at(rendered, position)


def _best_argument(
    source: ChatPrompt, found: Reusable, model: Model, again: int, look: Look
) -> tuple[str, bool] | None:
    """Return the switch of the template with which most tokens stay cached."""
    best, most = None, found.count + again * LEAST_SAVED
    for name, value in _switches(source, model):
        arguments = (*(each for each in source.arguments if each[0] != name), (name, value))
        prompt, other = look(replace(source, arguments=arguments))
        if isinstance(prompt, ExactPrompt) and other.count > most:
            best, most = (name, value), other.count
    return best


def _switches(source: ChatPrompt, model: Model) -> Iterator[tuple[str, bool]]:
    current = dict(source.arguments)
    names = [each.name for each in model.template_arguments if each.kind is ArgumentKind.SWITCH]
    pairs = [(name, value) for name in names for value in (True, False) if current.get(name) is not value]
    yield from pairs[:MOST_TRIED]
