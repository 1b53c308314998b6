"""`sluice lens`: the logit lens, attention, hidden states and attribution after one token of a prompt."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.cli import verbs
from app.cli.arguments import DEMO, VerbParser, local_model, read_prompt, refuse
from app.cli.verbs import Engines
from app.engine.errors import AbortedError
from app.engine.jobs import Ablate, ReadAttention, ReadHiddenStates, ReadLens
from app.engine.prompt_parts import parts_of
from app.engine.protocol import Engine, StopFlag, unwrap
from app.engine.types import (
    AblationResult,
    AblationUnit,
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
    of_token,
    strongest,
)
from app.records.inspection_results import JsonObject, attention_json, attribution_json, position_json, states_json

LENS = "lens"


def main(arguments: Sequence[str], engines: Engines, resources: Path) -> int:
    options = _parsed(arguments)
    options.model = options.model or str(resources / DEMO)

    def work(engine: Engine, stop: StopFlag) -> None:
        prompt, found, attention, states = _inspect(engine, options, stop)
        parts = _attribute(engine, prompt, found.positions[0], stop) if options.leave_out else []
        if options.json:
            record = as_json(prompt, found, attention, states) | ({"parts": parts} if options.leave_out else {})
            sys.stdout.write(json.dumps(record, allow_nan=False) + "\n")
        else:
            sys.stdout.write(as_text(prompt, found, attention, states) + "".join(_lines(parts)))

    return verbs.run(LENS, engines["mlx"], work)


def _inspect(
    engine: Engine, options: argparse.Namespace, stop: StopFlag
) -> tuple[ExactPrompt, LensResult, Attention | None, HiddenStates]:
    """Inspect one token. Attention is None if the model has none, or its heads can't be read."""
    model = unwrap(engine.load(LoadRequest(options.model), lambda event: None, stop), stop)
    raw = options.raw or not model.can.chat
    source = RawPrompt(options.prompt) if raw else ChatPrompt((Message(Role.USER, options.prompt),))
    prompt = unwrap(engine.render(source), stop)
    last = len(prompt.ids) - 1
    position = last if options.position is None else options.position
    if position > last:
        raise AbortedError(Failure(f"The prompt's tokens go from 0 to {last:,}.", "Ask for one of them."))
    tokens = TokenPrompt(prompt.ids)
    found = unwrap(engine.run_job(ReadLens(tokens, range(position, position + 1)), lambda event: None, stop), stop)
    attention = engine.run_job(ReadAttention(tokens, position), lambda event: None, stop)
    unseen = isinstance(attention, Failure) and attention.kind == "attention"
    states = unwrap(engine.run_job(ReadHiddenStates(tokens, position), lambda event: None, stop), stop)
    return prompt, found, None if unseen else unwrap(attention, stop), states


def _attribute(engine: Engine, prompt: ExactPrompt, depth: LensPosition, stop: StopFlag) -> list[JsonObject]:
    """Return the effect of each sentence on the next token, largest first, template parts last."""
    answer = depth.position + 1
    _, parts = parts_of(prompt, answer, AblationUnit.SENTENCE)
    if not parts:
        return []
    source = TokenPrompt((*prompt.ids[:answer], depth.said))
    found: AblationResult = unwrap(
        engine.run_job(Ablate(source, answer, answer, parts), lambda event: None, stop), stop
    )
    return attribution_json(prompt, found, of_token)


def _lines(parts: Sequence[JsonObject]) -> Iterator[str]:
    if parts:
        yield "\n| token | left out | effect in nats |\n| ---: | --- | ---: |\n"
    for each in parts:
        whose = "the template's " if each["template"] else ""
        yield f"| {each['position']} | {whose}{each['text']!r} | {each['effect']:.2f} |\n"


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = VerbParser(LENS, "Print what each layer of a model predicts after a prompt.", json="print all figures")
    parser.add_argument("prompt", metavar="PROMPT", help="the prompt; - reads it from stdin")
    parser.add_argument("--raw", action="store_true", help="don't apply the chat template")
    about = "after this token of the exact prompt, counted from 0; default: after the last one"
    parser.add_argument("--position", type=int, default=None, metavar="N", help=about)
    about = "attribution: how much less probable the next token is without each sentence of the prompt, in nats"
    parser.add_argument("--leave-out", action="store_true", help=about)
    options = parser.parse_args(arguments)
    if options.position is not None and options.position < 0:
        refuse("--position counts from 0")
    options.model = local_model(options.model, "A server doesn't show the layers of its model")
    options.prompt = read_prompt(options.prompt)
    return options


def as_json(
    prompt: ExactPrompt, found: LensResult, attention: Attention | None, states: HiddenStates
) -> dict[str, object]:
    heads: JsonObject = {"attention": None, "attention_difference": None}
    if attention is not None:
        heads = attention_json(prompt, attention)
    (depth,) = found.positions
    return position_json(depth) | {"max_difference": found.max_difference} | heads | states_json(states)


def as_text(prompt: ExactPrompt, found: LensResult, attention: Attention | None, states: HiddenStates) -> str:
    """Return Markdown: the top 3 tokens of each layer, and the attention heads with a recognized function."""
    depth = found.positions[0]
    lines = [
        f"After token {depth.position}, {prompt.text_of(depth.position)!r}:",
        "",
        "| layer | | | | norm | change |",
        "| ---: | --- | --- | --- | ---: | ---: |",
    ]
    for layer, (guess, state) in enumerate(zip(depth.guesses, states.layers, strict=True)):
        change = f"{state.change:.0%}" if state.change is not None else "?"
        top = " | ".join(f"{each.text!r} {each.probability:.0%}" for each in guess.top[:3])
        lines.append(f"| {layer} | {top} | {state.norm:.3g} | {change} |")
    largest = f"Largest difference of the last layer from the real logits: {found.max_difference:.1e}."
    lines += ["", _decided(depth), largest, "", *_loop(states)]
    return "\n".join([*lines, *_heads(prompt, attention)]) + "\n"


def _loop(states: HiddenStates) -> Iterator[str]:
    loop = states.loop
    if loop is not None:
        rounds, agree = (loop.end - loop.start) // loop.period, states.agree_from(loop)
        clause = f"From token {loop.start} on, the same {loop.period} tokens repeat {rounds} times"
        yield f"{clause}; their hidden states agree from token {agree} on." if agree is not None else f"{clause}."
        yield ""


def _heads(prompt: ExactPrompt, attention: Attention | None) -> Iterator[str]:
    if attention is None:
        yield "The attention of this model can't be read."
        return
    yield from ("| layer | head | kind | attends most to | weight |", "| ---: | ---: | --- | --- | ---: |")
    for head in attention.by_kind():
        if head.here is not HeadKind.SPREAD:
            (position,) = strongest(head.weights, 1)
            kind, token = f"{head.here} {head.here_share:.0%}", f"{position}: {prompt.text_of(position)!r}"
            yield f"| {head.layer} | {head.head} | {kind} | {token} | {head.weights[position]:.0%} |"
    yield f"\nLargest difference of weights × values from the layers' real output: {attention.max_difference:.1e}."


def _decided(depth: LensPosition) -> str:
    if depth.stays_from is None:
        return f"{depth.said_text!r} follows, which isn't the most probable token of the last layer."
    first = f"{depth.said_text!r} is the most probable token first in layer {depth.leads_at}"
    return f"{first}, and in every layer from {depth.stays_from} on."
