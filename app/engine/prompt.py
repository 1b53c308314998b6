"""The exact prompt: text and ids of what would be sent, and whether the template fits the model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from app.engine.errors import NOTHING, UserError, without_panic
from app.engine.templates.arguments import template_text
from app.engine.templates.template import KIND, ChatTokenizer, cover, render_chat
from app.engine.text import TokenDecoder
from app.engine.types import (
    ChatPrompt,
    ExactPrompt,
    Failure,
    Message,
    PromptPart,
    PromptSource,
    PromptSpan,
    RawPrompt,
    ReplyPrefix,
    Role,
    TemplateIssues,
    TokenPrompt,
)
from app.i18n import tr

Offsets = tuple[tuple[int, int], ...]
LONGEST_TEXT = 32_000_000
"""Characters; five times as much as fits into a context window of a million tokens."""
ANCHORS = ("\n", "(")
ASKED = (PromptPart.SYSTEM, PromptPart.USER)
"""Spans with text of the user."""


def render(source: PromptSource, tokenizer: ChatTokenizer) -> ExactPrompt | Failure:
    """Return the prompt, or a failure if it can't be rendered."""
    if not _is_text(source):
        what = tr("The prompt contains half of a surrogate pair, which is not a character.")
        return Failure(what, tr("Type this character again: it was cut when it was copied."), kind=KIND)
    try:
        with without_panic():
            return _rendered(source, tokenizer)
    except UserError as refused:
        return refused.failure
    except Exception as error:  # an untrusted tokenizer may raise anything
        details = f"{type(error).__name__}: {error}"
        return Failure(tr("The tokenizer can't read this prompt."), tr("Try another text or model."), details, KIND)


def _rendered(source: PromptSource, tokenizer: ChatTokenizer) -> ExactPrompt | Failure:
    match source:
        case RawPrompt(text):
            return _without_channels(_encode_raw(text, tokenizer))
        case TokenPrompt(ids, begun, raw):
            exact = _prompt_of_ids(ids, tokenizer) if begun is None else _with_reply_prefix(ids, begun, tokenizer)
            return _without_channels(exact) if raw else exact
        case ChatPrompt():
            return _chat(source, tokenizer)


def _without_channels(exact: ExactPrompt | Failure) -> ExactPrompt | Failure:
    return replace(exact, raw=True, opens_reasoning=False) if isinstance(exact, ExactPrompt) else exact


def _encode_raw(text: str, tokenizer: ChatTokenizer) -> ExactPrompt | Failure:
    """Encode raw text with the tokenizer's BOS, but without a second one."""
    ids, offsets = _encode(text, tokenizer)
    bos = _bos(tokenizer)
    own_bos = bos is not None and ids[:1] == (bos[0],)
    if bos is not None and not own_bos:
        size = len(bos[1])
        text, ids = bos[1] + text, (bos[0], *ids)
        offsets = ((0, size), *((start + size, end + size) for start, end in offsets))
    if not ids:
        return _nothing(text)
    words = (PromptSpan(PromptPart.USER, 0, len(text)),)
    notes = (tr("The text already begins with the BOS token, so none was added."),) if own_bos else ()
    return _exact(text, ids, offsets, words, tokenizer, notes)


def _prompt_of_ids(ids: tuple[int, ...], tokenizer: ChatTokenizer) -> ExactPrompt | Failure:
    """Build a prompt from ids. The origin of their text is unknown."""
    if not ids:
        return _nothing()
    text, offsets = _spelled(ids, tokenizer)
    return _exact(text, ids, offsets, (), tokenizer)


def _with_reply_prefix(ids: tuple[int, ...], begun: ReplyPrefix, tokenizer: ChatTokenizer) -> ExactPrompt | Failure:
    spelling = TokenDecoder(tokenizer)
    ids += _ids_after_text(begun.text, ids, tokenizer, spelling) if begun.text else ()
    if len(ids) <= begun.start:
        return _nothing(begun.text)
    exact = _prompt_of_ids(ids, tokenizer)
    if isinstance(exact, Failure):
        return exact
    texts = _texts_of(ids[begun.start :], ids[: begun.start], spelling)
    return replace(exact, begun=texts, opens_reasoning=begun.reasoning)


