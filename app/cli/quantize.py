"""`sluice quantize`, and `sluice experiment ladder`, which compares all bit widths."""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from app.cli import verbs
from app.cli.arguments import DEMO, VerbParser, local_model, refuse
from app.cli.verbs import DONE, FAILED, INTERRUPTED, Engines
from app.engine.errors import UserError
from app.engine.mlx.loading.locate import locate
from app.engine.types import Failure
from app.files.regular_files import expand_home
from app.quantization.choice import (
    BITS,
    FIXED,
    GROUPS,
    RECIPES,
    QuantizationCost,
    QuantizationMode,
    QuantizationOutcome,
    QuantizationSettings,
)
from app.quantization.convert import Conversion

QUANTIZE, LADDER, TITLE = "quantize", "ladder", "What does each number of bits cost?"
TEXT = Path("texts", "comparison.txt")
"""The text that both models score for the comparison; in the resources folder."""


def main(arguments: Sequence[str], engines: Engines, resources: Path) -> int:
    """Quantize a model. Return the exit code: 0 done, 1 failed, 2 bad arguments, 130 interrupted (no files remain)."""
    options = _parser().parse_args(arguments)
    choice, to = _choice(options), expand_home(options.to).absolute()

    def quantize(conversion: Conversion) -> Failure | None:
        made = conversion.convert(choice, to, lambda done, total: verbs.show(f"\r{done:,} of {total:,} bytes "))
        if isinstance(made, Failure):
            return made
        facts = {"folder": str(to), "bytes": made.bytes, "bits_per_weight": made.bits_per_weight, **asdict(made.choice)}
        facts["left_alone"] = list(made.alone)
        lines = (f"{name.replace('_', ' ')}: {value or 'none'}\n" for name, value in facts.items() if name != "recipe")
        sys.stdout.write(json.dumps(facts) + "\n" if options.json else "".join(lines))
        return None

    return _run(QUANTIZE, options.model, quantize)


def ladder(verb: str, arguments: Sequence[str], resources: Path) -> int:
    """Print the cost of each bit width, one line at a time; the quantized models are deleted."""
    parser = VerbParser(f"{verb} {LADDER}", TITLE, json="a JSON object in each line")
    options = parser.parse_args(arguments)

    def write(made: QuantizationOutcome, cost: QuantizationCost) -> None:
        facts = {"bits": made.choice.bits, "bytes": made.bytes, "bits_per_weight": made.bits_per_weight, **asdict(cost)}
        sentence = cost.sentence(made.before / made.bytes)
        words = f"{made.choice.bits} bits ({made.bits_per_weight:.2f} per weight): {sentence}"
        sys.stdout.write(f"{json.dumps(facts) if options.json else words}\n")
        sys.stdout.flush()

    with tempfile.TemporaryDirectory() as near:
        model = options.model or str(resources / DEMO)
        text = resources / TEXT
        return _run(verb, model, lambda conversion: conversion.try_bit_widths(BITS, Path(near), text, write))


def _run(verb: str, name: str, work: Callable[[Conversion], Failure | None]) -> int:
    model = local_model(name, "A server doesn't share its weights")
    try:
        with closing(Conversion(locate(model))) as conversion:
            failure = work(conversion)
    except UserError as error:
        failure = error.failure
    except KeyboardInterrupt:
        return INTERRUPTED
    if failure is not None:
        verbs.warn(verb, failure.sentence)
    return DONE if failure is None else FAILED


def _parser() -> argparse.ArgumentParser:
    parser = VerbParser(
        QUANTIZE,
        "Quantize a model with mlx-lm.",
        epilog="A layer whose width is no multiple of the group size stays unquantized, and is listed.",
        model="",
        json="print the result as JSON",
    )
    parser.add_argument("model", metavar="PATH_OR_ID", help="the model, which is not changed")
    parser.add_argument("--bits", type=int, choices=BITS, help="bits of each weight")
    about = "weights that share a scale; default: the largest that divides every width of the model"
    parser.add_argument("--group-size", type=int, choices=(*GROUPS, 16), help=about)
    parser.add_argument(
        "--mode", choices=[*QuantizationMode], default=QuantizationMode.AFFINE, help="the format of a group"
    )
    about = "a mixed-bit recipe instead of --bits: more bits for some layers"
    parser.add_argument("--recipe", choices=RECIPES, default="", help=about)
    parser.add_argument("--to", type=Path, required=True, metavar="DIR", help="a folder that doesn't exist yet")
    return parser


def _choice(options: argparse.Namespace) -> QuantizationSettings:
    mode = QuantizationMode(options.mode)
    if options.recipe and (options.bits or mode is not QuantizationMode.AFFINE):
        refuse("A recipe has its own bits, in the mode affine")
    if mode is QuantizationMode.AFFINE:
        if not options.bits and not options.recipe:
            refuse("Name the --bits of each weight, or a --recipe")
        if options.group_size == FIXED[QuantizationMode.NVFP4][1]:
            refuse(f"The mode affine has groups of {', '.join(map(str, GROUPS))}")
        return QuantizationSettings(options.bits or 4, options.group_size or 0, mode, options.recipe)
    bits, group = FIXED[mode]
    if options.bits not in (None, bits) or options.group_size not in (None, group):
        refuse(f"The mode {mode} has {bits} bits and groups of {group}")
    return QuantizationSettings(bits, group, mode)
