"""`sluice experiment`: the experiments of the Experiments menu."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from app.cli import verbs
from app.cli.arguments import (
    DEMO,
    DEMO_DRAFT,
    SCRIPTED,
    VerbParser,
    check_writable,
    known_adapter,
    known_model,
    refuse,
    within,
)
from app.cli.quantize import LADDER, TITLE, ladder
from app.cli.verbs import Engines
from app.engine.errors import AbortedError
from app.engine.protocol import Engine, StopFlag, unwrap
from app.engine.types import ChatPrompt, Failure, Limits, LoadRequest, Model, RawPrompt, Request, Sampling
from app.experiments.conclusion_text import why_nothing
from app.experiments.export import Report, as_json, as_markdown, concluded, runs_csv, table_csv
from app.experiments.html_export import as_html
from app.experiments.journal_entries import JournalRecorder
from app.experiments.questions import EXPERIMENTS, draft, find_experiment, models, sampling, sweep
from app.experiments.requests import chat, read_axis, with_setting, words_of
from app.experiments.run import Note, RecorderFactory, run_experiment
from app.experiments.types import WARM_UP, Axis, BaseConfig, Experiment, ExperimentOutcome, ExperimentStep, Plan
from app.files.regular_files import expand_home
from app.files.settings import user_folder
from app.records.journal import open_journal

EXPERIMENT = "experiment"
WRITERS: Mapping[str, tuple[Callable[[Report], str], str]] = {
    "markdown": (as_markdown, "Markdown"),
    "html": (as_html, "a page"),
    "json": (as_json, "everything as JSON"),
    "csv": (runs_csv, "a line for each run"),
    "table-csv": (table_csv, "a line for each variant"),
}
TF32 = {"off": "0", "on": "1"}
MOST_REPEATS = 20
"""The largest number of repeats: the largest sweep needs this many."""


@dataclass(frozen=True, slots=True)
class ExperimentSwitches:
    """The parsed and checked switches. `experiment` None: --list."""

    experiment: Experiment | None
    engine: str
    load: LoadRequest
    request: Request
    repeats: int
    """0: the fewest for a significant difference."""
    other: str
    axes: tuple[Axis, ...]
    format: str
    data_folder: Path | None
    tf32: str | None


def main(arguments: Sequence[str], engines: Engines, resources: Path) -> int:
    """Print a report. Return the exit code: 0 done, 1 failed, 2 bad arguments, 130 interrupted (results so far)."""
    if arguments[:1] == [LADDER]:
        return ladder(EXPERIMENT, arguments[1:], resources)
    switches = parse(arguments, tuple(engines), resources)
    if switches.experiment is None:
        listed = [*((each.name, each.title) for each in EXPERIMENTS), (LADDER, TITLE)]
        sys.stdout.writelines(f"{name:10} {title}\n" for name, title in listed)
        return verbs.DONE
    if switches.tf32 is not None:
        os.environ["MLX_ENABLE_TF32"] = TF32[switches.tf32]  # MLX reads it once, at its first operation
    return verbs.run(EXPERIMENT, engines[switches.engine], partial(_report, switches, switches.experiment))


def _report(switches: ExperimentSwitches, experiment: Experiment, engine: Engine, stop: StopFlag) -> None:
    outcome = _measured(engine, switches, experiment, stop)
    if outcome.results or not outcome.failure:
        made = concluded(experiment, outcome, switches.data_folder or user_folder())
        sys.stdout.write(WRITERS[switches.format][0](made))
    failure = outcome.failure or (why_nothing(outcome) if outcome.results else None)
    if failure is not None:
        raise AbortedError(failure)


def _measured(
    engine: Engine, switches: ExperimentSwitches, experiment: Experiment, stop: StopFlag
) -> ExperimentOutcome:
    model = unwrap(engine.load(switches.load, lambda event: None, stop), stop)
    if switches.tf32 is not None and model.tf32 is None:
        raise AbortedError(Failure("This device has no TF32.", "Leave --tf32 out."))
    request = _without_template(switches.request, model)
    basis = BaseConfig(request, model, switches.repeats, other=switches.other, axes=switches.axes)
    plan = unwrap(experiment.plan(basis), stop)
    needed = experiment.rounds(len(plan.arms))
    if plan.repeats < needed:
        few = f"{plan.repeats} rounds are too few for any significant difference; {needed} are needed."
        verbs.warn(EXPERIMENT, few)
    with _recorder(switches.data_folder, plan) as recorder:
        return run_experiment(engine, plan, model, stop, _show, recorder)


def _without_template(request: Request, model: Model) -> Request:
    words = words_of(request.prompt)
    if isinstance(request.prompt, ChatPrompt) and not model.can.chat and isinstance(words, str):
        return replace(request, prompt=RawPrompt(words))
    return request


@contextmanager
def _recorder(folder: Path | None, plan: Plan) -> Iterator[RecorderFactory | None]:
    if folder is None:
        yield None
        return
    with closing(open_journal(folder)) as journal:
        if journal.failure is not None:
            verbs.warn(EXPERIMENT, journal.failure.sentence)
        yield JournalRecorder(journal, plan.title)


def _show(note: Note) -> None:
    if isinstance(note, ExperimentStep):
        at = "warm-up" if note.round == WARM_UP else f"round {note.round}"
        verbs.show(f"Run {note.number} of {note.total}: {note.name}, {at}\n")


def parse(arguments: Sequence[str], engines: Sequence[str], resources: Path) -> ExperimentSwitches:
    """Parse and check the switches, before a model is loaded. Exit for --help and bad arguments."""
    options = _parser(engines).parse_args(arguments)
    experiment = find_experiment(options.name) if options.name else None
    if experiment is None and not options.list:
        names = ", ".join(each.name for each in EXPERIMENTS)
        refuse(f"There is no experiment {options.name}; there are {names}" if options.name else f"Name one of {names}")
    asked = experiment or EXPERIMENTS[0]
    if options.data_dir is not None:
        check_writable(expand_home(options.data_dir))
    if experiment is models.EXPERIMENT and options.model and not options.other:
        refuse("Name a second model with --other")
    if experiment is sweep.EXPERIMENT and not options.vary:
        refuse("Name at least one setting to vary, as in --vary temperature=0,0.7")
    axes = _axes(options, asked)
    return ExperimentSwitches(
        experiment=None if options.list else experiment,
        engine=options.engine,
        load=_load(options, asked, resources),
        request=_request(options, asked),
        repeats=options.repeats or 0,
        other=_other(options, asked, resources),
        axes=axes,
        format=options.format,
        data_folder=expand_home(options.data_dir) if options.data_dir is not None else None,
        tf32=options.tf32,
    )


def _parser(engines: Sequence[str]) -> VerbParser:
    parser = VerbParser(
        EXPERIMENT,
        "Run an experiment and print its report. After Ctrl-C, the report has the runs so far.",
        formats={name: text for name, (_, text) in WRITERS.items()},
        data_dir="also record every run in the session database in DIR",
    )
    parser.add_adapter()
    parser.add_engine(engines)
    parser.add_argument("name", nargs="?", default="", metavar="NAME", help="the experiment; see --list")
    parser.add_argument("--list", action="store_true", help="list the experiments")
    parser.add_argument("--draft", default="", metavar="PATH_OR_ID", help="a draft model for speculative decoding")
    parser.add_argument("--other", default="", metavar="PATH_OR_ID", help="the second model of `models`")
    parser.add_argument("--prompt", default="", metavar="TEXT", help="the prompt; each experiment has a default")
    parser.add_argument("--raw", action="store_true", help="don't apply the chat template")
    about = "runs of each variant; default: the fewest for a significant difference"
    parser.add_argument("--repeats", type=within(1, MOST_REPEATS), metavar="N", help=about)
    parser.add_argument("--max-tokens", type=within(2, 1_000_000), metavar="N", help="the longest run")
    parser.add_argument("--stop", action="append", default=[], metavar="TEXT", help="a stop string")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of all variants")
    about = "the values that `sampling` and `sweep` try"
    parser.add_argument("--vary", action="append", default=[], metavar="NAME=VALUE,…", help=about)
    parser.add_argument("--tf32", choices=TF32, help="TF32 in float32 operations on a GPU; default: off")
    return parser


def _load(options: argparse.Namespace, experiment: Experiment, resources: Path) -> LoadRequest:
    """Return the load request; without a model, the bundled one, with its draft model for the experiment `draft`."""
    model, drafting = known_model(options.model), known_model(options.draft)
    adapter = known_adapter(options.adapter)
    if model or options.engine == SCRIPTED:
        return LoadRequest(model or SCRIPTED, drafting or None, adapter=adapter)
    if experiment is draft.EXPERIMENT and not drafting:
        drafting = str(resources / DEMO_DRAFT)
    return LoadRequest(str(resources / DEMO), drafting or None, adapter=adapter)


def _other(options: argparse.Namespace, experiment: Experiment, resources: Path) -> str:
    other = known_model(options.other)
    if experiment is models.EXPERIMENT and not (other or options.model):
        return SCRIPTED if options.engine == SCRIPTED else str(resources / DEMO_DRAFT)
    return other


def _request(options: argparse.Namespace, experiment: Experiment) -> Request:
    words = options.prompt or experiment.prompt
    default_stops = () if options.prompt else experiment.stop_strings
    request = Request(
        RawPrompt(words) if options.raw else chat(words),
        Sampling(temperature=experiment.temperature),
        Limits(options.max_tokens or experiment.max_tokens, tuple(options.stop) or default_stops),
    )
    for text in options.set:
        axis = _axis(text)
        if len(axis.values) != 1:
            refuse(f"--set takes one value, and {text} has {len(axis.values)}")
        request = with_setting(request, axis.name, axis.values[0])
    return request


def _axes(options: argparse.Namespace, experiment: Experiment) -> tuple[Axis, ...]:
    if options.vary and experiment not in (sampling.EXPERIMENT, sweep.EXPERIMENT):
        refuse(f"The experiment {experiment.name} has fixed variants; --vary is for sampling and sweep")
    return tuple(_axis(text) for text in options.vary) or experiment.axes


def _axis(text: str) -> Axis:
    axis = read_axis(text)
    if isinstance(axis, Failure):
        refuse(axis.sentence)
    return axis