def _ids_after_text(
    text: str, before: tuple[int, ...], tokenizer: ChatTokenizer, spelling: TokenDecoder
) -> tuple[int, ...]:
    """Return the ids of a text that follows other text. Some tokenizers put a space before every text."""
    plain = _ids(text, tokenizer)
    for anchor in ("", *ANCHORS):
        ids = _ids(anchor + text, tokenizer)[len(_ids(anchor, tokenizer)) :]
        if "".join(_texts_of(ids, before, spelling)) == text:
            return ids
    return plain


def _texts_of(ids: Sequence[int], before: Sequence[int], spelling: TokenDecoder) -> tuple[str, ...]:
    """Return the text of each id after other ids; empty for an id that only begins a character."""
    stream = spelling.stream(before)
    return tuple(stream.add(token_id) for token_id in ids)


def _chat(prompt: ChatPrompt, tokenizer: ChatTokenizer) -> ExactPrompt | Failure:
    if not tokenizer.has_chat_template:
        what = tr("This model has no chat template, so it can't be used in chat mode.")
        return Failure(what, tr("Switch Mode to Raw, and write the complete prompt yourself."), kind=KIND)
    if not prompt.messages and not prompt.reply_start:
        return _nothing()
    rendered = render_chat(prompt, tokenizer)
    if isinstance(rendered, Failure):
        return rendered
    text, words = rendered.text, rendered.words
    ids, offsets = _encode(text, tokenizer)
    if not ids:
        return _nothing(text)
    asked = max((span.end for span in words if span.part in ASKED), default=0)
    exact = _exact(text, ids, offsets, words, tokenizer, rendered.notes, asked)
    taken = _special_ranges(words, _special_indices(ids, offsets, tokenizer))
    return replace(exact, taken_for_special=taken, call=rendered.call)


def _nothing(text: str = "") -> Failure:
    if text:
        return Failure(tr("The tokenizer removes all of this text."), tr("Type something else."), kind=KIND)
    return Failure(tr("There is nothing to send."), tr("Type something first."), kind=NOTHING)


def _exact(
    text: str,
    ids: tuple[int, ...],
    offsets: Offsets,
    words: Sequence[PromptSpan],
    tokenizer: ChatTokenizer,
    notes: tuple[str, ...] = (),
    asked: int = 0,
) -> ExactPrompt:
    """Build the prompt. Only text after the offset `asked` can open a reasoning section."""
    spans = cover(len(text), words, _special_indices(ids, offsets, tokenizer))
    return ExactPrompt(text, ids, offsets, spans, notes, opens_reasoning=_opens_reasoning(text[asked:], tokenizer))


def _opens_reasoning(text: str, tokenizer: ChatTokenizer) -> bool:
    start, end = tokenizer.think_start, tokenizer.think_end
    return tokenizer.has_thinking and text.rfind(start or "") > text.rfind(end or "")


def _encode(text: str, tokenizer: ChatTokenizer) -> tuple[tuple[int, ...], Offsets]:
    ids = _ids(text, tokenizer)
    backend: Any = getattr(tokenizer, "backend_tokenizer", None)
    # A batch of one, since only batches release the GIL.
    encoding = None if backend is None else backend.encode_batch([text], add_special_tokens=False)[0]
    if encoding is not None and tuple(encoding.ids) == ids:
        return ids, tuple(encoding.offsets)
    return ids, tuple((min(start, len(text)), min(end, len(text))) for start, end in _spelled(ids, tokenizer)[1])


