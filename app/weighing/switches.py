"""The command line of `sluice weigh`, checked before a model is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app import ordinary_files
from app.arguments import WEIGH, OneSentenceParser, local_model, refuse
from app.engine.types import ChatPrompt, Failure, Message, RawPrompt, Role
from app.records.session_file import LARGEST_BYTES as LARGEST_SESSION
from app.records.session_file import SUFFIX, read_session

LARGEST_BYTES = 16_000_000


@dataclass(frozen=True, slots=True)
class Switches:
    """What is to be weighed, and with what."""

    prompt: ChatPrompt | RawPrompt
    model: str
    against: str
    json: bool


def parse(arguments: Sequence[str], bundled: Path) -> Switches:
    """The checked switches; leaves the program for --help and whatever is wrong."""
    parser = OneSentenceParser(
        prog=f"sluice {WEIGH}",
        description="Tells how well a model foresees a text and, with --against, how far another model is from it.",
        epilog="A text counts as the model's answer, and of a session its answers count, unless --raw is given.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a text, or a session (.sluice)")
    parser.add_argument("--raw", action="store_true", help="the text as it stands, without the chat template")
    parser.add_argument("--model", default="", metavar="PATH_OR_ID", help="the model; else the bundled one")
    parser.add_argument("--against", default="", metavar="PATH_OR_ID", help="a second model of the same vocabulary")
    parser.add_argument("--json", action="store_true", help="print all of it, each token's figures too")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="taken as by the other commands; nothing is kept")
    given = parser.parse_args(arguments)
    why = "A server does not tell how likely the tokens of a text are"
    models = local_model(given.model, why) or str(bundled), local_model(given.against, why)
    return Switches(_prompt(given.file.expanduser(), given.raw), *models, given.json)


def _prompt(file: Path, raw: bool) -> ChatPrompt | RawPrompt:
    is_session = file.suffix == SUFFIX
    if is_session and raw:
        refuse("A session is a conversation; --raw is for texts")
    try:
        content = ordinary_files.read(file, LARGEST_SESSION if is_session else LARGEST_BYTES)
        if is_session:
            return _conversation(content, file.name)
        text = content.decode("utf-8-sig")
    except OSError as error:
        refuse(f"{file} can't be read ({error.strerror or error})")
    except UnicodeDecodeError:
        refuse(f"{file} is no UTF-8 text")
    if not text:
        refuse(f"{file} is empty")
    return RawPrompt(text) if raw else ChatPrompt((Message(Role.USER, ""),), reply_start=text)


def _conversation(content: bytes, name: str) -> ChatPrompt:
    session = read_session(content, name)
    if isinstance(session, Failure):
        refuse(session.sentence)
    turns = [turn for turn in session.turns if not turn.hidden]
    system = session.settings.system
    first = (Message(Role.SYSTEM, system),) if system else ()
    if not any(turn.role is Role.ASSISTANT and turn.text for turn in turns):
        refuse(f"{name} has no answer in it")
    return ChatPrompt((*first, *(Message(turn.role, turn.text) for turn in turns)))
