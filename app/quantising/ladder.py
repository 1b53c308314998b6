"""`sluice experiment ladder`: what each number of bits saves and costs, with no display."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from app.arguments import EXPERIMENT, OneSentenceParser, local_model
from app.engine.mlx.locate import locate
from app.engine.refusal import RefusedError
from app.engine.types import Failure
from app.quantising.choice import Outcome
from app.quantising.convert import Conversion
from app.quantising.cost import Cost
from app.weighing.command import DONE, FAILED, INTERRUPTED

NAME, TEXT = "ladder", Path("texts", "comparison.txt")
TITLE = "What does each number of bits cost?"
"""In the list of experiments."""


def main(arguments: Sequence[str], bundled: Path) -> int:
    """The exit codes of the other experiments. A line for each number of bits, when it is known."""
    parser = OneSentenceParser(prog=f"sluice {EXPERIMENT} {NAME}", description=TITLE)
    parser.add_argument("--model", default="", metavar="PATH_OR_ID", help="the model; else the bundled one")
    parser.add_argument("--json", action="store_true", help="a JSON object in each line")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="taken as by the other commands; nothing is kept")
    given = parser.parse_args(arguments)
    model = local_model(given.model, "A server keeps its weights to itself") or str(bundled / "demo")
    text = bundled.parent / TEXT

    def tell(made: Outcome, cost: Cost) -> None:
        said = {"bits": made.choice.bits, "bytes": made.bytes, "bits_per_weight": made.bits_per_weight, **asdict(cost)}
        words = (
            f"{made.choice.bits} bits ({made.bits_per_weight:.2f} a weight): {cost.sentence(made.before / made.bytes)}"
        )
        sys.stdout.write(f"{json.dumps(said) if given.json else words}\n")
        sys.stdout.flush()

    try:
        with closing(Conversion(locate(model))) as conversion, tempfile.TemporaryDirectory() as near:
            failure = conversion.ladder(Path(near), text, tell)
    except RefusedError as refused:
        failure = refused.failure
    except KeyboardInterrupt:
        return INTERRUPTED
    if isinstance(failure, Failure):
        sys.stderr.write(f"sluice: {failure.sentence}\n")
    return DONE if failure is None else FAILED
