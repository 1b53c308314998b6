"""`sluice weigh`: how well a model foresees a text, and what a second one makes of the same, with no display."""

import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from app.cli import runner
from app.cli.arguments import WEIGH, OneSentenceParser, known_adapter, local_model, refuse
from app.engine.errors import AbortedError
from app.engine.protocol import Collect, Engine, StopFlag
from app.engine.types import ChatPrompt, Failure, LoadRequest, RawPrompt, Stopped
from app.files.regular_files import expand_home
from app.perplexity.measuring import PerplexityJob, PerplexityMeasurement
from app.perplexity.result import OTHER_VOCABULARY, as_json, as_text
from app.perplexity.source import prompt_of, read
from app.records.session_file import SUFFIX


def main(arguments: Sequence[str], engine_of: Callable[[Collect], Engine], bundled: Path) -> int:
    """The exit code: 0 done, 1 it could not be done, 2 wrong arguments, 130 interrupted."""
    given = parse(arguments, bundled)

    def work(engine: Engine, stop: StopFlag) -> None:
        with closing(PerplexityMeasurement(PerplexityJob(given.prompt, given.model, given.against))) as weighing:
            outcome = weighing.go(engine, None, runner.tell, stop)
            result = weighing.result() if outcome is None else None
        if result is None:
            raise AbortedError(outcome or Stopped())
        if given.json and result.second is not None and result.between is None:
            sys.stderr.write(f"sluice {WEIGH}: {OTHER_VOCABULARY}\n")
        sys.stdout.write(as_json(result) if given.json else as_text(result))

    return runner.run(f"sluice {WEIGH}", engine_of, work)


@dataclass(frozen=True, slots=True)
class Switches:
    """What is to be weighed, and with what."""

    prompt: ChatPrompt | RawPrompt
    model: LoadRequest
    against: LoadRequest | None
    json: bool


def parse(arguments: Sequence[str], bundled: Path) -> Switches:
    """The checked switches; leaves the program for --help and whatever is wrong."""
    parser = OneSentenceParser(
        prog=f"sluice {WEIGH}",
        description="Tells how well a model foresees a text and, with --against, how far another model is from it.",
        epilog="A text counts as the model's answer, and of a session its answers count, unless --raw is given.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a text, or a session (.sluice)")
    parser.add_argument("--raw", action="store_true", help="the text as it stands, without the chat template")
    parser.add_argument("--model", default="", metavar="PATH_OR_ID", help="the model; else the bundled one")
    parser.add_argument("--against", default="", metavar="PATH_OR_ID", help="a second model of the same vocabulary")
    parser.add_argument("--adapter", default="", metavar="DIR", help="a LoRA or DoRA adapter on the model")
    told = "one on the second model; the same model where none is named"
    parser.add_argument("--against-adapter", default="", metavar="DIR", help=told)
    parser.add_argument("--json", action="store_true", help="print all of it, each token's figures too")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="taken as by the other commands; nothing is kept")
    given = parser.parse_args(arguments)
    why = "A server does not tell how likely the tokens of a text are"
    model = LoadRequest(local_model(given.model, why) or str(bundled), adapter=known_adapter(given.adapter))
    against = LoadRequest(local_model(given.against, why) or model.model, adapter=known_adapter(given.against_adapter))
    second = against if given.against or given.against_adapter else None
    return Switches(_prompt(expand_home(given.file), given.raw), model, second, given.json)


def _prompt(file: Path, raw: bool) -> ChatPrompt | RawPrompt:
    if raw and file.suffix == SUFFIX:
        refuse("A session is a conversation; --raw is for texts")
    found = read(file)
    if isinstance(found, Failure):
        refuse(found.what)
    return found if isinstance(found, ChatPrompt) else prompt_of(found, raw)
