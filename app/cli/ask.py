"""`sluice ask`: one answer, held to a form where one is given, for a script or a check, with no display."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from app.cli import runner
from app.cli.arguments import ASK, OneSentenceParser, known_adapter, known_model, refuse
from app.engine.clamping import LONGEST_FORM
from app.engine.errors import AbortedError
from app.engine.protocol import Collect, Engine, StopFlag
from app.engine.remote.address import server_model
from app.engine.sampling import check
from app.engine.types import (
    ENDLESS,
    Channel,
    ChatPrompt,
    Event,
    Failure,
    Finish,
    Form,
    FormKind,
    Limits,
    LoadRequest,
    Message,
    RawPrompt,
    Reason,
    Request,
    Role,
    Sampling,
    Token,
    VisibleText,
)
from app.files import regular_files

MOST_TOKENS = 2**31
"""No vocabulary has more."""


def main(arguments: Sequence[str], engine_of: Callable[[Collect], Engine], bundled: Path) -> int:
    """The exit code: 0 answered, 1 it could not be, 2 wrong arguments, 130 interrupted."""
    given = _parsed(arguments)
    request, events = _request(given), list[Event]()

    def work(engine: Engine, stop: StopFlag) -> None:
        wanted = LoadRequest(known_model(given.model) or str(bundled), adapter=known_adapter(given.adapter))
        model = runner.certain(engine.load(wanted, lambda event: None, stop), stop)
        raw = isinstance(request.prompt, ChatPrompt) and not model.can.chat
        asked = replace(request, prompt=RawPrompt(given.prompt)) if raw else request
        if given.think_budget != ENDLESS and not model.can.think_budget:
            sys.stderr.write(f"sluice {ASK}: {model.can.refusal('think_budget')}\n")
        finish = engine.generate(asked, events.append, stop)
        if finish.failure is not None:
            raise AbortedError(finish.failure)
        told = _told(finish, [event for event in events if isinstance(event, Token)], bool(request.form))
        sys.stdout.write(json.dumps(told, allow_nan=False) + "\n" if given.json else f"{told['text']}\n")
        if finish.reason is Reason.DEAD_END:
            raise AbortedError(
                Failure("There is no valid next token for the output format.", "Change the output format.")
            )

    return runner.run(f"sluice {ASK}", engine_of, work)


def _told(finish: Finish, tokens: list[Token], formed: bool) -> dict[str, object]:
    shown = [*(piece for token in tokens for piece in token.shown), *finish.released]
    seconds = finish.times.last_token - finish.times.first_token
    removed = {"mass_removed": list(map(_removed, tokens))} if formed else {}
    return {
        "text": _said(shown, Channel.NORMAL),
        "reasoning": _said(shown, Channel.REASONING),
        "ids": [token.id for token in tokens],
        "reason": finish.reason.value,
        "tokens": finish.tokens,
        "prompt_tokens": finish.reused + finish.new,
        "reused": finish.reused,
        "tokens_per_s": (finish.tokens - 1) / seconds if seconds else None,
        "thinking_ended": finish.thinking is not None,
    } | removed


def _said(shown: Sequence[VisibleText], voice: Channel) -> str:
    return "".join(piece.text for piece in shown if piece.voice is voice)


def _removed(token: Token) -> float:
    """Nothing where the form did not hold yet."""
    formed = token.observed.formed if token.observed is not None else None
    return formed.removed if formed is not None else 0.0


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Leaves the program for --help and whatever is wrong."""
    about = "Asks a model once and prints its answer."
    parser = OneSentenceParser(prog=f"sluice {ASK}", description=about, allow_abbrev=False)
    usual = Sampling()
    parser.add_argument("prompt", metavar="PROMPT", help="what to ask; - reads it from the input")
    parser.add_argument("--raw", action="store_true", help="the prompt as it stands, without the chat template")
    parser.add_argument("--system", default="", metavar="TEXT", help="the system prompt")
    parser.add_argument("--temperature", type=float, default=usual.temperature, metavar="T", help="0: the likeliest")
    parser.add_argument("--top-p", type=float, default=usual.top_p, metavar="P")
    parser.add_argument("--top-k", type=int, default=usual.top_k, metavar="K")
    parser.add_argument("--seed", type=int, default=usual.seed, metavar="N", help="where chance begins")
    parser.add_argument("--max-tokens", type=int, default=Limits().max_tokens, metavar="N")
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--schema", type=Path, metavar="FILE", help="the answer is JSON of this schema")
    forms.add_argument("--regex", metavar="REGEX", help="the answer matches this")
    forms.add_argument("--choice", action="append", metavar="TEXT", help="the answer is one of these")
    parser.add_argument("--think-budget", type=int, default=ENDLESS, metavar="N", help="thoughts end after N tokens")
    parser.add_argument("--model", default="", metavar="PATH_OR_ID", help="the model; else the bundled one")
    parser.add_argument("--adapter", default="", metavar="DIR", help="a LoRA or DoRA adapter on the model")
    parser.add_argument("--json", action="store_true", help="print all that is known of the answer")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="taken as by the other commands; nothing is kept")
    given = parser.parse_args(arguments)
    if server_model(given.model) is not None:
        refuse("A server takes and gives text, not tokens; name a model on this machine")
    if given.prompt == "-":
        given.prompt = sys.stdin.read()
    return given


def _request(given: argparse.Namespace) -> Request:
    form = _form(given)
    system = (Message(Role.SYSTEM, given.system),) if given.system else ()
    chat = ChatPrompt((*system, Message(Role.USER, given.prompt)))
    sampling = Sampling(given.temperature, given.top_p, given.top_k, seed=given.seed)
    prompt = RawPrompt(given.prompt) if given.raw else chat
    limits = Limits(given.max_tokens, think_budget=given.think_budget)
    request = Request(prompt, sampling, limits, form=form, observe=1 if form else 0)
    if (failure := check(request, MOST_TOKENS)) is not None:
        refuse(failure.what)
    return request


def _form(given: argparse.Namespace) -> Form:
    if given.regex is not None:
        return Form().put(FormKind.REGEX, given.regex)
    if given.choice:
        if any(len(each.splitlines()) != 1 for each in given.choice):
            refuse("A choice is one line")
        return Form().put(FormKind.CHOICES, "\n".join(given.choice))
    if given.schema is None:
        return Form()
    try:
        schema = regular_files.read(regular_files.expand_home(given.schema), LONGEST_FORM)
        return Form().put(FormKind.SCHEMA, schema.decode())
    except OSError as error:
        refuse(f"{given.schema} can't be read ({error.strerror or error})")
    except UnicodeDecodeError:
        refuse(f"{given.schema} is no UTF-8 text")
