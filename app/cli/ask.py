"""`sluice ask`: one answer, optionally constrained by an output format."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from app.cli import verbs
from app.cli.arguments import DEMO, VerbParser, known_adapter, local_model, read_prompt, read_text, refuse
from app.cli.verbs import Engines
from app.engine.catalogue import SETTINGS, PanelSection, names_in
from app.engine.errors import AbortedError
from app.engine.meter.first_token import FirstTokenTime
from app.engine.protocol import Engine, StopFlag, unwrap
from app.engine.ranges import RANGES
from app.engine.sampling import check
from app.engine.types import (
    AUTOMATIC,
    ENDLESS,
    Channel,
    ChatPrompt,
    DraftStats,
    Event,
    Failure,
    Finish,
    FormatKind,
    Limits,
    LoadRequest,
    Message,
    OutputFormat,
    RawPrompt,
    Reason,
    Request,
    Role,
    Sampling,
    Token,
    VisibleText,
)

ASK = "ask"
ON_SERVER = "A server returns text, not tokens"
MOST_TOKENS = 2**31
"""The largest accepted token id: larger than any vocabulary, since ids are checked before a model is open."""
NUMBERS = (*names_in(*PanelSection), "seed")
"""The sampling settings that have a switch."""


def main(arguments: Sequence[str], engines: Engines, resources: Path) -> int:
    options = _parsed(arguments)
    request, events = _request(options), list[Event]()

    def work(engine: Engine, stop: StopFlag) -> None:
        folder, draft = options.model or str(resources / DEMO), options.draft or None
        wanted = LoadRequest(folder, draft, adapter=known_adapter(options.adapter))
        model = unwrap(engine.load(wanted, lambda event: None, stop), stop)
        raw = isinstance(request.prompt, ChatPrompt) and not model.can.chat
        asked = replace(request, prompt=RawPrompt(options.prompt)) if raw else request
        if options.think_budget != ENDLESS and not model.can.think_budget:
            verbs.warn(ASK, model.can.refusal("think_budget"))
        stop.made_at = time.monotonic()  # loading is no part of the time to first token
        finish = engine.generate(asked, events.append, stop)
        if finish.failure is not None:
            raise AbortedError(finish.failure)
        answer = _as_json(finish, [event for event in events if isinstance(event, Token)], bool(request.form))
        sys.stdout.write(json.dumps(answer, allow_nan=False) + "\n" if options.json else f"{answer['text']}\n")
        if finish.reason is Reason.DEAD_END:
            raise AbortedError(
                Failure("There is no valid next token for the output format.", "Change the output format.")
            )

    return verbs.run(ASK, engines["mlx"], work)


def _as_json(finish: Finish, tokens: list[Token], constrained: bool) -> dict[str, object]:
    shown = [*(piece for token in tokens for piece in token.shown), *finish.released]
    seconds = finish.times.last_token - finish.times.first_token
    parts = FirstTokenTime.of(finish)
    removed = {"mass_removed": list(map(_removed, tokens))} if constrained else {}
    drafted = {"drafted": _drafted(finish.drafted)} if finish.drafted is not None else {}
    answer: dict[str, object] = {
        "text": _joined(shown, Channel.NORMAL),
        "reasoning": _joined(shown, Channel.REASONING),
        "ids": [token.id for token in tokens],
        "reason": finish.reason.value,
        "tokens": finish.tokens,
        "prompt_tokens": finish.reused + finish.new,
        "reused": finish.reused,
        "prefilled": finish.prefilled,
        "tokens_per_s": (finish.tokens - 1) / seconds if seconds else None,
        "time_to_first_token": parts and {part.value: round(took, 6) for part, took in parts.seconds.items()},
        "thinking_ended": finish.thinking is not None,
    }
    return answer | removed | drafted


def _drafted(drafted: DraftStats) -> dict[str, object]:
    lookup, automatic = (steps and asdict(steps) for steps in (drafted.lookup, drafted.automatic))
    counts = {"proposed": drafted.proposed, "accepted": drafted.accepted, "steps": drafted.steps}
    return counts | {"lookup": lookup, "automatic": automatic}


def _joined(shown: Sequence[VisibleText], channel: Channel) -> str:
    return "".join(piece.text for piece in shown if piece.voice is channel)


def _removed(token: Token) -> float:
    """Return the probability mass that the output format removed for this token; 0 if it didn't constrain it."""
    formed = token.observed.formed if token.observed is not None else None
    return formed.removed if formed is not None else 0.0


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = VerbParser(ASK, "Print one answer of a model.", json="print everything as JSON")
    parser.allow_abbrev = False
    parser.add_adapter()
    usual = Sampling()
    parser.add_argument("prompt", metavar="PROMPT", help="the prompt; - reads it from stdin")
    parser.add_argument("--raw", action="store_true", help="don't apply the chat template")
    parser.add_argument("--system", default="", metavar="TEXT", help="the system prompt")
    for name in NUMBERS:
        default = getattr(usual, name)
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            type=type(default),
            default=default,
            metavar="N" if RANGES[name].whole else "X",
            help=SETTINGS[name].meaning,
        )
    parser.add_argument("--max-tokens", type=int, default=Limits().max_tokens, metavar="N")
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--schema", type=Path, metavar="FILE", help="the answer is JSON of this schema")
    forms.add_argument("--regex", metavar="REGEX", help="the answer matches this regular expression")
    forms.add_argument("--choice", action="append", metavar="TEXT", help="the answer is one of these")
    parser.add_argument("--think-budget", type=int, default=ENDLESS, metavar="N", help="reasoning budget in tokens")
    parser.add_argument("--draft", default="", metavar="PATH_OR_ID", help="a draft model for speculative decoding")
    meanings = {name: f"{SETTINGS[name].meaning} {AUTOMATIC}: automatic." for name in ("draft_tokens", "lookup_tokens")}
    parser.add_argument("--draft-tokens", type=int, metavar="N", help=meanings["draft_tokens"])
    parser.add_argument("--lookup-tokens", type=int, default=0, metavar="N", help=meanings["lookup_tokens"])
    options = parser.parse_args(arguments)
    options.model, options.draft = (local_model(name, ON_SERVER) for name in (options.model, options.draft))
    if options.draft_tokens is None:
        options.draft_tokens = AUTOMATIC if options.draft else 0
    elif not options.draft:
        refuse("Name a draft model with --draft")
    if options.draft and options.lookup_tokens:
        refuse("Use --draft or --lookup-tokens, not both")
    options.prompt = read_prompt(options.prompt)
    return options


