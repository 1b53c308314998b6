"""`sluice inside`: what each layer of a model would have said behind one token of a prompt, with no display."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from app.arguments import INSIDE, OneSentenceParser, local_model, refuse
from app.engine import verb
from app.engine.prompt_parts import parts_of, text_of
from app.engine.protocol import Collect, Engine, LookingEngine, StopFlag
from app.engine.refusal import BrokenOffError
from app.engine.types import (
    Attention,
    Candidate,
    ChatPrompt,
    Depth,
    ExactPrompt,
    Failure,
    Head,
    HeadKind,
    Inside,
    LeftOut,
    LoadRequest,
    Message,
    RawPrompt,
    Role,
    TokenPrompt,
    Unit,
    of_token,
)

STRONGEST = 5
Parts = list[dict[str, object]]
"""What was left out of the prompt, and its effect."""


def main(arguments: Sequence[str], engine_of: Callable[[Collect], Engine], bundled: Path) -> int:
    """The exit code: 0 told, 1 it could not be, 2 wrong arguments, 130 interrupted."""
    given = _parsed(arguments)

    def work(engine: Engine, stop: StopFlag) -> None:
        assert isinstance(engine, LookingEngine)
        prompt, found, attention = _looked(engine, given, bundled, stop)
        parts = _left_out(engine, prompt, found.places[0], stop) if given.leave_out else []
        if given.json:
            told = as_json(prompt, found, attention) | ({"parts": parts} if given.leave_out else {})
            sys.stdout.write(json.dumps(told, allow_nan=False) + "\n")
        else:
            sys.stdout.write(as_text(prompt, found, attention) + "".join(_lines(parts)))

    return verb.run(f"sluice {INSIDE}", engine_of, work)


def _looked(
    engine: LookingEngine, given: argparse.Namespace, bundled: Path, stop: StopFlag
) -> tuple[ExactPrompt, Inside, Attention | None]:
    """None: the model's heads can't be seen, or it has none."""
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
    found = verb.certain(engine.look_inside(tokens, range(place, place + 1), lambda event: None, stop), stop)
    attention = engine.attention(tokens, place, lambda event: None, stop)
    unseen = isinstance(attention, Failure) and attention.kind == "attention"
    return prompt, found, None if unseen else verb.certain(attention, stop)


def _left_out(engine: LookingEngine, prompt: ExactPrompt, depth: Depth, stop: StopFlag) -> Parts:
    """Each sentence, the strongest first, by what it does for the token that follows."""
    answer = depth.position + 1
    _, parts = parts_of(prompt, answer, Unit.SENTENCE)
    if not parts:
        return []
    source = TokenPrompt((*prompt.ids[:answer], depth.said))
    found: LeftOut = verb.certain(engine.leave_out(source, answer, answer, parts, lambda event: None, stop), stop)
    told = zip(parts, found.effects(of_token), strict=True)
    return [
        {"position": part.start, "tokens": len(part), "text": text_of(prompt, part), "effect": effect}
        for part, effect in sorted(told, key=lambda each: -each[1])
    ]


def _lines(parts: Parts) -> Iterator[str]:
    """Of a table in Markdown."""
    if parts:
        yield "\n| token | left out | effect in nats |\n| ---: | --- | ---: |\n"
    yield from (f"| {each['position']} | {each['text']!r} | {each['effect']:.2f} |\n" for each in parts)


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
    told = "how much less likely the token that follows is without each sentence of the prompt, in nats"
    parser.add_argument("--leave-out", action="store_true", help=told)
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


def as_json(prompt: ExactPrompt, found: Inside, attention: Attention | None) -> dict[str, object]:
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
        "attention": [_head(prompt, each) for each in attention.heads] if attention is not None else None,
        "attention_difference": attention.max_difference if attention is not None else None,
    }


def _head(prompt: ExactPrompt, head: Head) -> dict[str, object]:
    strongest = [
        {"position": place, "text": _text(prompt, place), "weight": head.weights[place]}
        for place in head.strongest(STRONGEST)
    ]
    kinds = {"here": head.here, "here_share": head.here_share, "kind": head.kind, "share": head.share}
    return {"layer": head.layer, "head": head.head, "strongest": strongest} | kinds


def _text(prompt: ExactPrompt, place: int) -> str:
    start, end = prompt.offsets[place]
    return prompt.text[start:end]


def _candidate(each: Candidate) -> dict[str, object]:
    return {"id": each.id, "text": each.text, "probability": each.probability}


def as_text(prompt: ExactPrompt, found: Inside, attention: Attention | None) -> str:
    """As Markdown, the likeliest three of each layer, and the heads that do one thing clearly."""
    depth = found.places[0]
    lines = [
        f"Behind token {depth.position}, {_text(prompt, depth.position)!r}:",
        "",
        "| layer | | | |",
        "| ---: | --- | --- | --- |",
    ]
    for layer, guess in enumerate(depth.guesses):
        lines.append(f"| {layer} | {' | '.join(f'{each.text!r} {each.probability:.0%}' for each in guess.top[:3])} |")
    lines += ["", _turns(depth), f"Last layer from the real logits: {found.max_difference:.1e}.", ""]
    return "\n".join([*lines, *_heads(prompt, attention)]) + "\n"


def _heads(prompt: ExactPrompt, attention: Attention | None) -> Iterator[str]:
    if attention is None:
        yield "What its heads attend to can't be seen."
        return
    yield from ("| layer | head | does here | attends most to | weight |", "| ---: | ---: | --- | --- | ---: |")
    for head in sorted(attention.heads, key=lambda each: -each.here_share):
        if head.here is not HeadKind.SPREAD:
            (place,) = head.strongest(1)
            told = f"{head.here} {head.here_share:.0%} | {place}: {_text(prompt, place)!r} | {head.weights[place]:.0%}"
            yield f"| {head.layer} | {head.head} | {told} |"
    yield f"\nWeights × values from the layers' real output: {attention.max_difference:.1e}."


def _turns(depth: Depth) -> str:
    if depth.stays_from is None:
        return f"{depth.said_text!r} follows, and is the likeliest in no layer to the end."
    return f"{depth.said_text!r} leads first in layer {depth.leads_at}, and from layer {depth.stays_from} on."
