"""`sluice inside`: what each layer of a model would have said behind one token of a prompt, with no display."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from app.cli import runner
from app.cli.arguments import INSIDE, OneSentenceParser, local_model, refuse
from app.engine.errors import AbortedError
from app.engine.jobs import Attend, LeaveOut, LookInside, ReadStates
from app.engine.prompt_parts import parts_of
from app.engine.protocol import Collect, Engine, StopFlag
from app.engine.types import (
    AblationResult,
    Attention,
    ChatPrompt,
    ExactPrompt,
    Failure,
    HeadKind,
    HiddenStates,
    LensPosition,
    LensResult,
    LoadRequest,
    Message,
    RawPrompt,
    Role,
    TokenPrompt,
    Unit,
    of_token,
    strongest,
)
from app.records.inspection_results import JsonObject, attention_json, attribution_json, position_json, states_json


def main(arguments: Sequence[str], engine_of: Callable[[Collect], Engine], bundled: Path) -> int:
    """The exit code: 0 told, 1 it could not be, 2 wrong arguments, 130 interrupted."""
    given = _parsed(arguments)

    def work(engine: Engine, stop: StopFlag) -> None:
        prompt, found, attention, states = _looked(engine, given, bundled, stop)
        parts = _left_out(engine, prompt, found.places[0], stop) if given.leave_out else []
        if given.json:
            told = as_json(prompt, found, attention, states) | ({"parts": parts} if given.leave_out else {})
            sys.stdout.write(json.dumps(told, allow_nan=False) + "\n")
        else:
            sys.stdout.write(as_text(prompt, found, attention, states) + "".join(_lines(parts)))

    return runner.run(f"sluice {INSIDE}", engine_of, work)


def _looked(
    engine: Engine, given: argparse.Namespace, bundled: Path, stop: StopFlag
) -> tuple[ExactPrompt, LensResult, Attention | None, HiddenStates]:
    """None: the model's heads can't be seen, or it has none."""
    request = LoadRequest(given.model or str(bundled))
    model = runner.certain(engine.load(request, lambda event: None, stop), stop)
    raw = given.raw or not model.can.chat
    source = RawPrompt(given.prompt) if raw else ChatPrompt((Message(Role.USER, given.prompt),))
    prompt = runner.certain(engine.render(source), stop)
    last = len(prompt.ids) - 1
    place = last if given.position is None else given.position
    if place > last:
        raise AbortedError(Failure(f"The prompt's tokens go from 0 to {last:,}.", "Ask for one of them."))
    tokens = TokenPrompt(prompt.ids)
    found = runner.certain(engine.run_job(LookInside(tokens, range(place, place + 1)), lambda event: None, stop), stop)
    attention = engine.run_job(Attend(tokens, place), lambda event: None, stop)
    unseen = isinstance(attention, Failure) and attention.kind == "attention"
    states = runner.certain(engine.run_job(ReadStates(tokens, place), lambda event: None, stop), stop)
    return prompt, found, None if unseen else runner.certain(attention, stop), states


def _left_out(engine: Engine, prompt: ExactPrompt, depth: LensPosition, stop: StopFlag) -> list[JsonObject]:
    """Each sentence, the strongest first and the template's last, by what it does for the token that follows."""
    answer = depth.position + 1
    _, parts = parts_of(prompt, answer, Unit.SENTENCE)
    if not parts:
        return []
    source = TokenPrompt((*prompt.ids[:answer], depth.said))
    found: AblationResult = runner.certain(
        engine.run_job(LeaveOut(source, answer, answer, parts), lambda event: None, stop), stop
    )
    return attribution_json(prompt, found, of_token)


def _lines(parts: Sequence[JsonObject]) -> Iterator[str]:
    """Of a table in Markdown."""
    if parts:
        yield "\n| token | left out | effect in nats |\n| ---: | --- | ---: |\n"
    for each in parts:
        whose = "the template's " if each["template"] else ""
        yield f"| {each['position']} | {whose}{each['text']!r} | {each['effect']:.2f} |\n"


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


def as_json(
    prompt: ExactPrompt, found: LensResult, attention: Attention | None, states: HiddenStates
) -> dict[str, object]:
    """All of it."""
    heads: JsonObject = {"attention": None, "attention_difference": None}
    if attention is not None:
        heads = attention_json(prompt, attention)
    (depth,) = found.places
    return position_json(depth) | {"max_difference": found.max_difference} | heads | states_json(states)


def as_text(prompt: ExactPrompt, found: LensResult, attention: Attention | None, states: HiddenStates) -> str:
    """As Markdown, the likeliest three of each layer, and the heads that do one thing clearly."""
    depth = found.places[0]
    lines = [
        f"Behind token {depth.position}, {prompt.text_of(depth.position)!r}:",
        "",
        "| layer | | | | norm | change |",
        "| ---: | --- | --- | --- | ---: | ---: |",
    ]
    for layer, (guess, state) in enumerate(zip(depth.guesses, states.layers, strict=True)):
        change = f"{state.change:.0%}" if state.change is not None else "?"
        says = " | ".join(f"{each.text!r} {each.probability:.0%}" for each in guess.top[:3])
        lines.append(f"| {layer} | {says} | {state.norm:.3g} | {change} |")
    lines += ["", _turns(depth), f"Last layer from the real logits: {found.max_difference:.1e}.", "", *_again(states)]
    return "\n".join([*lines, *_heads(prompt, attention)]) + "\n"


def _again(states: HiddenStates) -> Iterator[str]:
    loop = states.loop
    if loop is not None:
        rounds, agree = (loop.end - loop.start) // loop.period, states.agree_from(loop)
        told = f"From token {loop.start} on the same {loop.period} tokens stand {rounds} times over"
        yield f"{told}; its states agree from token {agree} on." if agree is not None else f"{told}."
        yield ""


def _heads(prompt: ExactPrompt, attention: Attention | None) -> Iterator[str]:
    if attention is None:
        yield "What its heads attend to can't be seen."
        return
    yield from ("| layer | head | does here | attends most to | weight |", "| ---: | ---: | --- | --- | ---: |")
    for head in attention.by_kind():
        if head.here is not HeadKind.SPREAD:
            (place,) = strongest(head.weights, 1)
            told = f"{head.here} {head.here_share:.0%} | {place}: {prompt.text_of(place)!r} | {head.weights[place]:.0%}"
            yield f"| {head.layer} | {head.head} | {told} |"
    yield f"\nWeights × values from the layers' real output: {attention.max_difference:.1e}."


def _turns(depth: LensPosition) -> str:
    if depth.stays_from is None:
        return f"{depth.said_text!r} follows, and is the likeliest in no layer to the end."
    return f"{depth.said_text!r} leads first in layer {depth.leads_at}, and from layer {depth.stays_from} on."