def _ids(text: str, tokenizer: ChatTokenizer) -> tuple[int, ...]:
    if len(text) > LONGEST_TEXT:
        raise UserError(tr("This text is too long for the model's tokenizer."), tr("Shorten it."), kind=KIND)
    return tuple(tokenizer.encode(text, add_special_tokens=False, verbose=False))


def _spelled(ids: Sequence[int], tokenizer: ChatTokenizer) -> tuple[str, Offsets]:
    """Return the text of ids and the character range of each. The token that begins a character gets it."""
    stream = TokenDecoder(tokenizer).stream()
    text, starts, ends = "", [], []
    for token_id in ids:
        piece = stream.add(token_id)
        starts.append(len(text))
        text += piece
        ends.append(len(text) if piece else len(text) + 1)
    left, cut = stream.finish()
    text += left + ("\ufffd" if cut else "")
    return text, tuple((start, min(end, len(text))) for start, end in zip(starts, ends, strict=True))


def _bos(tokenizer: ChatTokenizer) -> tuple[int, str] | None:
    """Return the BOS that this tokenizer adds by itself."""
    token_id, token = tokenizer.bos_token_id, tokenizer.bos_token
    if token_id is None or token is None:
        return None
    adds = tokenizer.encode("a", add_special_tokens=True, verbose=False)[:1] == [token_id]
    return (token_id, token) if adds else None


def _special_indices(ids: Sequence[int], offsets: Offsets, tokenizer: ChatTokenizer) -> list[tuple[int, int]]:
    added: Mapping[int, Any] = getattr(tokenizer, "added_tokens_decoder", {})
    known = {token_id for token_id, token in added.items() if token.special}
    known |= {*getattr(tokenizer, "all_special_ids", ()), *getattr(tokenizer, "eos_token_ids", ())}
    return [offset for token_id, offset in zip(ids, offsets, strict=True) if token_id in known]


def _special_ranges(words: Sequence[PromptSpan], special: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    asked = [span for span in words if span.part in ASKED]
    return tuple(offset for offset in special if any(span.start <= offset[0] < span.end for span in asked))


def _is_text(source: PromptSource) -> bool:
    match source:
        case RawPrompt(text):
            texts = [text]
        case ChatPrompt(messages, reply_start, arguments):
            values = [value for _, value in arguments if isinstance(value, str)]
            texts = [*(message.text for message in messages), reply_start, *values]
        case TokenPrompt(_, ReplyPrefix() as begun):
            texts = [begun.text]
        case _:
            texts = []
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return True


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
    end = _first_special_after(answered, PromptPart.MODEL)
    if end is None or end[0] in tokenizer.eos_token_ids:
        return ""
    template = template_text(tokenizer.chat_template)
    names = [
        tokenizer.decode([token], skip_special_tokens=False, clean_up_tokenization_spaces=False)
        for token in tokenizer.eos_token_ids
    ]
    return "" if "eos_token" in template or any(name in template for name in names) else end[1]


def _first_special_after(prompt: ExactPrompt, part: PromptPart) -> tuple[int, str] | None:
    words = [index for index, span in enumerate(prompt.spans) if span.part is part]
    following = prompt.spans[words[0] + 1] if words and words[0] + 1 < len(prompt.spans) else None
    if following is None or following.part is not PromptPart.SPECIAL:
        return None
    for token, (start, end) in zip(prompt.ids, prompt.offsets, strict=True):
        if start >= following.start:
            return token, prompt.text[start:end].strip()
    return None


def _cue_missing(asked: ExactPrompt, answered: ExactPrompt) -> bool:
    """Return whether the template begins an answer with text that its generation prompt lacks."""
    question = max((span.end for span in asked.spans if span.part is PromptPart.USER), default=0)
    cue = asked.text[question:].strip()
    first = next((span.end for span in answered.spans if span.part is PromptPart.USER), 0)
    answer = next((span.start for span in answered.spans if span.part is PromptPart.MODEL), 0)
    opening = answered.text[first:answer].strip()
    return cue != opening and opening.startswith(cue)
