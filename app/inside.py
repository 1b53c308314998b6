"""`sluice inside`: what each layer of a model would have said behind one token of a prompt, with no display."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from app.arguments import INSIDE, OneSentenceParser, local_model, refuse
from app.engine import verb
from app.engine.protocol import Collect, Engine, LookingEngine, StopFlag
from app.engine.refusal import BrokenOffError
from app.engine.types import (
    Candidate,
    ChatPrompt,
    Depth,
    ExactPrompt,
    Failure,
    Inside,
    LoadRequest,
    Message,
    RawPrompt,
    Role,
    TokenPrompt,
)


def main(arguments: Sequence[str], engine_of: Callable[[Collect], Engine], bundled: Path) -> int:
    """The exit code: 0 told, 1 it could not be, 2 wrong arguments, 130 interrupted."""
    given = _parsed(arguments)

    def work(engine: Engine, stop: StopFlag) -> None:
        assert isinstance(engine, LookingEngine)
        prompt, found = _looked(engine, given, bundled, stop)
        sys.stdout.write(json.dumps(as_json(found), allow_nan=False) + "\n" if given.json else as_text(prompt, found))

    return verb.run(f"sluice {INSIDE}", engine_of, work)


def _looked(
    engine: LookingEngine, given: argparse.Namespace, bundled: Path, stop: StopFlag
) -> tuple[ExactPrompt, Inside]:
    request = LoadRequest(given.model or str(bundled))
    model = verb.certain(engine.load(request, lambda event: None, stop), stop)
    raw = given.raw or not model.can.chat
    source = RawPrompt(given.prompt) if raw else ChatPrompt((Message(Role.USER, given.prompt),))
    prompt = verb.certain(engine.render(source), stop)
    last = len(prompt.ids) - 1
    place = last if given.position is None else given.position
    if place > last:
        raise BrokenOffError(Failure(f"The prompt's tokens go from 0 to {last:,}.", "Ask for one of them."))
    tokens = TokenPrompt(prompt.ids)
    found = engine.look_inside(tokens, range(place, place + 1), lambda event: None, stop)
    return prompt, verb.certain(found, stop)


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Leaves the program for --help and whatever is wrong."""
    parser = OneSentenceParser(
        prog=f"sluice {INSIDE}",
        description="Tells what each layer of a model would have said behind a prompt, had the model ended there.",
    )
    parser.add_argument("prompt", metavar="PROMPT", help="what is read; - takes it from the input")
    parser.add_argument("--raw", action="store_true", help="the prompt as it stands, without the chat template")
    told = "behind this token of the exact prompt, counted from 0; else behind its last"
    parser.add_argument("--position", type=int, default=None, metavar="N", help=told)
    parser.add_argument("--model", default="", metavar="PATH_OR_ID", help="the model; else the bundled one")
    parser.add_argument("--json", action="store_true", help="print all of it")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="taken as by the other commands; nothing is kept")
    given = parser.parse_args(arguments)
    if given.position is not None and given.position < 0:
        refuse("--position counts from 0")
    given.model = local_model(given.model, "What stands inside a server's model can't be seen from here")
    if given.prompt == "-":
        given.prompt = sys.stdin.read()
    return given


def as_json(found: Inside) -> dict[str, object]:
    """All of it."""
    depth = found.places[0]
    return {
        "position": depth.position,
        "layers": [
            {"layer": layer, "top": [_candidate(each) for each in guess.top], "entropy": guess.entropy}
            for layer, guess in enumerate(depth.guesses)
        ],
        "real": {"top": [_candidate(each) for each in depth.real.top], "entropy": depth.real.entropy},
        "leads_at": depth.leads_at,
        "stays_from": depth.stays_from,
        "max_difference": found.max_difference,
    }


def _candidate(each: Candidate) -> dict[str, object]:
    return {"id": each.id, "text": each.text, "probability": each.probability}


def as_text(prompt: ExactPrompt, found: Inside) -> str:
    """As Markdown, the likeliest three of each layer."""
    depth = found.places[0]
    start, end = prompt.offsets[depth.position]
    lines = [
        f"Behind token {depth.position}, {prompt.text[start:end]!r}:",
        "",
        "| layer | | | |",
        "| ---: | --- | --- | --- |",
    ]
    for layer, guess in enumerate(depth.guesses):
        lines.append(f"| {layer} | {' | '.join(f'{each.text!r} {each.probability:.0%}' for each in guess.top[:3])} |")
    return (
        "\n".join([*lines, "", _turns(depth), f"Last layer from the real logits: {found.max_difference:.1e}."]) + "\n"
    )


def _turns(depth: Depth) -> str:
    if depth.stays_from is None:
        return f"{depth.said_text!r} follows, and is the likeliest in no layer to the end."
    return f"{depth.said_text!r} leads first in layer {depth.leads_at}, and from layer {depth.stays_from} on."
