"""`sluice perplexity`: the perplexity of a text, and the KL divergence from a second model."""

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from app.cli import verbs
from app.cli.arguments import DEMO, VerbParser, known_adapter, local_model, refuse
from app.cli.verbs import Engines
from app.engine.errors import AbortedError
from app.engine.protocol import Engine, StopFlag
from app.engine.types import Cancellation, ChatPrompt, Failure, LoadRequest, RawPrompt
from app.files.regular_files import expand_home
from app.perplexity.measuring import PerplexityJob, PerplexityMeasurement
from app.perplexity.result import OTHER_VOCABULARY, as_json, as_text
from app.perplexity.source import prompt_of, read
from app.records.session_file import SUFFIX

PERPLEXITY = "perplexity"
ON_SERVER = "A server doesn't return the probabilities of a text's tokens"


def main(arguments: Sequence[str], engines: Engines, resources: Path) -> int:
    parser = VerbParser(
        PERPLEXITY,
        "Print the perplexity of a text and, with --against, the KL divergence of a second model.",
        epilog="A text is scored as the model's answer, unless --raw is given; of a session, its answers are scored.",
        json="print everything, with the values of each token",
    )
    parser.add_adapter()
    parser.add_argument("file", type=Path, metavar="FILE", help="a text, or a session (.sluice)")
    parser.add_argument("--raw", action="store_true", help="don't apply the chat template")
    parser.add_argument("--against", default="", metavar="PATH_OR_ID", help="a second model with the same vocabulary")
    about = "an adapter on the second model; without --against, on the same model"
    parser.add_argument("--against-adapter", default="", metavar="DIR", help=about)
    options = parser.parse_args(arguments)
    name = local_model(options.model, ON_SERVER) or str(resources / DEMO)
    model = LoadRequest(name, adapter=known_adapter(options.adapter))
    other = LoadRequest(local_model(options.against, ON_SERVER) or name, adapter=known_adapter(options.against_adapter))
    against = other if options.against or options.against_adapter else None
    job = PerplexityJob(_prompt(expand_home(options.file), options.raw), model, against)

    def work(engine: Engine, stop: StopFlag) -> None:
        with closing(PerplexityMeasurement(job)) as measurement:
            outcome = measurement.go(engine, None, verbs.show_prefill, stop)
            result = measurement.result() if outcome is None else None
        if result is None:
            raise AbortedError(outcome or Cancellation())
        if options.json and result.second is not None and result.between is None:
            verbs.warn(PERPLEXITY, OTHER_VOCABULARY)
        sys.stdout.write(as_json(result) if options.json else as_text(result))

    return verbs.run(PERPLEXITY, engines["mlx"], work)


def _prompt(file: Path, raw: bool) -> ChatPrompt | RawPrompt:
    if raw and file.suffix == SUFFIX:
        refuse("A session is a conversation; --raw is for texts")
    found = read(file)
    if isinstance(found, Failure):
        refuse(found.what)
    return found if isinstance(found, ChatPrompt) else prompt_of(found, raw)
