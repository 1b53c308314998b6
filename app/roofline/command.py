"""`sluice why`: how fast a model could write here at the most, how fast it does, and what lies between."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.cli import runner
from app.cli.arguments import WHY, OneSentenceParser, known_model, refuse, writable
from app.engine.protocol import Collect, Engine, StopFlag
from app.engine.remote.address import server_model
from app.engine.types import LoadRequest
from app.files.regular_files import expand_home
from app.files.settings import user_folder
from app.roofline.measuring import measured
from app.roofline.report import as_json, as_text

MOST_CONTEXT = 1_000_000


@dataclass(frozen=True, slots=True)
class Switches:
    """What is to be measured, and where measurements are kept."""

    model: str
    data_folder: Path
    context: int
    json: bool


def main(arguments: Sequence[str], engine_of: Callable[[Collect], Engine], bundled: Path) -> int:
    """The exit code: 0 done, 1 it could not be done, 2 wrong arguments, 130 interrupted."""
    given = parse(arguments, bundled)

    def work(engine: Engine, stop: StopFlag) -> None:
        model = runner.certain(engine.load(LoadRequest(given.model), lambda event: None, stop), stop)
        found = measured(engine, model, given.data_folder, given.context, runner.tell, stop)
        sys.stdout.write(as_json(found) if given.json else as_text(found))

    return runner.run(f"sluice {WHY}", engine_of, work)


def parse(arguments: Sequence[str], bundled: Path) -> Switches:
    """The checked switches; leaves the program for --help and whatever is wrong."""
    parser = OneSentenceParser(
        prog=f"sluice {WHY}",
        description="Tells how fast a model could write on this machine at the most, how fast it does, and why.",
        epilog="What the machine does at its best is measured once, and kept with the settings.",
    )
    parser.add_argument("--context", type=int, default=0, metavar="N", help="with so many tokens before the next one")
    parser.add_argument("--model", default="", metavar="PATH_OR_ID", help="the model; else the bundled one")
    parser.add_argument("--json", action="store_true", help="print all of it")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="where measurements are kept")
    given = parser.parse_args(arguments)
    if not 0 <= given.context <= MOST_CONTEXT:
        refuse(f"--context is a number from 0 to {MOST_CONTEXT:,}")
    model = known_model(given.model) or str(bundled)
    if server_model(model) is not None:
        refuse("What a token costs a server can't be measured from here; name a model on this machine")
    folder = expand_home(given.data_dir or user_folder())
    writable(folder)
    return Switches(model, folder, given.context, given.json)
