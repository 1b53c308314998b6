"""Renders a conversation in a form that its chat template accepts, and finds the messages in the text."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise
from typing import Any, Protocol

from app.engine.errors import DETAILS_LIMIT
from app.engine.templates.arguments import template_text
from app.engine.templates.process import TemplateEndedError
from app.engine.templates.rendering import TEMPLATES, TemplateRefusedError
from app.engine.text import Tokenizer
from app.engine.tools import template_messages, tools_of
from app.engine.types import (
    Argument,
    ChatPrompt,
    Failure,
    Message,
    PromptPart,
    PromptSpan,
    Role,
    TemplateCall,
    ToolCall,
)
from app.i18n import tr


@dataclass(frozen=True, slots=True)
class MessageSpan:
    """Text of a message before rendering."""

    part: PromptPart
    text: str

    def as_written(self) -> tuple[str, ...]:
        text = self.text
        return text, text.strip(), text.rstrip(), text.lstrip(), text.lstrip("\n")


def find_words(
    text: str, said: Sequence[MessageSpan], skeleton: str = "", stand_ins: Sequence[str] = ()
) -> tuple[PromptSpan, ...]:
    """Return the range of each message in `text`.

    `skeleton` is the same prompt with placeholders. Text between the placeholders is the template's, so text between
    the same pieces of `text` is a message, even if it equals template text. Without a matching skeleton, messages are
    searched in order.
    """
    aligned = _align(text, said, skeleton, stand_ins) if stand_ins else None
    return tuple(_search(text, said) if aligned is None else aligned)


def _align(text: str, said: Sequence[MessageSpan], skeleton: str, stand_ins: Sequence[str]) -> list[PromptSpan] | None:
    # Computed once, because an untrusted template may repeat a placeholder many times.
    known = ((mark, words) for mark, words in zip(stand_ins, said, strict=True) if mark.strip())
    words_of = {mark: (words.part, words.as_written()) for mark, words in known}
    marks = "|".join(map(re.escape, words_of))
    first, *pieces = re.split(f"({marks})", skeleton) if marks else [skeleton]
    if not text.startswith(first):
        return None
    spans: list[PromptSpan] = []
    start = len(first)
    for mark, literal in zip(pieces[::2], pieces[1::2], strict=True):
        last = len(spans) == len(pieces) // 2 - 1
        part, forms = words_of[mark]
        end = _end_of(forms, text, start, literal, last)
        if end is None:
            return None
        spans.append(PromptSpan(part, start, end))
        start = end + len(literal)
    return spans if start == len(text) else None


def _end_of(forms: Sequence[str], text: str, start: int, literal: str, last: bool) -> int | None:
    """Return the end of the message that starts at `start` and is followed by the template text `literal`."""
    for form in forms:
        end = start + len(form)
        if text.startswith(form, start) and (text[end:] == literal if last else text.startswith(literal, end)):
            return end
    if last:
        end = len(text) - len(literal)
        return end if end >= start and text.endswith(literal) else None
    end = text.find(literal, start) if literal else -1
    return end if end >= 0 else None


def _search(text: str, said: Iterable[MessageSpan]) -> list[PromptSpan]:
    spans, start = [], 0
    for words in said:
        form = words.text.strip()
        found = text.find(form, start) if form else -1
        if found >= 0:
            start = found + len(form)
            spans.append(PromptSpan(words.part, found, start))
    return spans


def cover(length: int, words: Iterable[PromptSpan], special: Iterable[tuple[int, int]]) -> tuple[PromptSpan, ...]:
    """Return spans without gaps: special tokens over messages over template text."""
    parts = [PromptPart.TEMPLATE] * length
    for span in words:
        parts[span.start : span.end] = [span.part] * (span.end - span.start)
    for start, end in special:
        parts[start:end] = [PromptPart.SPECIAL] * (end - start)
    borders = [0, *(index for index in range(1, length) if parts[index] is not parts[index - 1]), length]
    return tuple(PromptSpan(parts[start], start, end) for start, end in pairwise(borders) if end > start)


KIND = "prompt"
PART_OF = {
    Role.SYSTEM: PromptPart.SYSTEM,
    Role.USER: PromptPart.USER,
    Role.ASSISTANT: PromptPart.MODEL,
    Role.TOOL: PromptPart.USER,
}
BETWEEN = "\n\n"
"""Separates texts that share a turn."""


class ChatTokenizer(Tokenizer, Protocol):
    """The part of mlx-lm's `TokenizerWrapper` that is needed for chats."""

    chat_template: str | dict[str, str] | None
    has_chat_template: bool
    has_thinking: bool
    think_start: str | None
    think_end: str | None
    bos_token: str | None
    bos_token_id: int | None

    def apply_chat_template(self, conversation: list[dict[str, Any]], *, tokenize: bool, **options: object) -> str: ...


