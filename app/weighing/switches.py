"""The command line of `sluice weigh`, checked before a model is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app import ordinary_files
from app.arguments import WEIGH, OneSentenceParser, known_adapter, known_model, refuse
from app.engine.remote.address import server_model
from app.engine.types import ChatPrompt, Failure, LoadRequest, Message, RawPrompt, Role
from app.records.session_file import LARGEST_BYTES as LARGEST_SESSION
from app.records.session_file import SUFFIX, read_session

LARGEST_BYTES = 16_000_000


@dataclass(frozen=True, slots=True)
class Switches:
    """What is to be weighed, and with what."""

    prompt: ChatPrompt | RawPrompt
    model: LoadRequest
    against: LoadRequest | None
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
    parser.add_argument("--adapter", default="", metavar="DIR", help="a LoRA or DoRA adapter on the model")
    told = "one on the second model; the same model where none is named"
    parser.add_argument("--against-adapter", default="", metavar="DIR", help=told)
    parser.add_argument("--json", action="store_true", help="print all of it, each token's figures too")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="taken as by the other commands; nothing is kept")
    given = parser.parse_args(arguments)
    model = LoadRequest(known_model(given.model) or str(bundled), adapter=known_adapter(given.adapter))
    against = LoadRequest(known_model(given.against) or model.model, adapter=known_adapter(given.against_adapter))
    for each in (model, against):
        if server_model(each.model) is not None:
            refuse("A server does not tell how likely the tokens of a text are; name a model on this machine")
    second = against if given.against or given.against_adapter else None
    return Switches(_prompt(given.file.expanduser(), given.raw), model, second, given.json)


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
