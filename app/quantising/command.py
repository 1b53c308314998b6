"""`sluice quantise`: a model with fewer bits for each weight, with no display."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from app.arguments import QUANTISE, OneSentenceParser, local_model, refuse
from app.engine.mlx.locate import locate
from app.engine.refusal import RefusedError
from app.engine.types import Failure
from app.quantising.choice import BITS, FIXED, GROUPS, RECIPES, Choice, Mode
from app.quantising.convert import Conversion
from app.weighing.command import DONE, FAILED, INTERRUPTED

REMOTE = "A server keeps its weights to itself"


def main(arguments: Sequence[str]) -> int:
    """The exit code: 0 done, 1 it could not be done, 2 wrong arguments, 130 interrupted, which leaves nothing."""
    given = _parser().parse_args(arguments)
    choice, to = _choice(given), given.to.expanduser().absolute()
    model = local_model(given.model, REMOTE)
    try:
        with closing(Conversion(locate(model))) as conversion:
            made = conversion.convert(choice, to, _tell)
    except RefusedError as refused:
        made = refused.failure
    except KeyboardInterrupt:
        return INTERRUPTED
    if isinstance(made, Failure):
        sys.stderr.write(f"sluice {QUANTISE}: {made.sentence}\n")
        return FAILED
    told = {"folder": str(to), "bytes": made.bytes, "bits_per_weight": made.bits_per_weight, **asdict(made.choice)}
    told["left_alone"] = list(made.alone)
    lines = (f"{name.replace('_', ' ')}: {value or 'none'}\n" for name, value in told.items() if name != "recipe")
    sys.stdout.write(json.dumps(told) + "\n" if given.json else "".join(lines))
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = OneSentenceParser(
        prog=f"sluice {QUANTISE}",
        description="Makes a model with fewer bits for each weight, as mlx-lm does it.",
        epilog="A layer whose width the group does not divide stays as it is, and is named.",
    )
    parser.add_argument("model", metavar="PATH_OR_ID", help="the model, which is not changed")
    parser.add_argument("--bits", type=int, choices=BITS, help="for each weight")
    told = "weights that share a scale; else the largest that divides every width of the model"
    parser.add_argument("--group-size", type=int, choices=(*GROUPS, 16), help=told)
    parser.add_argument("--mode", choices=[*Mode], default=Mode.AFFINE, help="how a group is written down")
    parser.add_argument("--recipe", choices=RECIPES, default="", help="in place of --bits: more for some layers")
    parser.add_argument("--to", type=Path, required=True, metavar="DIR", help="a folder that is not there yet")
    parser.add_argument("--json", action="store_true", help="print what was made as JSON")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="taken as by the other commands; nothing is kept")
    return parser


def _choice(given: argparse.Namespace) -> Choice:
    mode = Mode(given.mode)
    if given.recipe and (given.bits or mode is not Mode.AFFINE):
        refuse("A recipe has bits of its own, in the mode affine")
    if mode is Mode.AFFINE:
        if not given.bits and not given.recipe:
            refuse("Say how many --bits each weight shall have, or name a --recipe")
        if given.group_size == FIXED[Mode.NVFP4][1]:
            refuse(f"The mode affine has groups of {', '.join(map(str, GROUPS))}")
        return Choice(given.bits or 4, given.group_size or 0, mode, given.recipe)
    bits, group = FIXED[mode]
    if given.bits not in (None, bits) or given.group_size not in (None, group):
        refuse(f"The mode {mode} has {bits} bits and groups of {group}")
    return Choice(bits, group, mode)


def _tell(done: int, total: int) -> None:
    """Only where somebody looks on."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{done:,} of {total:,} bytes ")
