"""`sluice draft-check`: whether a draft would have made a run faster."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from app.cli import verbs
from app.cli.arguments import DEMO, DEMO_DRAFT, VerbParser, known_adapter, local_model, read_prompt, refuse, within
from app.cli.verbs import Engines
from app.engine.errors import AbortedError
from app.engine.protocol import Engine, StopFlag, unwrap
from app.engine.types import (
    ChatPrompt,
    Event,
    Failure,
    Limits,
    LoadRequest,
    Message,
    Model,
    PromptEvent,
    RawPrompt,
    Request,
    Role,
    Sampling,
    Token,
)
from app.experiments.draft_prediction import (
    as_json,
    as_text,
    check_drafts,
    measure_gain,
    next_to_measure,
    repeat_request,
)
from app.files.regular_files import expand_home
from app.files.settings import user_folder
from app.records.journal import open_journal
from app.records.types import RunRecord

DRAFT_CHECK = "draft-check"
ON_SERVER = "A server doesn't verify draft tokens for other programs"
MOST_TOKENS = 1_000_000


def main(arguments: Sequence[str], engines: Engines, resources: Path) -> int:
    options = _parsed(arguments)

    def work(engine: Engine, stop: StopFlag) -> None:
        run = _recorded(options) if options.run else None
        model = unwrap(engine.load(_load_request(options, run, resources), lambda event: None, stop), stop)
        request, answer = _answer(engine, model, options, stop) if run is None else _of_run(run)
        found = check_drafts(engine, model, request, answer, verbs.show_prefill, stop)
        best = next_to_measure(found) if options.measure else None
        if best is not None:
            found = measure_gain(engine, found, best, verbs.show_prefill, stop)
        sys.stdout.write(as_json(found) if options.json else as_text(found))

    return verbs.run(DRAFT_CHECK, engines["mlx"], work)


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = VerbParser(
        DRAFT_CHECK,
        "Predict whether prompt lookup or a draft model makes an answer faster.",
        epilog="The accepted tokens are counted in the recorded answer; the time of each step is measured.",
        model="the model; default: the run's, or the bundled one with its draft model",
        json="print all predictions",
        data_dir="the folder with the session database of --run",
    )
    parser.add_adapter()
    parser.add_argument("prompt", nargs="?", default="", metavar="PROMPT", help="a prompt to answer; - reads stdin")
    parser.add_argument("--run", type=within(1, 2**62), default=0, metavar="ID", help="a recorded run, by its number")
    parser.add_argument("--draft", default="", metavar="PATH_OR_ID", help="a draft model for the model")
    parser.add_argument("--raw", action="store_true", help="don't apply the chat template")
    parser.add_argument("--max-tokens", type=within(1, MOST_TOKENS), default=Limits().max_tokens, metavar="N")
    parser.add_argument("--measure", action="store_true", help="also run with and without the fastest draft")
    options = parser.parse_args(arguments)
    if bool(options.prompt) == bool(options.run):
        refuse("Give either a prompt or --run ID")
    options.model, options.draft = (local_model(name, ON_SERVER) for name in (options.model, options.draft))
    options.prompt = read_prompt(options.prompt)
    return options


def _recorded(options: argparse.Namespace) -> RunRecord:
    with closing(open_journal(expand_home(options.data_dir or user_folder()))) as journal:
        failure, run = journal.failure, journal.runs.get(options.run)
    if run is not None and run.prompt is not None and run.prompt.ids:
        return run
    missing = f"There is no run {options.run} with recorded token ids."
    raise AbortedError(failure or Failure(missing, "The window “Runs” shows the number of each run."))


def _load_request(options: argparse.Namespace, run: RunRecord | None, resources: Path) -> LoadRequest:
    adapter = known_adapter(options.adapter)
    if run is not None:
        draft = options.draft or (run.draft.folder if run.draft is not None else "")
        had = run.model.adapter.folder if run.model.adapter is not None else None
        return LoadRequest(options.model or run.model.folder, draft or None, adapter=adapter or had)
    if not options.model:
        return LoadRequest(str(resources / DEMO), options.draft or str(resources / DEMO_DRAFT), adapter=adapter)
    return LoadRequest(options.model, options.draft or None, adapter=adapter)


def _of_run(run: RunRecord) -> tuple[Request, tuple[int, ...]]:
    assert run.prompt is not None
    return repeat_request(run.request, run.prompt), run.ids


def _answer(
    engine: Engine, model: Model, options: argparse.Namespace, stop: StopFlag
) -> tuple[Request, tuple[int, ...]]:
    """Answer the prompt without a draft. Return the request that repeats it, and the answer's ids."""
    raw = options.raw or not model.can.chat
    source = RawPrompt(options.prompt) if raw else ChatPrompt((Message(Role.USER, options.prompt),))
    request, events = Request(source, Sampling(temperature=0), Limits(options.max_tokens)), list[Event]()
    finish = engine.generate(request, events.append, stop)
    if finish.failure is not None:
        raise AbortedError(finish.failure)
    prompt = next(event.prompt for event in events if isinstance(event, PromptEvent))
    return repeat_request(request, prompt), tuple(event.id for event in events if isinstance(event, Token))
