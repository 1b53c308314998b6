"""`sluice profile`: a model's memory-bandwidth limit, its measured speed, and its bottleneck."""

import sys
from collections.abc import Sequence
from pathlib import Path

from app.cli import verbs
from app.cli.arguments import DEMO, VerbParser, check_writable, local_model, within
from app.cli.verbs import Engines
from app.engine.protocol import Engine, StopFlag, unwrap
from app.engine.types import LoadRequest
from app.files.regular_files import expand_home
from app.files.settings import user_folder
from app.roofline.measuring import measured
from app.roofline.report import as_json, as_text

PROFILE = "profile"
MOST_CONTEXT = 1_000_000


def main(arguments: Sequence[str], engines: Engines, resources: Path) -> int:
    parser = VerbParser(
        PROFILE,
        "Print the memory-bandwidth limit of a model, its measured speed, and what limits it.",
        epilog="The bandwidth of the machine is measured once and stored beside the settings.",
        json="print all figures",
        data_dir="where measurements are stored",
    )
    context = within(0, MOST_CONTEXT)
    parser.add_argument("--context", type=context, default=0, metavar="N", help="context length in tokens; default 0")
    options = parser.parse_args(arguments)
    model = local_model(options.model, "A server doesn't show how much a token costs") or str(resources / DEMO)
    folder = expand_home(options.data_dir or user_folder())
    check_writable(folder)

    def work(engine: Engine, stop: StopFlag) -> None:
        opened = unwrap(engine.load(LoadRequest(model), lambda event: None, stop), stop)
        found = measured(engine, opened, folder, options.context, verbs.show_prefill, stop)
        sys.stdout.write(as_json(found) if options.json else as_text(found))

    return verbs.run(PROFILE, engines["mlx"], work)