@dataclass(frozen=True, slots=True)
class TemplateTurn:
    """One turn for the template; folding and merging can put several messages into it."""

    role: Role
    words: tuple[MessageSpan, ...]
    calls: tuple[ToolCall, ...] = ()


Turns = tuple[TemplateTurn, ...]
Options = Mapping[str, Argument]
NO_TOOLS: dict[str, object] = {"tools": []}


@dataclass(frozen=True, slots=True)
class RenderedPrompt:
    text: str
    words: tuple[PromptSpan, ...]
    call: TemplateCall
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TemplateAttempt:
    """One way to call the template: turns, and whether the template continues the reply."""

    turns: Turns
    reply: MessageSpan | None
    by_template: bool
    notes: tuple[str, ...] = ()
    empty_tools: bool = False
    tools: str = ""

    def words(self) -> tuple[MessageSpan, ...]:
        said = tuple(words for turn in self.turns for words in turn.words)
        return said if self.reply is None else (*said, self.reply)


def render_chat(prompt: ChatPrompt, tokenizer: ChatTokenizer) -> RenderedPrompt | Failure:
    """Render a conversation with the fewest changes that the template accepts."""
    try:
        return _rendered(prompt, tokenizer)
    except TemplateEndedError as ended:
        return ended.failure


def _rendered(prompt: ChatPrompt, tokenizer: ChatTokenizer) -> RenderedPrompt | Failure:
    tools_of(prompt.tools)
    arguments, notes = _known_arguments(prompt, tokenizer)
    best = _best(prompt, tokenizer, arguments)
    if isinstance(best, Exception):
        # Some templates iterate over the tools without a check that there are any.
        without = _best(prompt, tokenizer, arguments, empty_tools=True)
        if isinstance(without, Exception):
            return _refused(prompt, best)
        note = tr("The template doesn't work without tools, so an empty list of tools was passed.")
        best, notes = without, (*notes, note)
    return replace(best, notes=(*notes, *best.notes))


def _best(
    prompt: ChatPrompt, tokenizer: ChatTokenizer, options: Options, empty_tools: bool = False
) -> RenderedPrompt | Exception:
    """Return the first result with all messages, else the first result, else the first error."""
    lossy: RenderedPrompt | None = None
    refusal: Exception | None = None
    for attempt in _attempts(prompt, tokenizer.think_start if tokenizer.has_thinking else None):
        try:
            rendered, lost = _render(replace(attempt, empty_tools=empty_tools), tokenizer, options)
        except Exception as error:  # an untrusted template may raise anything
            refusal = refusal or error.with_traceback(None)
            continue
        if not lost:
            return rendered
        lossy = lossy or replace(rendered, notes=(*rendered.notes, *map(_lost_note, lost)))
    return lossy or refusal or ValueError("The template wrote nothing.")


