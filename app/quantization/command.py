"""`sluice quantise` and `sluice experiment ladder`: fewer bits for each weight, with no display."""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from app.cli.arguments import EXPERIMENT, QUANTISE, OneSentenceParser, local_model, refuse
from app.cli.runner import DONE, FAILED, INTERRUPTED
from app.engine.errors import UserError
from app.engine.mlx.loading.locate import locate
from app.engine.types import Failure
from app.files.regular_files import expand_home
from app.quantization.choice import BITS, FIXED, GROUPS, RECIPES, Choice, Mode, Outcome
from app.quantization.convert import Conversion
from app.quantization.cost import Cost

LADDER, TITLE = "ladder", "What does each number of bits cost?"
TEXT = Path("texts", "comparison.txt")
"""Among all that comes with the program: what both models read when they are compared."""


def main(arguments: Sequence[str]) -> int:
    """The exit code: 0 done, 1 it could not be done, 2 wrong arguments, 130 interrupted, which leaves nothing."""
    given = _parser().parse_args(arguments)
    choice, to = _choice(given), expand_home(given.to).absolute()

    def make(conversion: Conversion) -> Failure | None:
        made = conversion.convert(choice, to, _tell)
        if isinstance(made, Failure):
            return made
        told = {"folder": str(to), "bytes": made.bytes, "bits_per_weight": made.bits_per_weight, **asdict(made.choice)}
        told["left_alone"] = list(made.alone)
        lines = (f"{name.replace('_', ' ')}: {value or 'none'}\n" for name, value in told.items() if name != "recipe")
        sys.stdout.write(json.dumps(told) + "\n" if given.json else "".join(lines))
        return None

    return ended(QUANTISE, given.model, make)


def ladder(arguments: Sequence[str], bundled: Path) -> int:
    """The same for all numbers of bits, of which nothing is kept: a line for each, when it is known."""
    parser = OneSentenceParser(prog=f"sluice {EXPERIMENT} {LADDER}", description=TITLE)
    parser.add_argument("--model", default=str(bundled / "demo"), metavar="PATH_OR_ID", help="else the bundled one")
    parser.add_argument("--json", action="store_true", help="a JSON object in each line")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="taken as by the other commands; nothing is kept")
    given = parser.parse_args(arguments)

    def tell(made: Outcome, cost: Cost) -> None:
        said = {"bits": made.choice.bits, "bytes": made.bytes, "bits_per_weight": made.bits_per_weight, **asdict(cost)}
        words = (
            f"{made.choice.bits} bits ({made.bits_per_weight:.2f} a weight): {cost.sentence(made.before / made.bytes)}"
        )
        sys.stdout.write(f"{json.dumps(said) if given.json else words}\n")
        sys.stdout.flush()

    with tempfile.TemporaryDirectory() as near:
        return ended(EXPERIMENT, given.model, lambda each: each.ladder(Path(near), bundled.parent / TEXT, tell))


def ended(verb: str, named: str, ask: Callable[[Conversion], Failure | None]) -> int:
    """The exit code, with one sentence where there is one to say."""
    model = local_model(named, "A server keeps its weights to itself")
    try:
        with closing(Conversion(locate(model))) as conversion:
            failure = ask(conversion)
    except UserError as refused:
        failure = refused.failure
    except KeyboardInterrupt:
        return INTERRUPTED
    if failure is not None:
        sys.stderr.write(f"sluice {verb}: {failure.sentence}\n")
    return DONE if failure is None else FAILED


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