def _request(options: argparse.Namespace) -> Request:
    output_format = _output_format(options)
    system = (Message(Role.SYSTEM, options.system),) if options.system else ()
    chat = ChatPrompt((*system, Message(Role.USER, options.prompt)))
    sampling = Sampling(**{name: getattr(options, name) for name in NUMBERS})
    prompt = RawPrompt(options.prompt) if options.raw else chat
    limits = Limits(options.max_tokens, think_budget=options.think_budget)
    observe = 1 if output_format else 0
    drafts = {"draft_tokens": options.draft_tokens, "lookup_tokens": options.lookup_tokens}
    request = Request(prompt, sampling, limits, form=output_format, observe=observe, **drafts)
    if (failure := check(request, MOST_TOKENS)) is not None:
        refuse(failure.what)
    return request


def _output_format(options: argparse.Namespace) -> OutputFormat:
    if options.regex is not None:
        return OutputFormat().put(FormatKind.REGEX, options.regex)
    if options.choice:
        if any(len(each.splitlines()) != 1 for each in options.choice):
            refuse("A choice is one line")
        return OutputFormat().put(FormatKind.CHOICES, "\n".join(options.choice))
    return (
        OutputFormat().put(FormatKind.SCHEMA, read_text(options.schema))
        if options.schema is not None
        else OutputFormat()
    )