def _render(
    attempt: TemplateAttempt, tokenizer: ChatTokenizer, options: Options
) -> tuple[RenderedPrompt, list[MessageSpan]]:
    said = attempt.words()
    text, call = _apply(attempt, tokenizer, options, [words.text for words in said])
    stand_ins = _placeholders(said, attempt.reply, text)
    try:
        skeleton, _ = _apply(attempt, tokenizer, options, stand_ins)
    except Exception:  # it accepts the messages but not the placeholders: search the messages in the text
        return RenderedPrompt(text, find_words(text, said), call, attempt.notes), []
    spans = find_words(text, said, skeleton, stand_ins)
    lost = [words for words, mark in zip(said, stand_ins, strict=True) if words.text.strip() and mark not in skeleton]
    return RenderedPrompt(text, spans, call, attempt.notes), lost


def _apply(
    attempt: TemplateAttempt, tokenizer: ChatTokenizer, options: Options, texts: Sequence[str]
) -> tuple[str, TemplateCall]:
    left = iter(texts)
    messages = [Message(turn.role, BETWEEN.join(next(left) for _ in turn.words), turn.calls) for turn in attempt.turns]
    reply = next(left, None)
    continues = reply is not None and attempt.by_template
    if reply is not None and continues:
        messages.append(Message(Role.ASSISTANT, reply))
    call = TemplateCall(tuple(messages), tuple(options.items()), continues, attempt.empty_tools, tools=attempt.tools)
    written = _ask(call, tokenizer)
    if reply is None:
        return written, call
    kept, added = _split_reply(written, reply, attempt, tokenizer.think_start)
    dropped = written[len(kept) :]
    return kept + added, call if dropped == added else replace(call, dropped=dropped, added=added)


def _ask(call: TemplateCall, tokenizer: ChatTokenizer) -> str:
    messages = template_messages(call.messages)
    options: dict[str, object] = dict(call.arguments) | (NO_TOOLS if call.empty_tools else {})
    if call.tools:
        options["tools"] = tools_of(call.tools)
    options["continue_final_message" if call.continues else "add_generation_prompt"] = True
    return tokenizer.apply_chat_template(messages, tokenize=False, **options)


def _split_reply(written: str, reply: str, attempt: TemplateAttempt, think_start: str | None) -> tuple[str, str]:
    """Return the template's text without the part to replace, and the reply text to append."""
    if not attempt.by_template:
        return _before_reply(written, attempt, think_start), reply
    kept, words = written.rstrip(), reply.rstrip()
    if not kept.endswith(words):
        raise ValueError("The template changes the beginning of the reply.")
    return kept, reply[len(words) :]


def _before_reply(text: str, attempt: TemplateAttempt, think_start: str | None) -> str:
    """Return the prompt before a reply, without an open reasoning section if the reply begins with its own."""
    opened = text.rstrip()
    opens = attempt.reply is not None and think_start and attempt.reply.text.lstrip().startswith(think_start)
    return opened.removesuffix(think_start) if opens and think_start and opened.endswith(think_start) else text


def _placeholders(said: Sequence[MessageSpan], reply: MessageSpan | None, text: str) -> list[str]:
    """Return a unique placeholder for each message. Empty turns stay empty, since templates test for that."""
    taken = set(re.findall("stand([0-9]+)in", text))
    nonce = next(number for number in count() if str(number) not in taken)
    return [
        f"stand{nonce}in{index}x" if words.text.strip() or words is reply else words.text
        for index, words in enumerate(said)
    ]


def _attempts(prompt: ChatPrompt, think_start: str | None) -> Iterator[TemplateAttempt]:
    """Yield attempts, from the unchanged conversation to the most adapted one."""
    reply = MessageSpan(PromptPart.MODEL, prompt.reply_start) if prompt.reply_start else None
    # Templates that close the reasoning of past turns would also close an open one in the reply prefix.
    reasons = bool(think_start) and str(think_start) in prompt.reply_start
    ways = (False,) if reply is None or not prompt.reply_start.strip() else (False, True) if reasons else (True, False)
    for by_template in ways:
        for turns, notes in _shapes(prompt):
            yield TemplateAttempt(turns, reply, by_template, notes, tools=prompt.tools)


