"""Texts to score: a text file or the answers of a session, the tokens that count, and windows of a long text."""

from dataclasses import dataclass
from pathlib import Path

from app.engine.errors import printable_name
from app.engine.types import ChatPrompt, ExactPrompt, Failure, Message, PromptPart, RawPrompt, Role
from app.files import regular_files
from app.i18n import tr
from app.records.session_file import LARGEST_BYTES as LARGEST_SESSION
from app.records.session_file import SUFFIX, read_session
from app.records.types import WholeSession


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """The tokens of a prompt, and the positions that count: the text's own tokens, or the model's answers."""

    ids: tuple[int, ...]
    counted: tuple[int, ...]
    bytes: int
    """UTF-8 bytes of the counted tokens."""


@dataclass(frozen=True, slots=True)
class TokenWindow:
    """Positions `start` to `end` of the tokens, scored together. Earlier windows scored those before `fresh`."""

    start: int
    fresh: int
    end: int


def passage(prompt: ExactPrompt, most: int | None = None) -> ScoredPassage:
    """Return the tokens that count, at the `most` this many. The first token never counts: it has no context."""
    part = PromptPart.USER if prompt.raw else PromptPart.MODEL
    within = bytearray(len(prompt.text))
    for span in prompt.spans:
        if span.part is part:
            within[span.start : span.end] = bytes([1]) * (span.end - span.start)
    counted = tuple(
        position for position, (start, end) in enumerate(prompt.offsets) if position and any(within[start:end])
    )
    counted = counted[:most]
    weighed = bytearray(len(prompt.text))
    for position in counted:
        start, end = prompt.offsets[position]
        weighed[start:end] = within[start:end]
    text = "".join(letter for letter, there in zip(prompt.text, weighed, strict=True) if there)
    return ScoredPassage(prompt.ids, counted, len(text.encode("utf-8", "surrogatepass")))


def windows(length: int, context: int | None) -> tuple[TokenWindow, ...]:
    """Split `length` tokens into windows of `context` tokens. Each starts half a context later. None: no limit."""
    if context is None or length <= context:
        return (TokenWindow(0, 0, length),)
    found = [TokenWindow(0, 0, context)]
    while found[-1].end < length:
        start = found[-1].start + max(1, context // 2)
        found.append(TokenWindow(start, found[-1].end, min(start + context, length)))
    return tuple(found)


LARGEST_BYTES = 16_000_000
OTHER = tr("Choose another file.")


def read(file: Path) -> str | ChatPrompt | Failure:
    """Return the text of a file, or the conversation of a session file."""
    name = printable_name(file.name)
    is_session = file.suffix == SUFFIX
    try:
        content = regular_files.read(file, LARGEST_SESSION if is_session else LARGEST_BYTES)
        if is_session:
            session = read_session(content, name)
            return session if isinstance(session, Failure) else conversation(session, name)
        text = content.decode("utf-8-sig")
    except OSError as error:
        what = tr("“{name}” could not be read: {why}.").format(name=name, why=error.strerror or error)
        return Failure(what, OTHER, str(error), "file")
    except UnicodeDecodeError:
        return Failure(tr("“{name}” isn't UTF-8 text.").format(name=name), OTHER, kind="file")
    return text or Failure(tr("“{name}” is empty.").format(name=name), OTHER, kind="file")


def conversation(session: WholeSession, name: str) -> ChatPrompt | Failure:
    """Return the turns of the main branch."""
    turns = [turn for turn in session.turns if not turn.hidden]
    system = session.settings.system
    first = (Message(Role.SYSTEM, system),) if system else ()
    if not any(turn.role is Role.ASSISTANT and turn.text for turn in turns):
        return Failure(tr("“{name}” has no answers.").format(name=name), OTHER, kind="file")
    return ChatPrompt((*first, *(Message(turn.role, turn.text) for turn in turns)))


def prompt_of(text: str, raw: bool) -> ChatPrompt | RawPrompt:
    """Return the text as a raw prompt, or as the model's answer."""
    return RawPrompt(text) if raw else ChatPrompt((Message(Role.USER, ""),), reply_start=text)
