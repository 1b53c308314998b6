"""Texts to score: a text file, or the answers of a session."""

from pathlib import Path

from app.engine.errors import named
from app.engine.types import ChatPrompt, Failure, Message, RawPrompt, Role
from app.files import regular_files
from app.i18n import tr
from app.records.session_file import LARGEST_BYTES as LARGEST_SESSION
from app.records.session_file import SUFFIX, read_session
from app.records.types import WholeSession

LARGEST_BYTES = 16_000_000
OTHER = tr("Choose another file.")


def read(file: Path) -> str | ChatPrompt | Failure:
    """Return the text of a file, or the conversation of a session file."""
    name = named(file.name)
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