def _shapes(prompt: ChatPrompt) -> Iterator[tuple[Turns, tuple[str, ...]]]:
    plain = tuple(TemplateTurn(m.role, (MessageSpan(PART_OF[m.role], m.text),), m.calls) for m in prompt.messages)
    folded, merged = fold_system(plain), merge_turns(plain)
    fold = tr("This template doesn't support this system message: it became part of a user turn.")
    merge = tr("This template requires alternating roles: adjacent turns of one role were merged.")
    yield plain, ()
    if folded != plain:
        yield folded, (fold,)
    if merged != plain:
        yield merged, (merge,)
    if folded != plain and (both := merge_turns(folded)) != folded:
        yield both, (fold, merge)


def fold_system(turns: Turns) -> Turns:
    """Move system messages into the next user turn, or into a new user turn."""
    result: list[TemplateTurn] = []
    waiting: tuple[MessageSpan, ...] = ()
    for turn in turns:
        if turn.role is Role.SYSTEM:
            waiting += turn.words
            continue
        if turn.role is Role.USER:
            turn, waiting = TemplateTurn(Role.USER, waiting + turn.words), ()
        elif waiting:
            result.append(TemplateTurn(Role.USER, waiting))
            waiting = ()
        result.append(turn)
    return (*result, TemplateTurn(Role.USER, waiting)) if waiting else tuple(result)


def merge_turns(turns: Turns) -> Turns:
    result: list[TemplateTurn] = []
    for turn in turns:
        if result and result[-1].role is turn.role and not (turn.calls or result[-1].calls or turn.role is Role.TOOL):
            turn = TemplateTurn(turn.role, result.pop().words + turn.words)
        result.append(turn)
    return tuple(result)


def _known_arguments(prompt: ChatPrompt, tokenizer: ChatTokenizer) -> tuple[dict[str, Argument], tuple[str, ...]]:
    if not prompt.arguments:
        return {}, ()
    known = {argument.name for argument in TEMPLATES.inspect(template_text(tokenizer.chat_template))}
    passed: dict[str, Argument] = {name: value for name, value in prompt.arguments if name in known}
    left_out = tr("The template doesn't read “{name}”: it was left out.")
    return passed, tuple(left_out.format(name=name) for name, _ in prompt.arguments if name not in known)


def _lost_note(words: MessageSpan) -> str:
    said = {
        PromptPart.SYSTEM: tr("The template leaves out a system message: “{start}”."),
        PromptPart.USER: tr("The template leaves out a user turn: “{start}”."),
        PromptPart.MODEL: tr("The template leaves out a turn of the model: “{start}”."),
    }[words.part]
    line = words.text.strip().splitlines()[0]
    return said.format(start=line[:40] + ("…" if len(line) > 40 else ""))


def _refused(prompt: ChatPrompt, error: Exception | None) -> Failure:
    kind = error.kind if isinstance(error, TemplateRefusedError) else type(error).__name__
    details = "" if error is None else f"{kind}: {error}"[:DETAILS_LIMIT]
    template_messages = [message.role for message in prompt.messages if message.role is not Role.SYSTEM]
    if template_messages and template_messages[0] is Role.ASSISTANT:
        what = tr("This model's chat template requires the first turn to be a user turn.")
        return Failure(what, tr("Put a user turn first, or switch Mode to Raw."), details, KIND)
    if kind == "TemplateSyntaxError":
        what = tr("This model's chat template has an error and can't be used.")
        return Failure(what, tr("Switch Mode to Raw, or use another copy of the model."), details, KIND)
    if kind == "SecurityError":
        what = tr("This model's chat template accesses forbidden objects, so it was stopped.")
        return Failure(what, tr("Switch Mode to Raw, or use another copy of the model."), details, KIND)
    what = tr("This model's chat template refuses this conversation.")
    return Failure(what, tr("Change the turns as the details say, or switch Mode to Raw."), details, KIND)
